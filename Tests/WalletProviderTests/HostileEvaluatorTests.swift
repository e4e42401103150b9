import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import WalletEvaluator
import WalletEvaluatorClient
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// An evaluator that answers anything never traps the provider, and nothing of it is counted.
final class HostileEvaluatorTests: RemoteEvaluatorTestCase {
  /// Answers each request as the test says.
  private struct Responder: HTTPResponder {
    let answer: @Sendable (String, [UInt8]) async throws -> Response

    func respond(to request: Request, context _: ProviderContext) async throws -> Response {
      var request = request
      let body = try await request.collectBody(upTo: 1 << 20)
      return try await answer(request.uri.path, Array(body.readableBytesView))
    }
  }

  private final class Server: Sendable {
    let url: String
    private let task: Task<Void, any Error>

    init(
      _ files: Files, _ answer: @escaping @Sendable (String, [UInt8]) async throws -> Response
    ) async throws {
      let (ports, port) = AsyncStream.makeStream(of: Int.self)
      let service = ProviderServer.service(
        responder: Responder(answer: answer), address: .host("127.0.0.1", port: 0),
        tls: try ServerTLS(files.server, clientAuthority: files.certificates.authority),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      ) { port.yield($0) }
      task = Task { try await service.run() }
      var found = ports.makeAsyncIterator()
      url = "https://127.0.0.1:\(await found.next() ?? 0)"
    }

    deinit { task.cancel() }
  }

  /// What the test changes while the server runs.
  private final class Held<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    init(_ value: Value) { held = Mutex(value) }

    func change(_ body: (inout Value) -> Void) { held.withLock { body(&$0) } }

    var value: Value {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  private static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }

  private static func json(_ value: some Encodable) throws -> Response {
    json(String(decoding: try WireJSON.encode(value), as: UTF8.self))
  }

  func testNoAnswerToAnAttemptTrapsTheProviderOrIsCounted() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let wallet = try await TestWallet.confirmed(harness)
    let current = Held<@Sendable (EvaluatorAnswer) throws -> Response> { try Self.json($0) }
    let evaluator = harness.evaluator
    let server = try await Server(files) { path, body in
      guard path == Route.evaluator else {
        return try Self.json(
          EvaluatorDescription(id: evaluator.id, grantKeys: evaluator.grantKeys))
      }
      let request = try WireJSON.decode(EvaluatorRequest.self, from: body)
      let answer = try await evaluator.answer(request)
      return try current.value(answer)
    }
    let remote = try await RemoteEvaluator(
      connection(server.url, files, deadline: .seconds(Int(Patience.seconds))))
    try harness.restart(with: remote)

