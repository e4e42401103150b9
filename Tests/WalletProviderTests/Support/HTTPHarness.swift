import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// Sends requests through the HTTP layer, without a socket. They name the host `localhost`.
///
/// - Parameter hosts: the hosts that the pages at `/enrol` accept.
func withHTTP<Value: Sendable>(
  _ harness: ProviderHarness, store: (any ProviderStore)? = nil,
  evaluator: (any PinEvaluator)? = nil,
  updatePolicy: any UpdatePolicySource = UpdatePolicy.none, enrolment: Bool = false,
  hosts: [String] = ["localhost"], statusLists: StatusListPublisher? = nil,
  limits: RequestLimits = RequestLimits(),
  _ test: @Sendable (HTTPClient) async throws -> Value
) async throws -> Value {
  let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  let provider = Provider(
    identity: harness.directory.identity, store: store ?? harness.store,
    evaluator: evaluator ?? harness.evaluator, settings: harness.settings,
    updatePolicy: updatePolicy,
    observer: limits.metrics.observer(harness.observer), limiter: limits.wallets)
  let responder = ProviderResponder<ProviderContext>(
    provider: provider, configuration: harness.directory.configuration,
    enrolment: enrolment
      ? EnrolmentSite(accounts: harness.accounts, host: "127.0.0.1", hosts: hosts) : nil,
    statusLists: statusLists, limits: limits, logger: logger)
  let application = Application(responder: responder, logger: logger)
  return try await application.test(.router) { try await test(HTTPClient(client: $0)) }
}

struct HTTPClient: Sendable {
  let client: any TestClientProtocol

  func post(
    _ path: String, _ body: [UInt8], type: String? = "application/json",
    headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = headers
    headers[.contentType] = type
    return try await client.execute(
      uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
  }

  func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
    try await client.execute(uri: path, method: .get, headers: headers)
  }
}

extension TestResponse {
  var bytes: [UInt8] { Array(body.readableBytesView) }

  /// The kind of the problem; fails unless the response is a valid problem.
  func problemKind(file: StaticString = #filePath, line: UInt = #line) -> ProblemKind? {
    XCTAssertEqual(
      headers[.contentType], "application/problem+json", "\(status)", file: file, line: line)
    XCTAssertEqual(headers[.cacheControl], "no-store", file: file, line: line)
    guard let problem = try? WireJSON.decode(Problem.self, from: bytes), let kind = problem.kind
    else {
      XCTFail("no problem in the body", file: file, line: line)
      return nil
    }
    XCTAssertEqual(status.code, kind.status, file: file, line: line)
    XCTAssertEqual(problem.status, kind.status, file: file, line: line)
    return kind
  }
}
