internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletSystem

/// Carries out the requests of another program by the host's HTTP bridge, many at a time. Requests
/// and results are lines of JSON in two named pipes; `Tests/HTTPBridge/README.md` describes them.
final class HTTPBridgeService: Sendable {
  /// A line of the other program: a request, or the number of one that is to be cancelled.
  struct Order: Decodable {
    var id: Int?
    var cancel: Int?
    var method: String?
    var url: String?
    var headers: [[String]]?
    var body: String?
    var authorities: String?
    var oldestTLS: Int32?
    var reach: String?
    var sharesConnections: Bool?
    var connectTimeout: Int64?
    var timeout: Int64?
    var largestHeaders: Int?
    var largestBody: Int?

    enum CodingKeys: String, CodingKey {
      case id, cancel, method, url, headers, body, authorities, reach, timeout
      case oldestTLS = "oldest_tls"
      case sharesConnections = "shares_connections"
      case connectTimeout = "connect_timeout"
      case largestHeaders = "largest_headers"
      case largestBody = "largest_body"
    }

    var call: HTTPCall {
      HTTPCall(
        method == "POST" ? .post : .get, url ?? "",
        headers: (headers ?? []).filter { $0.count == 2 }.map { .init($0[0], $0[1]) },
        body: body.flatMap(Base64URL.decode) ?? [],
        certificateAuthorities: authorities.map { Array($0.utf8) },
        oldestTLS: oldestTLS.flatMap(HTTPCall.TLSVersion.init) ?? .v12, reach: wantedReach,
        sharesConnections: sharesConnections ?? false, connectTimeout: connectTimeout ?? 5_000,
        timeout: timeout ?? 10_000, largestHeaders: largestHeaders ?? 64 << 10,
        largestBody: largestBody ?? 1 << 20)
    }

    private var wantedReach: HTTPCall.Reach {
      switch reach {
      case "public": .publicAddresses(orLoopback: false)
      case "public-or-loopback": .publicAddresses(orLoopback: true)
      default: .anyAddress
      }
    }
  }

  /// A line for the other program. Either `failure` or `outcome` is set.
  struct Report: Encodable {
    var id: Int
    var failure: String?
    var outcome: Int32?
    var wasSent: Bool?
    var status: Int?
    var headers: [[String]]?
    var body: String?
    var url: String?
    var address: String?
    var message: String?

    enum CodingKeys: String, CodingKey {
      case id, failure, outcome, status, headers, body, url, address, message
      case wasSent = "was_sent"
    }

    init(_ id: Int, _ result: Result<HTTPReply, BridgeFailure>) {
      self.id = id
      switch result {
      case .failure(let error): failure = "\(error)"
      case .success(let reply):
        outcome = reply.outcome.rawValue
        wasSent = reply.wasSent
        status = reply.status
        headers = reply.headers.map { [$0.name, $0.value] }
        body = Base64URL.encode(reply.body)
        url = reply.url
        address = reply.remoteAddress
        message = reply.message
      }
    }
  }

  private let bridge: any HTTPBridge
  private let results: FileDescriptor
  private let state = Monitor(State())

  private struct State: Sendable {
    var open: [Int: Cancellation] = [:]
  }

  private init(_ bridge: any HTTPBridge, results: FileDescriptor) {
    self.bridge = bridge
    self.results = results
  }

  /// Serves the pipes `requests` and `results` in `directory` until the first one ends.
  static func serve(_ directory: String, by bridge: any HTTPBridge) throws {
    let requests = try FileDescriptor(opening: "\(directory)/requests")
    defer { requests.close() }
    // Never closed: requests may still be under way at the end, when the process exits.
    let results = try FileDescriptor(opening: "\(directory)/results", [.writing])
    let service = HTTPBridgeService(bridge, results: results)
    var pending: [UInt8] = []
    while let piece = try requests.readSome(limit: 1 << 16) {
      pending += piece
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        try service.carryOut(WireJSON.decode(Order.self, from: Array(pending[..<end])))
        pending.removeSubrange(...end)
      }
    }
  }

  private func carryOut(_ order: Order) throws {
    if let cancelled = order.cancel {
      state.withLock { $0.open[cancelled] }?.cancel()
      return
    }
    guard let id = order.id else { throw WireError.contentMalformed }
    let (call, cancellation) = (order.call, Cancellation())
    state.update { $0.open[id] = cancellation }
    let thread = NamedThread("http check", signals: .blocked) { [self] in
      let result = Result { () throws(BridgeFailure) in
        try bridge.send(call, cancellation: cancellation)
      }
      // Each line is one write, so that lines are never mixed.
      if let line = try? WireJSON.encode(Report(id, result)) {
        state.withLock { _ in try? results.write(line + [UInt8(ascii: "\n")]) }
      }
      state.update { $0.open[id] = nil }
    }
    guard let thread else { throw SystemError.noMemory }
    thread.detach()
  }
}
