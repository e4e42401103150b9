import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

final class HTTPTests: XCTestCase {
  private let posts =
    [Route.registrations, Route.registrationChallenge]
    + InstructionName.allCases.filter { $0 != .register }.map(Route.instruction)

  func testServesACompleteConversation() async throws {
    let harness = try ProviderHarness()
    let wallet = TestWallet(harness)
    let asked = try wallet.prepareRegistrationChallenge()
    let answer = try await withHTTP(harness) { http in
      try await http.post(Route.registrationChallenge, asked.body)
    }
    XCTAssertEqual(answer.status, .ok)
    XCTAssertEqual(answer.headers[.cacheControl], "no-store")
    let challenge = try wallet.challenge(
      in: try harness.result(
        try WireJSON.decode(InstructionAnswer.self, from: answer.bytes), to: asked.body,
        claims: asked.claims), of: asked)
    let request = try wallet.preparePin(.register, pin: "123654", challenge: challenge)
    let registered = try await withHTTP(harness) { http in
      try await http.post(
        Route.registrations, request.body, type: "Application/JSON; charset=utf-8")
    }
    XCTAssertEqual(registered.status, .ok)
    XCTAssertEqual(registered.headers[.contentType], "application/json")
    let outcome = try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: registered.bytes), to: request.body,
      claims: request.claims)
    try wallet.accept(outcome)
    let confirm = try wallet.preparePlain(
      .confirmRegistration, EmptyPayload(),
      challenge: try await wallet.challenge(for: .confirmRegistration))
    let confirmed = try await withHTTP(harness) { http in
      try await http.post(Route.instruction(.confirmRegistration), confirm.body)
    }
    XCTAssertEqual(confirmed.status, .ok)
  }

  func testConfigurationHasAnEntityTagAndIsNotSentTwice() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness) { http in
      let first = try await http.get(Route.configuration)
      XCTAssertEqual(first.status, .ok)
      XCTAssertEqual(first.headers[.contentType], "application/jwt")
      let served = try SignedMessage(parsing: String(buffer: first.body))
        .unverifiedContent(ConfigurationClaims.self)
      XCTAssertTrue(served.isSame(as: harness.directory.configuration.claims))
      let tag = try XCTUnwrap(first.headers[.eTag])
      XCTAssertTrue(tag.hasPrefix("\"") && tag.hasSuffix("\""))
      for match in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
        let second = try await http.get(Route.configuration, headers: [.ifNoneMatch: match])
        XCTAssertEqual(second.status, .notModified)
        XCTAssertEqual(second.headers[.eTag], tag)
        XCTAssertEqual(second.body.readableBytes, 0)
      }
      for other in ["\"x\"", "", tag.dropLast() + "x\""] {
        let again = try await http.get(Route.configuration, headers: [.ifNoneMatch: String(other)])
        XCTAssertEqual(again.status, .ok)
      }
    }
  }

  func testUnknownPathsMethodsTypesAndSizesAreProblems() async throws {
    let posts = posts
    try await withHTTP(try ProviderHarness()) { http in
      for path in ["/", "/v1", "/v2/instructions/none", "/v2/instructions/register", "//", "/%2e"] {
        let response = try await http.get(path)
        XCTAssertEqual(response.problemKind(), .notFound, path)
      }
      for path in posts {
        let response = try await http.get(path)
        XCTAssertEqual(response.problemKind(), .methodNotAllowed)
        XCTAssertEqual(response.headers[.allow], "POST")
      }
      for path in [Route.configuration, Route.updatePolicy, Route.live, Route.ready] {
        let response = try await http.post(path, [])
        XCTAssertEqual(response.problemKind(), .methodNotAllowed)
        XCTAssertEqual(response.headers[.allow], "GET, HEAD")
      }
      for path in posts {
        for type in [nil, "text/plain", "application/jsonx", ""] {
          let response = try await http.post(path, Array("{}".utf8), type: type)
          XCTAssertEqual(response.problemKind(), .unsupportedMediaType)
        }
        let large = try await http.post(path, [UInt8](repeating: 32, count: 256 * 1024 + 1))
        XCTAssertEqual(large.problemKind(), .bodyTooLarge)
        let largest = try await http.post(path, [UInt8](repeating: 32, count: 256 * 1024))
        XCTAssertEqual(largest.problemKind(), .malformedRequest)
      }
    }
  }

  func testReportsHealthAndAnswersAFailingStoreWithUnavailable() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness) { http in
      for path in [Route.live, Route.ready] {
        let response = try await http.get(path)
        XCTAssertEqual(response.status, .ok)
      }
    }
    let wallet = try await TestWallet.confirmed(harness)
    let request = try wallet.preparePin(
      .checkPin, pin: "1", challenge: try await wallet.challenge(for: .checkPin))
    let registration = try TestWallet(harness).prepareRegistrationChallenge()
    try await withHTTP(harness, store: FailingStore()) { http in
      let live = try await http.get(Route.live)
      XCTAssertEqual(live.status, .ok)
      let failing = [
        try await http.get(Route.ready),
        try await http.post(Route.registrationChallenge, registration.body),
        try await http.post(Route.instruction(.checkPin), request.body),
      ]
      for response in failing {
        XCTAssertEqual(response.problemKind(), .unavailable)
        XCTAssertEqual(response.headers[.retryAfter], "1")
      }
    }
  }

  func testEveryProblemHasItsPublishedType() throws {
    let types = [
      "malformed-request": 400, "instruction-refused": 400, "signature-invalid": 401,
      "challenge-refused": 403, "challenge-used": 409, "not-found": 404, "request-timeout": 408,
      "too-many-requests": 429, "headers-too-large": 431,
      "method-not-allowed": 405, "not-acceptable": 406, "body-too-large": 413,
      "unsupported-media-type": 415,
      "not-implemented": 501, "unavailable": 503,
    ]
    XCTAssertEqual(ProblemKind.allCases.count, types.count)
    for kind in ProblemKind.allCases {
      let problem = ProblemError(kind).problem
      XCTAssertEqual(problem.type, "urn:wallet-provider:problem:" + kind.rawValue)
      XCTAssertEqual(types[kind.rawValue], problem.status)
      XCTAssertFalse(problem.title.isEmpty)
    }
  }
}

/// A store that always fails, as without its disk.
private struct FailingStore: ProviderStore {
  let clock: any ProviderClock = SystemWallClock()

  func transaction<Result: Sendable>(
    _: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    throw StoreFailure("gone")
  }

  func ping() async throws { throw StoreFailure("gone") }
}
