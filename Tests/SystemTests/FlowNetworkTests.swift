import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// No internet and server unreachable are distinguished by real causes on the first launch (PF1.4),
/// when no stored policy decides whether this version may be used.
final class FlowNetworkTests: XCTestCase {
  private var provider: TestProvider!
  private var flow: FlowHost?

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
  }

  override func tearDown() {
    flow = nil
    _ = wallet_core_testing_reset_process()
    provider.stop()
  }

  /// Launches an app that reaches the provider at `url`. Returns the first step after the splash.
  private func launched(at url: String, authority: String? = nil) throws -> SeenStep {
    let host = try TestHost(
      configuration: provider.clientConfiguration(url: url, authority: authority))
    try host.start()
    let flow = FlowHost(host)
    self.flow = flow
    try flow.launch()
    return try flow.next()
  }

  private func assertCause(
    _ name: String, at url: String, line: UInt = #line
  ) throws {
    let step = try launched(at: url)
    XCTAssertEqual(step.name, name, line: line)
    XCTAssertEqual(step.row, "PF1.4 1.1", line: line)
    XCTAssertEqual(step.kind, WALLET_CORE_STEP_ERROR, line: line)
    XCTAssertEqual(step.actions, ["try-again", "close"], line: line)
  }

  func testPF1_4_1_1aTheEmbeddedPolicySettlesAFirstStartWithoutTheProvider() throws {
    let document = try provider.clientConfiguration(withUpdatePolicy: true)
    provider.kill()
    let host = try TestHost(configuration: document)
    try host.start()
    let flow = FlowHost(host)
    self.flow = flow
    try flow.launch()
    XCTAssertEqual(try flow.next().row, "UC1.1 1.1")
  }

  func testPF1_4_1_1bAnEmbeddedBlockHoldsWithoutTheProvider() throws {
    try Data(#"{"rules":[{"grade":"block","update_available":true}]}"#.utf8)
      .write(to: provider.data.appendingPathComponent("update-policy.json"))
    let document = try provider.clientConfiguration(withUpdatePolicy: true)
    provider.kill()
    let host = try TestHost(configuration: document)
    try host.start()
    let flow = FlowHost(host)
    self.flow = flow
    try flow.launch()
    XCTAssertEqual(try flow.next().row, "PF1.4 2.1")
  }

  func testPF1_4_1_1dANameThatDoesNotResolveIsNoInternet() throws {
    try assertCause("no-internet", at: "https://provider.invalid")
  }

  func testPF1_4_1_1dAnAddressWithoutARouteIsNoInternet() throws {
    // A multicast address: connecting to it fails with ENETUNREACH.
    try assertCause("no-internet", at: "https://224.0.0.1")
  }

  func testPF1_4_1_1eARefusedConnectionIsServerUnreachable() throws {
    let url = provider.url
    let document = try provider.clientConfiguration()
    provider.kill()
    let host = try TestHost(configuration: document)
    try host.start()
    let flow = FlowHost(host)
    self.flow = flow
    try flow.launch()
    XCTAssertEqual(try flow.next().name, "server-unreachable", url)
    // Once the provider is back, trying again goes on.
    try provider.start()
    flow.choose("try-again")
    try flow.expect("UC1.1 1.1")
  }

  func testPF1_4_1_1eAServerThatDoesNotAnswerIsUnreachableAfterATimeout() throws {
    let silent = try ManInTheMiddle(before: provider)
    defer { silent.stop() }
    let asked = DispatchSemaphore(value: 0)
    let goOn = DispatchSemaphore(value: 0)
    defer { for _ in 0..<8 { goOn.signal() } }
    silent.answer { _ in
      asked.signal()
      goOn.wait()
      return []
    }
    let host = try TestHost(configuration: provider.clientConfiguration(url: silent.url))
    try host.start()
    let flow = FlowHost(host)
    self.flow = flow
    asked.wait()
    flow.open()
    try flow.expect("UC1.2 2.1")
    flow.advanceClock(1000)
    let working = try flow.next { $0.row != "PF1.4 1.1" }
    XCTAssertEqual(working.kind, WALLET_CORE_STEP_PROGRESS)
    flow.advanceClock(1500)
    XCTAssertEqual(try flow.next().name, "server-unreachable")
  }

  func testPF1_4_1_1eA503IsServerUnreachableAndNotSomethingElse() throws {
    let middle = try ManInTheMiddle(before: provider)
    defer { middle.stop() }
    middle.answer { _ in
      Array("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n".utf8)
    }
    try assertCause("server-unreachable", at: middle.url)
  }

  func testPF1_4_1_1eBadTLSIsServerUnreachable() throws {
    // Plain HTTP answers where TLS is expected.
    try assertCause(
      "server-unreachable", at: provider.url.replacingOccurrences(of: "http:", with: "https:"))
  }
}
