import WalletModel
import WalletTransport
import XCTest

/// The URLs of hosts that are not the provider.
final class ForeignURLTests: XCTestCase {
  private func accepts(_ text: String, loopback: Bool = false) -> Bool {
    do throws(WalletError) {
      let url = try ForeignURL(text, allowLoopback: loopback)
      XCTAssertEqual(url.text, text, "it was changed")
      return true
    } catch {
      XCTAssertEqual(error.kind, .serverRefused)
      XCTAssertFalse(error.message.contains("example"), "the message names the host")
      return false
    }
  }

  func testURLsOfPublicHosts() {
    for text in [
      "https://verifier.example", "https://verifier.example/", "https://verifier.example:8443/a/b",
      "https://verifier.example?a=b", "https://verifier.example/a?b=c&d=%2F%3f:@/?",
      "https://VERIFIER.example/A", "https://xn--bcher-kva.example/a", "https://8.8.8.8/",
      "https://[2606:4700::1111]:443/", "https://a.b.c.example/a/../b//c",
      "https://v.example/~a;b=(c)",
      "https://localhost.example/", "https://local.example/",
    ] { XCTAssertTrue(accepts(text), text) }
  }

  func testURLsThatAreNoneOfAPublicHost() {
    for text in [
      "", "https://", "http://verifier.example/", "HTTPS://verifier.example/", "ftp://a.example/",
      "javascript:alert(1)", "file:///etc/passwd", "https:/verifier.example", "//verifier.example",
      "https://user@verifier.example/", "https://user:word@verifier.example/",
      "https://verifier.example/#a", "https://verifier.example#a", "https://verifier.example/a b",
      "https://verifier.example/ä", "https://verifier.example/%", "https://verifier.example/%2",
      "https://verifier.example/%zz", "https://verifier.example/a\r\nX: b",
      "https://verifier.example\\a",
      "https://verifier.example:0/", "https://verifier.example:65536/",
      "https://verifier.example:/",
      "https://verifier..example/", "https://-a.example/", "https://verifier.example./",
      "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/",
      "https://[::1/", "https://[fe80::1%25lo]/",
    ] { XCTAssertFalse(accepts(text, loopback: true), text) }
  }

  func testURLsOfPrivateNetworks() {
    for text in [
      "https://router/", "https://printer.local/", "https://db.internal/", "https://a.home.arpa/",
      "https://10.0.0.1/", "https://192.168.1.1/", "https://169.254.169.254/latest/meta-data/",
      "https://[fe80::1]/", "https://[fd00::1]/", "https://[::ffff:10.0.0.1]/", "https://0.0.0.0/",
    ] { for loopback in [false, true] { XCTAssertFalse(accepts(text, loopback: loopback), text) } }
  }

  func testURLsOfThisDeviceAreForDevelopment() {
    for text in [
      "https://127.0.0.1/", "https://[::1]:8443/a", "https://localhost/", "https://LOCALHOST/",
      "https://verifier.localhost:8443/", "http://127.0.0.1:8080/", "http://[::1]/",
    ] {
      XCTAssertFalse(accepts(text), text)
      XCTAssertTrue(accepts(text, loopback: true), text)
    }
    // Where a name leads is decided by a resolver.
    XCTAssertFalse(accepts("http://localhost/", loopback: true))
    XCTAssertFalse(accepts("http://verifier.localhost/", loopback: true))
  }

  func testAURLHasALimit() {
    let start = "https://verifier.example/"
    let path = String(repeating: "a", count: ForeignURL.maximumLength - start.utf8.count)
    XCTAssertTrue(accepts(start + path))
    XCTAssertFalse(accepts(start + path + "a"))
  }
}
