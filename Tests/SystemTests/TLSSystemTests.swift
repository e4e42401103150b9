import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The core only connects to providers with a certificate of the pinned authority.
final class TLSSystemTests: XCTestCase {
  private var certificates: Certificates!
  private var provider: TestProvider!

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    certificates = try Certificates()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider?.stop()
  }

  private func host(
    certificateFor name: String, authority: String
  ) throws -> TestHost {
    let certificate = try certificates.issue(for: name)
    provider = try TestProvider(settings: [
      "tls-certificate": certificate.path, "tls-key": certificates.serverKey.path,
    ])
    XCTAssertTrue(provider.url.hasPrefix("https://127.0.0.1:"), provider.url)
    let host = try TestHost(
      configuration: provider.clientConfiguration(authority: certificates.file(authority).path))
    try host.start()
    return host
  }

  func testTheWholeAccountOverTLSWithThePinnedAuthority() throws {
    let host = try host(certificateFor: "IP:127.0.0.1", authority: "authority.pem")
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.wipe(), .done)
  }

  func testACertificateOfAnotherAuthorityIsRefused() throws {
    let host = try host(certificateFor: "IP:127.0.0.1", authority: "other.pem")
    XCTAssertEqual(
      try host.register("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 0)
  }

  func testACertificateForAnotherNameIsRefused() throws {
    let host = try host(certificateFor: "IP:127.0.0.2", authority: "authority.pem")
    XCTAssertEqual(
      try host.register("142032").status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 0)
  }
}
