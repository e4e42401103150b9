import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol
import XCTest

/// A hostile source of configurations can withhold new ones, and nothing else.
final class HostileConfigurationTests: MiddleTestCase {
  private let served = Served()

  override func setUpWithError() throws {
    try super.setUpWithError()
    let served = served
    middle.answer { $0.path == Route.configuration ? served.answer(to: $0) : nil }
  }

  /// The published configuration with that version and a valid signature.
  private func signed(version: UInt64) throws -> String {
    let client = try WireJSON.decode(
      ClientConfiguration.self, from: Array(provider.clientConfiguration()))
    let message = try SignedMessage(parsing: client.configuration)
    var claims = try message.unverifiedContent(ConfigurationClaims.self)
    claims.configurationVersion = version
    let text = try String(
      contentsOf: provider.data.appendingPathComponent("keys/configuration-signing.key"),
      encoding: .utf8)
    let seed = try XCTUnwrap(Base64URL.decode(text.trimmingCharacters(in: .newlines)))
    let key = try Ed25519.SigningKey(seed: Secret(copying: seed), keyID: message.keyID)
    return try SignedMessage.sign(claims, type: .configuration, signer: key)
  }

  /// Starts as after a kill, and waits until another refresh was answered.
  private func startAndRefresh() throws {
    let before = served.requests.count
    try host.restart()
    XCTAssertTrue(eventually { served.requests.count > before }, "no refresh")
  }

  /// The next version in the streams; nil if none comes in that time.
  private func nextVersion(within milliseconds: Int64) throws -> UInt64? {
    while true {
      var event: OpaquePointer?
      let status = wallet_core_client_next_event(host.client, milliseconds, &event, nil)
      if status == WALLET_CORE_ERROR_TIMEOUT { return nil }
      guard status == 0, let event else { throw TestFailure("next_event: \(status)") }
      defer { wallet_core_event_free(event) }
      guard wallet_core_event_kind(event) == WALLET_CORE_EVENT_CONFIGURATION else {
        continue
      }
      let json = Data(String(cString: wallet_core_event_json(event, nil)).utf8)
      let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
      return (object?["version"] as? UInt64) ?? 0
    }
  }

  /// Waits until the streams deliver this version.
  private func awaitVersion(_ wanted: UInt64, line: UInt = #line) throws {
    while let version = try nextVersion(within: Patience.milliseconds) {
      if version == wanted { return }
    }
    throw TestFailure("version \(wanted) is never delivered (line \(line))")
  }

  /// Whether the streams deliver this version before half a second passes without an event.
  private func tells(_ version: UInt64) throws -> Bool {
    while let told = try nextVersion(within: 500) {
      if told == version { return true }
    }
    return false
  }

  func testARefusedBodyDoesNotBlockAGoodOneWithTheSameETag() throws {
    let good = try signed(version: 7)
    let tag = Base64URL.encode(Hash.sha256(Array(good.utf8)))
    for bad in [String(good.dropLast(8)) + "AAAAAAAA", "", "{}", try signed(version: 0)] {
      served.serve(bad, etag: "\"\(tag)\"")
      try startAndRefresh()
      XCTAssertFalse(try tells(7))
    }
    served.serve(good, etag: "\"\(tag)\"")
    try startAndRefresh()
    try awaitVersion(7)
    XCTAssertFalse(
      served.requests.contains { $0.contains("f-none-match: \"\(tag)\"") },
      "the ETag of a refused body is not sent again")
    // The good body is accepted and delivered, even after another start.
    try startAndRefresh()
    try awaitVersion(7)
    XCTAssertTrue(
      served.requests.last?.contains("f-none-match: \"\(tag)\"") ?? false)
  }

  func testALowerVersionAndAnotherOneOfTheSameNumberAreIgnored() throws {
    served.serve(try signed(version: 9), etag: "\"nine\"")
    try startAndRefresh()
    try awaitVersion(9)
    for version in [8, 2, 1] as [UInt64] {
      served.serve(try signed(version: version), etag: "\"lower\"")
      try startAndRefresh()
      try awaitVersion(9)
      XCTAssertFalse(try tells(version))
      XCTAssertFalse(served.requests.contains { $0.lowercased().contains("\"lower\"") })
    }
    served.serve(try signed(version: 10), etag: "\"ten\"")
    try startAndRefresh()
    try awaitVersion(10)
  }

  func testAChangeWhileAStreamIsSetIsNeverLost() throws {
    for round in 0..<10 as Range<UInt64> {
      let version = 20 + round
      served.serve(try signed(version: version), etag: "\"\(version)\"")
      try host.restart()
      usleep(.random(in: 0...20_000))
      let seen = Seen()
      XCTAssertEqual(
        wallet_core_set_configuration_stream(
          host.client, Seen.onEvent, seen.context, nil, nil, nil), WALLET_CORE_OK)
      XCTAssertTrue(eventually { seen.versions.last == version }, "\(version): \(seen.versions)")
      XCTAssertEqual(seen.versions, seen.versions.sorted(), "never an older one after a newer one")
    }
  }

  func testTheRefreshIsStartedOnceHoweverOftenThePlatformIsHandedOver() throws {
    served.serve(try signed(version: 3), etag: "\"three\"")
    try host.start()
    for _ in 0..<10 { XCTAssertEqual(host.keys.connect(), 0) }
    try awaitVersion(3)
    usleep(500_000)
    XCTAssertEqual(served.requests.count, 1)
    // An hour later the provider is asked again, so the refresh was started and goes on.
    wallet_core_testing_advance_clock(61 * 60 * 1000)
    XCTAssertEqual(host.keys.connect(), 0)
    XCTAssertTrue(eventually { served.requests.count == 2 }, "\(served.requests.count)")
  }
}

/// The configuration that is served, and the heads of the requests for it.
private final class Served: @unchecked Sendable {
  // Sendable: touched only with `lock` held.
  private let lock = NSLock()
  private var body = ""
  private var etag = ""
  private var heads: [String] = []

  var requests: [String] { lock.withLock { heads } }

  func serve(_ body: String, etag: String) {
    lock.withLock { (self.body, self.etag) = (body, etag) }
  }

  func answer(to exchange: ManInTheMiddle.Exchange) -> [UInt8] {
    lock.withLock {
      heads.append(String(decoding: exchange.request, as: UTF8.self))
      return Array(
        ("HTTP/1.1 200 X\r\nContent-Type: application/jwt\r\nETag: \(etag)\r\n"
          + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)").utf8)
    }
  }
}

/// The versions that a configuration stream delivered. Never freed.
private final class Seen: @unchecked Sendable {
  // Sendable: touched only with `lock` held.
  private let lock = NSLock()
  private var told: [UInt64] = []

  var versions: [UInt64] { lock.withLock { told } }
  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static let onEvent: @Sendable @convention(c) (UnsafeMutableRawPointer?, OpaquePointer) -> Void = {
    context, event in
    let json = Data(String(cString: wallet_core_event_json(event, nil)).utf8)
    wallet_core_event_free(event)
    let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
    guard let context, let version = object?["version"] as? UInt64 else { return }
    let seen = Unmanaged<Seen>.fromOpaque(context).takeUnretainedValue()
    seen.lock.withLock { seen.told.append(version) }
  }
}
