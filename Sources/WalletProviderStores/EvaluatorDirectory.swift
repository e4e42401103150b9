public import WalletAttempts
public import WalletEvaluator
import WalletEvaluatorSQLite
import WalletProtocol
public import WalletProvider
import WalletSignatures

/// The directory of an evaluator: its id, its key file, its database and the record of the
/// database's rows. A backup of the database alone restores fewer attempts than there were, so after
/// it every wallet begins in its last round.
public struct EvaluatorDirectory: Sendable {
  /// The evaluator's id, random and made once.
  public let id: String
  public let keys: EvaluatorKeys
  private let path: String

  /// The directory of the evaluator that runs inside the provider with this data directory.
  public static func path(inData data: String) -> String { data + "/evaluator" }

  /// The evaluator inside the provider with this data directory; nil if a start has yet to make it.
  ///
  /// - Throws: `FileProblem` if a start would fail.
  static func existing(inData data: String) throws(FileProblem) -> EvaluatorDirectory? {
    let path = path(inData: data)
    guard try PrivateFile.read(path + "/evaluator-id", secret: false) != nil else { return nil }
    return try EvaluatorDirectory(existing: path)
  }

  /// Opens the evaluator in `path`, or makes one. The id is written after the key. If there is an id
  /// and no key, the key was lost, and no other is made in its place.
  ///
  /// - Throws: `FileProblem`.
  public init(path: String) throws(FileProblem) {
    try PrivateFile.createDirectory(path)
    let lock = try DirectoryLock(directory: path)
    let (idPath, keyPath) = (path + "/evaluator-id", path + "/evaluator.key")
    if try PrivateFile.read(idPath, secret: false) == nil {
      if try PrivateFile.read(keyPath, secret: true) == nil {
        let line = Base64URL.encode(SecureRandom.bytes(32)) + "\n"
        try PrivateFile.write(Array(line.utf8), to: keyPath, replace: false)
      }
      let id = SecureRandom.identifier()
      try PrivateFile.write(Array((id + "\n").utf8), to: idPath, replace: false)
    }
    _ = consume lock
    try self.init(existing: path)
  }

  /// Opens the evaluator in `path` without making anything.
  ///
  /// - Throws: `FileProblem`, also for missing files.
  public init(existing path: String) throws(FileProblem) {
    let (idPath, keyPath) = (path + "/evaluator-id", path + "/evaluator.key")
    guard let idFile = try PrivateFile.read(idPath, secret: false) else {
      throw FileProblem("there is no file \(idPath)")
    }
    let id = String(decoding: idFile, as: UTF8.self).split(separator: "\n").first ?? ""
    guard Base64URL.decode(id)?.count == 16 else {
      throw FileProblem("\(idPath) does not hold an evaluator id: 16 bytes as base64url")
    }
    guard let keyFile = try PrivateFile.read(keyPath, secret: true) else {
      throw FileProblem(
        "there is no key \(keyPath), and this evaluator had one; restore it from a backup")
    }
    guard let list = try? KeyList(parsing: String(decoding: keyFile, as: UTF8.self)),
      let keys = EvaluatorKeys(secrets: list.secrets)
    else { throw FileProblem("\(keyPath) does not hold keys: each 32 bytes as base64url") }
    self.id = String(id)
    self.keys = keys
    self.path = path
  }

  private var database: String { path + "/evaluator.sqlite" }

  /// Checks the files that a start would open, and changes none.
  ///
  /// - Parameter isNamed: whether the provider's store names an evaluator, which then had a database.
  /// - Throws: `FileProblem`, also for a database that is gone; `EvaluatorFailure`.
  func checkFiles(isNamed: Bool) throws {
    try PrivateFile.checkSecret(database)
    let hasRecord = try EvaluatorRecordFile(directory: path).check(keys)
    // Otherwise the first start was interrupted before there was a wallet.
    guard try SQLiteEvaluatorStore.walletCount(path: database) != nil || !(isNamed || hasRecord)
    else {
      throw FileProblem(
        """
        there is no database \(database), and this evaluator had one; restore it from a backup. A \
        start makes an empty one, and then every wallet has to register anew
        """)
    }
  }

  /// Opens the database and returns the evaluator.
  ///
  /// - Parameter report: is called for each finding about the database.
  /// - Throws: `FileProblem`, `EvaluatorFailure`.
  public func evaluator(
    policy: any AttemptPolicySource, clock: any ProviderClock,
    report: @escaping @Sendable (EvaluatorFinding) -> Void = { _ in }
  ) throws -> Evaluator {
    try PrivateFile.checkSecret(database)
    try PrivateFile.createEmpty(database)
    return Evaluator(
      id: id, keys: keys,
      store: try SQLiteEvaluatorStore(
        path: database, keys: keys, file: EvaluatorRecordFile(directory: path),
        machineTime: { clock.machineTime }, report: report),
      policy: policy)
  }
}

/// The files of the record in the directory of an evaluator, under the directory's lock.
struct EvaluatorRecordFile: RowRecordFile {
  let directory: String
  private var record: String { directory + "/evaluator.record" }
  private var lastRounds: String { directory + "/last-rounds" }

  private func lastRounds(_ file: Int) -> String {
    "\(lastRounds)/\(LastRounds.name(of: file))"
  }

  /// Reads the files as a start does.
  ///
  /// - Returns: Whether there is a record.
  func check(_ keys: EvaluatorKeys) throws -> Bool {
    _ = try LastRounds.read(readLastRounds, keys: keys)
    return try read() != nil
  }

  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    let lock: DirectoryLock
    do { lock = try DirectoryLock(directory: directory) } catch {
      throw EvaluatorFailure(error.description)
    }
    let result = try body()
    _ = consume lock
    return result
  }

  func read() throws -> [UInt8]? {
    do { return try AlternatingFile(record).read() } catch {
      throw EvaluatorFailure(error.description)
    }
  }

  func write(_ content: [UInt8]) throws {
    do { try AlternatingFile(record).write(content) } catch {
      throw EvaluatorFailure(error.description)
    }
  }

  func readLastRounds(_ file: Int) throws -> [UInt8]? {
    do { return try AlternatingFile(lastRounds(file)).read() } catch {
      throw EvaluatorFailure(error.description)
    }
  }

  func writeLastRounds(_ content: [UInt8], _ file: Int) throws {
    do throws(FileProblem) {
      try PrivateFile.createDirectory(lastRounds)
      try AlternatingFile(lastRounds(file)).write(content)
    } catch { throw EvaluatorFailure(error.description) }
  }
}
