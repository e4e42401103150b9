import CPostgreSQL
import WalletProvider
import WalletSystem

/// One connection, for use by one thread at a time. Statements that are sent together take one
/// round trip (libpq's pipeline mode). If one of them fails, those after it are not executed.
final class Connection {
  private let handle: OpaquePointer
  private var prepared: [String: String] = [:]
  /// Whether the connection is no longer usable.
  private(set) var isLost = false
  /// Whether the server ended its wait for the synchronous standby before that had confirmed a
  /// commit. It reports success nevertheless.
  private var isUnconfirmed = false

  /// Connects and configures the session: it gets time-outs, and a commit is acknowledged only when
  /// it is on disk.
  ///
  /// - Parameter last: the server, of several in the URL, that is tried after the others.
  /// - Throws: `DatabaseError`.
  init(_ url: DatabaseURL, limits: DatabaseLimits, last: DatabaseServer? = nil) throws {
    try Self.check(url)
    // A process that ends by exit(), as those of tests do, waits for no thread that connects.
    _ = DynamicLibrary("libpq.so.5")?.keepOpenSSLUntilTheEnd()
    let seconds = max(2, (limits.connect + 999) / 1000)
    // The URL ("dbname") overrides the parameters before it in this list; those after it override
    // the URL. Of several hosts only the primary is of use, and of one host too.
    let password = DatabaseEnvironment.password.map { [("password", $0)] } ?? []
    let parameters: [(String, String)] =
      password + [
        ("connect_timeout", "\(seconds)"), ("tcp_user_timeout", "\(limits.transaction)"),
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ("fallback_application_name", "wallet-provider"), ("target_session_attrs", "read-write"),
        ("dbname", url.text),
        ("client_encoding", "UTF8"),
      ] + (last.map { HostOrder.parameters(of: url.text, last: $0) } ?? [])
    guard let handle = Self.connect(parameters) else {
      throw DatabaseError.lost(message: "no memory")
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw DatabaseError.unreachable(
        message: ConnectionErrorRedaction.quotable(PQerrorMessage(handle)))
    }
    // No text of the server's notices is kept: they may quote rows, and libpq would print them to
    // standard error. The connection outlives the handle, which calls this while it is used.
    _ = PQsetNoticeReceiver(
      handle,
      { connection, notice in
        guard let connection, let notice, wallet_pg_ends_wait_for_standby(notice) else { return }
        Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().isUnconfirmed = true
      }, Unmanaged.passUnretained(self).toOpaque())
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
      throw DatabaseError.lost(message: oneLine(PQerrorMessage(handle)))
    }
    _ = try run(Self.sessionStatements(limits), within: limits.transaction)
  }

  deinit { PQfinish(handle) }

  /// The server of the URL that this connection leads to.
  var server: DatabaseServer {
    func text(_ value: UnsafeMutablePointer<CChar>?) -> String {
      value.map { String(cString: $0) } ?? ""
    }
    return DatabaseServer(
      host: text(PQhost(handle)), address: text(PQhostaddr(handle)), port: text(PQport(handle)))
  }

  /// Parses the URL before it is used. For an unreadable URL libpq's error message would quote it,
  /// and it may contain a password.
  private static func check(_ url: DatabaseURL) throws(DatabaseError) {
    guard let options = PQconninfoParse(url.text, nil) else {
      throw .unreachable(message: "its URL cannot be read, or has an unknown parameter")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val,
        !ConnectionErrorRedaction.isPlausible(String(cString: value), for: String(cString: keyword))
      {
        throw .unreachable(
          message:
            "its URL is not read as it is meant; percent-encode the password, / and @ above all")
      }
      option += 1
    }
  }

  private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
    let texts = parameters.flatMap { [copy(of: $0.0), copy(of: $0.1)] }
    defer { texts.forEach { $0.deallocate() } }
    let pointers = texts.map { UnsafePointer($0.baseAddress) }
    var keywords = stride(from: 0, to: texts.count, by: 2).map { pointers[$0] }
    var values = stride(from: 1, to: texts.count, by: 2).map { pointers[$0] }
    keywords.append(nil)
    values.append(nil)
    return PQconnectdbParams(keywords, values, 1)
  }

  /// A C copy of `text`; the caller deallocates it.
  private static func copy(of text: String) -> UnsafeMutableBufferPointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }

  /// Statements that configure the session. A proxy in front of the database may refuse the same
  /// settings as start-up options. `synchronous_commit` becomes `on`, unless the database uses the
  /// stronger `remote_apply`.
  private static func sessionStatements(_ limits: DatabaseLimits) -> [Statement] {
    let set = "SELECT set_config($1, $2, false)"
    let values = [
      "statement_timeout": "\(limits.statement)ms", "lock_timeout": "\(limits.lock)ms",
      "idle_in_transaction_session_timeout": "\(limits.idleTransaction)ms",
      // That a commit was not confirmed by the standby is a warning.
      "client_min_messages": "warning",
    ]
    return values.map { Statement(set, [.text($0.key), .text($0.value)]) } + [
      Statement(
        """
        SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
          WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)
        """)
    ]
  }

  /// Sends the statements together and reads their results.
  ///
  /// - Parameter milliseconds: the time after which the connection is given up.
  /// - Throws: `DatabaseError`. Statements after a refused one were not executed.
  func run(_ statements: [Statement], within milliseconds: Int64) throws -> [QueryResult] {
    guard !isLost else { throw DatabaseError.lost(message: "it was lost before") }
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    do {
      let sent = try send(statements)
      let answers = try sent.map { try answer(to: $0, by: deadline) }
      try endOfPipeline(by: deadline)
      guard !isUnconfirmed else {
        throw DatabaseError.lost(message: "the synchronous standby has not confirmed the commit")
      }
      return try answers.compactMap { try $0?.get() }
    } catch let error as DatabaseError {
      if case .lost = error { isLost = true }
      throw error
    }
  }

  // MARK: Sending

  private enum Sent {
    case preparation(of: String, name: String)
    case execution
  }

  private func send(_ statements: [Statement]) throws -> [Sent] {
    var sent: [Sent] = []
    var names = prepared
    for statement in statements {
      if names[statement.sql] == nil {
        let name = "s\(names.count)"
        try succeed(PQsendPrepare(handle, name, statement.sql, 0, nil))
        names[statement.sql] = name
        sent.append(.preparation(of: statement.sql, name: name))
      }
      let values = EncodedValues(statement.values)
      try succeed(
        values.withPointers { pointers in
          PQsendQueryPrepared(
            handle, names[statement.sql], Int32(pointers.count), pointers, values.lengths,
            values.formats, 1)
        })
      sent.append(.execution)
    }
    try succeed(PQpipelineSync(handle))
    return sent
  }

  private func succeed(_ status: Int32) throws(DatabaseError) {
    guard status == 1 else { throw .lost(message: oneLine(PQerrorMessage(handle))) }
  }

  // MARK: Receiving

  /// The result of an executed statement; nil for a successful preparation, and for a statement
  /// that was not executed because one before it failed.
  private func answer(to sent: Sent, by deadline: ContinuousClock.Instant) throws -> Result<
    QueryResult, DatabaseError
  >? {
    guard let result = try nextResult(by: deadline) else {
      throw DatabaseError.lost(message: oneLine(PQerrorMessage(handle)))
    }
    let rows = QueryResult(taking: result)
    let status = PQresultStatus(result)
    switch status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: break
    case PGRES_PIPELINE_ABORTED:
      // The statement was not executed, because one before it was refused. That one reported the
      // reason.
      try endOfAnswer(by: deadline)
      return nil
    default:
      let error = try refusal(result)
      try endOfAnswer(by: deadline)
      return .failure(error)
    }
    try endOfAnswer(by: deadline)
    if case .preparation(let sql, let name) = sent {
      prepared[sql] = name
      return nil
    }
    return .success(rows)
  }

  /// - Throws: `lost` for an error that ends the connection.
  private func refusal(_ result: OpaquePointer) throws(DatabaseError) -> DatabaseError {
    guard let state = wallet_pg_sqlstate(result).map({ String(cString: $0) }) else {
      throw .lost(message: oneLine(PQerrorMessage(handle)))
    }
    let message = oneLine(wallet_pg_message(result))
    if DatabaseError.endsConnection(state) { throw .lost(message: "\(state) \(message)") }
    if state == AffectedRowGuard.stateWhenGone { return .rowIsGone }
    // Errors of class 22 (data exceptions) quote values, so their message is left out.
    return .refused(state: state, message: state.hasPrefix("22") ? "a value was refused" : message)
  }

  private func endOfAnswer(by deadline: ContinuousClock.Instant) throws {
    guard let extra = try nextResult(by: deadline) else { return }
    PQclear(extra)
    throw DatabaseError.lost(message: "an answer too many")
  }

  private func endOfPipeline(by deadline: ContinuousClock.Instant) throws {
    let end = try nextResult(by: deadline).map { QueryResult(taking: $0) }
    guard end?.isEndOfPipeline == true else {
      throw DatabaseError.lost(message: oneLine(PQerrorMessage(handle)))
    }
  }

  private func nextResult(by deadline: ContinuousClock.Instant) throws -> OpaquePointer? {
    while true {
      let flushed = PQflush(handle)
      guard flushed >= 0 else {
        // Messages that the server sent before it closed the connection can still be read.
        if PQconsumeInput(handle) == 1, PQisBusy(handle) == 0 { return PQgetResult(handle) }
        throw DatabaseError.lost(message: oneLine(PQerrorMessage(handle)))
      }
      if PQisBusy(handle) == 0 { return PQgetResult(handle) }
      try wait(writing: flushed == 1, by: deadline)
      guard PQconsumeInput(handle) == 1 else {
        throw DatabaseError.lost(message: oneLine(PQerrorMessage(handle)))
      }
    }
  }

  /// Waits until the server has sent something or, if `writing`, until more can be sent.
  private func wait(
    writing: Bool, by deadline: ContinuousClock.Instant
  ) throws(DatabaseError) {
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { throw .lost(message: "the server does not answer in time") }
      let milliseconds =
        left.components.seconds * 1000
        + left.components.attoseconds / 1_000_000_000_000_000 + 1
      do throws(SystemError) {
        let isReady = try Sockets.wait(
          for: PQsocket(handle), writing: writing, milliseconds: Int32(clamping: milliseconds))
        if isReady { return }
      } catch { throw .lost(message: "poll failed") }
    }
  }
}

extension QueryResult {
  fileprivate var isEndOfPipeline: Bool { status == PGRES_PIPELINE_SYNC }
}