    let good = #"{"done":{}}"#
    let long = String(repeating: "x", count: 1 << 20)
    let most = UInt64(Int64.max)
    let hostile: [@Sendable (EvaluatorAnswer) throws -> Response] = [
      { _ in Self.json("") }, { _ in Self.json("\u{0}\u{1}garbage") }, { _ in Self.json("{}") },
      { _ in Self.json("[]") }, { _ in Self.json("null") }, { _ in Self.json(good) },
      { _ in Self.json(#"{"refused":{}}"#) }, { _ in Self.json(#"{"unknown_key":{}}"#) },
      { _ in Self.json(#"{"done":{},"refused":{}}"#) },
      { _ in Self.json(#"{"evaluated":{"standing":{"attempts":-1}}}"#) },
      { _ in Self.json(#"{"evaluated":"# + long) }, { _ in Self.json(good, status: .notFound) },
      { _ in Self.json(good, status: .internalServerError) },
      { _ in Self.json(String(repeating: "[", count: 30_000)) },
      { _ in
        Response(status: .temporaryRedirect, headers: [.location: "https://127.0.0.1:9/"])
      },
      { _ in
        try Self.json(
          EvaluatorAnswer.proven(
            standing: AttemptStanding(
              attempts: 0, blockedMilliseconds: nil, isBlockedPermanently: false), next: nil))
      },
      { try Self.json(Self.changed($0) { half, _ in half.element.removeLast() }) },
      { try Self.json(Self.changed($0) { half, _ in half.element = "" }) },
      { try Self.json(Self.changed($0) { half, _ in half.element = "!" }) },
      {
        try Self.json(
          Self.changed($0) { half, _ in
            half.element = Base64URL.encode([UInt8](repeating: 0, count: 32))
          })
      },
      {
        try Self.json(
          Self.changed($0) { half, _ in
            half.element = Base64URL.encode([UInt8](repeating: 0xff, count: 32))
          })
      },
    ]
    let before = try await harness.stored(wallet)
    for (number, answer) in hostile.enumerated() {
      current.value = answer
      let asked = try wallet.prepareChallenge(.checkPin)
      let failure = await failure { try await wallet.send(asked) }
      XCTAssertNotNil(failure, "\(number)")
      XCTAssertFalse(failure?.contains("\n") ?? true, "\(number)")
      let after = try await harness.stored(wallet)
      XCTAssertEqual(after, before, "\(number)")
      // The evaluator has counted what it answered.
      let isUnblocked = try await harness.evaluator.unblock(
        key: try XCTUnwrap(wallet.pinKeyID))
      XCTAssertTrue(isUnblocked)
    }

    // Huge counts are a strict evaluator's, and block.
    current.value = { answer in
      try Self.json(
        Self.changed(answer) { _, standing in
          standing.attempts = most
          standing.blockedMilliseconds = most
        })
    }
    let outcome = try await wallet.send(wallet.prepareChallenge(.checkPin))
    guard case .challenge = outcome else { return XCTFail("\(outcome)") }
    let shown = try await WalletAdministration(store: harness.store).wallet(wallet.id)
    XCTAssertEqual(shown?.wallet.state, .blocked)
    _ = await failure { try await wallet.check("123654") }
  }

  private static func changed(
    _ answer: EvaluatorAnswer, _ change: (inout HalfEvaluation, inout AttemptStanding) -> Void
  ) -> EvaluatorAnswer {
    guard case .evaluated(var half, var standing) = answer else { return answer }
    change(&half, &standing)
    return .evaluated(evaluation: half, standing: standing)
  }

  func testNoDescriptionOfUseFailsTheStart() async throws {
    let files = try Files()
    let current = Held("")
    let server = try await Server(files) { _, _ in Self.json(current.value) }
    let id = "AAAAAAAAAAAAAAAAAAAAAA"
    let key = #"{"id":"k","key":"\#(String(repeating: "A", count: 43))"}"#
    func description(_ id: String, _ keys: String, version: Int = wireVersion) -> String {
      #"{"version":\#(version),"id":"\#(id)","grant_keys":[\#(keys)]}"#
    }
    current.value = description(id, key)
    let evaluator = try await RemoteEvaluator(connection(server.url, files))
    XCTAssertEqual(evaluator.id, id)
    for bad in [
      "", "{}", "x", description("", key), description("short", key), description(id, ""),
      description(id, #"{"id":"k","key":"AA"}"#), description(id, #"{"id":"","key":"AA"}"#),
      description(id, Array(repeating: key, count: 17).joined(separator: ",")),
      description(id, key, version: 1), description(id, key, version: 3),
      String(repeating: " ", count: 65_537) + description(id, key),
    ] {
      current.value = bad
      let failure = await failure { try await RemoteEvaluator(connection(server.url, files)) }
      XCTAssertTrue(
        failure?.hasPrefix("the evaluator at \(server.url)") == true, failure ?? bad)
    }
  }

  func testNoMoreRequestsThanAreAllowedWaitForAnEvaluatorThatHangs() async throws {
    let files = try Files()
    let (isHeld, arrived) = (Held(true), Held(0))
    let server = try await Server(files) { _, _ in
      arrived.change { $0 += 1 }
      while isHeld.value { try await Task.sleep(for: .milliseconds(10)) }
      return try Self.json(EvaluatorAnswer.done)
    }
    let connection = try connection(
      server.url, files, deadline: .seconds(Int(Patience.seconds)), mostWaiting: 5)
    let (ends, end) = AsyncStream.makeStream(of: String?.self)
    let begins = EvaluatorRequest.evaluate(
      request: InstructionEnvelope(signature: "s", payload: "p"))
    for _ in 0..<8 {
      Task {
        do {
          _ = try await connection.answer(begins)
          end.yield(nil)
        } catch { end.yield("\(error)") }
      }
    }
    var ended = ends.makeAsyncIterator()
    for _ in 0..<3 {
      let refused = await ended.next() ?? nil
      XCTAssertTrue(refused?.hasSuffix("5 requests wait for it already") == true, refused ?? "")
    }
    // What completes an attempt is sent all the same.
    Task {
      do {
        _ = try await connection.answer(.prove(key: "k", message: "m"))
        end.yield(nil)
      } catch { end.yield("\(error)") }
    }
    while arrived.value < 6 { try await Task.sleep(for: .milliseconds(10)) }
    isHeld.value = false
    for _ in 0..<6 {
      let answered = await ended.next() ?? nil
      XCTAssertNil(answered)
    }
    let next = await failure { try await connection.answer(begins) }
    XCTAssertNil(next)
  }

  func testAnEvaluatorThatNeverAnswersCostsTheDeadlineOnly() async throws {
    let files = try Files()
    let server = try await Server(files) { _, _ in
      try await Task.sleep(for: .seconds(3600))
      return Self.json("{}")
    }
    let failure = await failure {
      try await RemoteEvaluator(
        connection(server.url, files, deadline: .milliseconds(200)))
    }
    XCTAssertTrue(failure?.hasSuffix("no answer in time") == true, failure ?? "answered")
  }
}
