import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
public import WalletProtocol
public import WalletProvider
public import WalletProviderServer

/// Sends requests to an evaluator on another machine. Both show certificates (TLS 1.3); the
/// evaluator's must come from one authority and name the host of the URL. Connections are kept open.
public final class EvaluatorConnection: ReloadableFiles {
  public let name = "TLS files of the evaluator"
  /// Without a trailing slash.
  public let url: String
  private let settings: RemoteEvaluatorSettings
  private let deadline: Duration
  private let client: HTTPClient
  private let tls: Mutex<TLSConfiguration>
  private let mostWaiting: Int
  private let waiting = Atomic(0)

  /// The longest answer that is read, in bytes.
  static let longestAnswer = 64 * 1024
  private static let connections = 16

  /// Reads and checks the files; connects only when something is asked.
  ///
  /// - Parameters:
  ///   - deadline: the longest that a request takes, with its repetition.
  ///   - mostWaiting: how many requests may wait for an answer at once; a further one fails, so that
  ///     an evaluator that does not answer leaves room for requests that do not need it. What
  ///     completes something is always sent: an attempt without its proof counts as wrong.
  /// - Throws: `FileProblem`.
  public init(
    _ settings: RemoteEvaluatorSettings, deadline: Duration = .seconds(10), mostWaiting: Int
  ) throws(FileProblem) {
    self.settings = settings
    self.deadline = deadline
    self.mostWaiting = mostWaiting
    url = settings.url
    tls = Mutex(try Self.read(settings))
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.httpVersion = .http1Only
    configuration.timeout.connect = .seconds(5)
    // The repetition is made here.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
    // Shorter than an evaluator keeps an unused connection.
    configuration.connectionPool.idleTimeout = .seconds(30)
    client = HTTPClient(
      eventLoopGroupProvider: .shared(HTTPClient.defaultEventLoopGroup),
      configuration: configuration)
  }

  deinit {
    // It must be shut down before it is released.
    Task { [client] in try? await client.shutdown() }
  }

  public func reload() throws(FileProblem) {
    let read = try Self.read(settings)
    tls.withLock { $0 = read }
  }

  private static func read(
    _ settings: RemoteEvaluatorSettings
  ) throws(FileProblem) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    configuration.certificateVerification = .fullVerification
    configuration.trustRoots = .certificates(try PEMFile.certificates(settings.authority))
    configuration.certificateChain = try settings.identity.chain()
    configuration.privateKey = try settings.identity.privateKey()
    try settings.identity.context(configuration)
    return configuration
  }

  /// The answer to a request.
  ///
  /// - Throws: `StoreFailure`. The request may have been handled; it may be sent again.
  public func answer(_ request: EvaluatorRequest) async throws(StoreFailure) -> EvaluatorAnswer {
    guard let body = try? WireJSON.encode(request) else {
      throw StoreFailure("a request to the evaluator could not be written")
    }
    let count = waiting.add(1, ordering: .relaxed).newValue
    defer { waiting.subtract(1, ordering: .relaxed) }
    guard count <= mostWaiting || request.completes else {
      throw StoreFailure("the evaluator at \(url): \(mostWaiting) requests wait for it already")
    }
    return try await ask(.POST, Route.evaluator, body)
  }

  func description() async throws(StoreFailure) -> EvaluatorDescription {
    try await ask(.GET, Route.evaluatorDescription, nil)
  }

  private func ask<Answer: Decodable & Sendable>(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8]?
  ) async throws(StoreFailure) -> Answer {
    var request = HTTPClientRequest(url: url + path)
    request.method = method
    request.tlsConfiguration = tls.withLock { $0 }
    if let body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    do {
      let bytes = try await withinDeadline { [request] in try await self.send(request) }
      return try WireJSON.decode(Answer.self, from: bytes)
    } catch let problem as ConnectionProblem {
      throw StoreFailure("the evaluator at \(url): \(problem.text(settings))")
    } catch is WireError {
      throw StoreFailure("the evaluator at \(url) answered no message of version \(wireVersion)")
    } catch { throw StoreFailure("the evaluator at \(url): \(ConnectionProblem.name(error))") }
  }

  /// Sends the request, and once more if the connection failed: the evaluator gives the same answer
  /// to the same request.
  private func send(_ request: HTTPClientRequest) async throws -> [UInt8] {
    do {
      return try await sendOnce(request)
    } catch ConnectionProblem.failed {
      return try await sendOnce(request)
    }
  }

  private func sendOnce(_ request: HTTPClientRequest) async throws -> [UInt8] {
    do {
      let response = try await client.execute(
        request, timeout: .nanoseconds(deadline.nanoseconds))
      guard response.status == .ok else {
        throw ConnectionProblem.status(Int(response.status.code))
      }
      return Array(try await response.body.collect(upTo: Self.longestAnswer).readableBytesView)
    } catch let problem as ConnectionProblem {
      throw problem
    } catch is NIOTooManyBytesError {
      throw ConnectionProblem.answerTooLong
    } catch is CancellationError {
      throw ConnectionProblem.late
    } catch { throw ConnectionProblem.failed(error) }
  }

  private func withinDeadline<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { [deadline] group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: deadline)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let value = first else {
        throw ConnectionProblem.late
      }
      return value
    }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

extension EvaluatorRequest {
  /// Whether it completes what was begun and counted before.
  fileprivate var completes: Bool {
    switch self {
    case .adopt, .prove, .commit, .cancel: true
    case .open, .evaluate, .delete: false
    }
  }
}
