import WalletUseCases
import XCTest

/// Tests what a link asks for, decided from its text alone.
final class UniversalLinkTests: XCTestCase {
  private let hosts = ["wallet.example.org"]

  private func read(_ text: String) -> UniversalLink { UniversalLink(text.utf8, hosts: hosts) }

  func testEveryPurposeHasItsPath() {
    for (path, purpose) in [
      ("issuance", UniversalLink.Purpose.issuance), ("sharing", .sharing), ("login", .login),
      ("b", .enrolment),
    ] {
      XCTAssertEqual(
        read("https://wallet.example.org/\(path)"), .valid(purpose, madeForScanning: false))
      XCTAssertEqual(
        read("https://wallet.example.org/\(path)#v=1&m=qr&n=abc"),
        .valid(purpose, madeForScanning: true))
    }
  }

  func testAPathThatOnlyStartsLikeAPurposeIsUnknown() {
    for path in ["login2", "login/", "loginX", "logi", "sharing/x", "b/", "bb", "issuance%20", ""] {
      XCTAssertEqual(read("https://wallet.example.org/\(path)"), .unknownPurpose, path)
    }
  }

  func testAnotherHostUserPortOrSchemeIsRefused() {
    for address in [
      "http://wallet.example.org/login", "https://wallet.example.org.evil.org/login",
      "https://evil.org/login", "https://wallet.example.org@evil.org/login",
      "https://user@wallet.example.org/login", "https://wallet.example.org:443/login",
      "https://wallet.example.org", "https:///login", "HTTPS://wallet.example.org/login",
      "https://WALLET.example.org/login", "", "login", "https://wallet.example.org\u{0}/login",
      "https://wallet.example.org/lo gin", "https://wället.example.org/login",
    ] {
      XCTAssertEqual(read(address), .invalid, address)
    }
  }

  func testANewerVersionAndAnUnknownMarkAreRefused() {
    XCTAssertEqual(read("https://wallet.example.org/login#v=2"), .unknownPurpose)
    XCTAssertEqual(read("https://wallet.example.org/login#m=nfc"), .invalid)
    XCTAssertEqual(read("https://wallet.example.org/login#m=qr&m=link"), .invalid)
  }

  func testAQueryIsAllowedForHandOffsButNotForEnrolment() {
    XCTAssertEqual(
      read("https://wallet.example.org/sharing?session=1"),
      .valid(.sharing, madeForScanning: false))
    XCTAssertEqual(read("https://wallet.example.org/b?n=1"), .invalid)
  }

  func testALinkThatIsTooLongIsRefused() {
    let long = "https://wallet.example.org/login#n=" + String(repeating: "a", count: 8192)
    XCTAssertEqual(read(long), .invalid)
  }
}
