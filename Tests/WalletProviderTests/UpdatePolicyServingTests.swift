import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import WalletProtocol
import WalletProvider
import WalletSignatures
import XCTest

/// How clients get a policy, and how the provider picks up a changed file.
final class UpdatePolicyServingTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-policy-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func write(_ json: String) throws {
    try json.write(toFile: path, atomically: false, encoding: .utf8)
  }

  func testSignsTheAnswerWithTheTimeOfTheProvidersClock() async throws {
    let harness = try ProviderHarness()
    let policy = try UpdatePolicy(
      json: Array(#"{"rules":[{"grade":"block","below_version":"2.0.0"}]}"#.utf8))
    try await withHTTP(harness, updatePolicy: policy) { http in
      for _ in 1...2 {
        let answer = try await http.get(Route.updatePolicy)
        XCTAssertEqual(answer.status, .ok)
        XCTAssertEqual(answer.headers[.contentType], "application/jwt")
        XCTAssertEqual(answer.headers[.cacheControl], "no-store")
        XCTAssertNil(answer.headers[.eTag])
        let claims = try verified(String(buffer: answer.body), harness)
        let hash = try await configurationHash(http)
        XCTAssertEqual(
          claims,
          UpdatePolicyClaims(
            providerID: harness.configuration.providerID, issuedAt: harness.clock.now / 1000,
            rules: [UpdateRule(belowVersion: "2.0.0", grade: .block)],
            validUntil: harness.clock.now / 1000 + 7 * 86_400, configurationVersion: 1,
            configurationHash: hash))
        harness.clock.advance(86_400_000)
      }
    }
  }

  func testReportsAClockThatWentBackUnchanged() async throws {
    let harness = try ProviderHarness()
    for step in [Int64(0), 999, 1, -5_000] {
      harness.clock.advance(step)
      let claims = try verified(try await harness.provider.updatePolicy(), harness)
      XCTAssertEqual(claims.issuedAt, harness.clock.now / 1000)
      XCTAssertEqual(claims.rules, [])
    }
  }

  func testChangedFileAppliesFromTheNextAnswerEvenWithinASecond() async throws {
    let harness = try ProviderHarness()
    let file = try UpdatePolicyFile(path: path)
    let provider = Provider(
      identity: harness.directory.identity, store: harness.store, evaluator: harness.evaluator,
      settings: harness.settings,
      updatePolicy: file)
    // The same length each time, so that the file's size and times may not differ.
    for below in ["1.0.0", "2.0.0", "3.0.0", "4.0.0"] {
      try write(#"{"rules":[{"grade":"block","below_version":"\#(below)"}]}"#)
      let claims = try verified(try await provider.updatePolicy(), harness)
      XCTAssertEqual(claims.rules, [UpdateRule(belowVersion: below, grade: .block)])
    }
    try FileManager.default.removeItem(atPath: path)
    let claims = try verified(try await provider.updatePolicy(), harness)
    XCTAssertEqual(claims.rules, [])
  }

  func testInvalidFileKeepsTheLastRulesAndIsReportedOnce() async throws {
    let reports = Reports()
    try write(#"{"rules":[{"grade":"recommend"}]}"#)
    let path = path
    let file = try UpdatePolicyFile(path: path) { reports.add($0) }
    let good = await file.updatePolicy
    XCTAssertEqual(good.rules, [UpdateRule(grade: .recommend)])
    XCTAssertEqual(reports.all, [])

    try write(#"{"rules":[{"grade":"#)
    for _ in 1...3 {
      let kept = await file.updatePolicy
      XCTAssertEqual(kept, good)
    }
    let refused = UpdatePolicyFile.Change.refused(
      reason: "\(path) is not an update policy: it is not JSON")
    XCTAssertEqual(reports.all, [refused])
    await file.reload()
    XCTAssertEqual(reports.all, [refused, refused])

    try write(#"{"rules":[{"grade":"block"},{"grade":"recommend"}]}"#)
    let mended = await file.updatePolicy
    XCTAssertEqual(mended.rules.count, 2)
    await file.reload()
    XCTAssertEqual(reports.all, [refused, refused, .taken(rules: 2), .taken(rules: 2)])
  }

  func testRefusesADirectoryAndAnInvalidFileAtStart() async throws {
    XCTAssertNil(try UpdatePolicy(file: path))
    try write(#"{"rules":[{"grade":"stop"}]}"#)
    XCTAssertThrowsError(try UpdatePolicyFile(path: path)) {
      XCTAssertTrue("\($0)".hasPrefix("\(self.path) is not an update policy: rule 1"), "\($0)")
    }
    try FileManager.default.removeItem(atPath: path)
    let file = try UpdatePolicyFile(path: path)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false)
    let kept = await file.updatePolicy
    XCTAssertEqual(kept, .none)
    XCTAssertThrowsError(try UpdatePolicyFile(path: path))
  }
}

/// The verified content; the key must be the one that servers use.
private func verified(_ compact: String, _ harness: ProviderHarness) throws -> UpdatePolicyClaims {
  let message = try SignedMessage(parsing: compact)
  let client = try harness.directory.clientConfiguration(url: "https://provider.example")
  let online = try XCTUnwrap(client.configurationSigningKeys.first)
  XCTAssertEqual(message.keyID, online.id)
  let verifier = try XCTUnwrap(PublicKeyVerifier(ed25519: Base64URL.decode(online.key) ?? []))
  XCTAssertThrowsError(
    try message.content(UpdatePolicyClaims.self, type: .configuration, verifier: verifier))
  return try message.content(UpdatePolicyClaims.self, type: .updatePolicy, verifier: verifier)
}

/// The hash of the served configuration.
private func configurationHash(_ http: HTTPClient) async throws -> String {
  let tag = try await http.get(Route.configuration).headers[.eTag]
  return try XCTUnwrap(tag).replacing("\"", with: "")
}

private final class Reports: Sendable {
  private let changes = Mutex<[UpdatePolicyFile.Change]>([])

  var all: [UpdatePolicyFile.Change] { changes.withLock { $0 } }

  func add(_ change: UpdatePolicyFile.Change) { changes.withLock { $0.append(change) } }
}
