import WalletModel
import WalletTransport
import XCTest

final class ProviderAddressTests: XCTestCase {
  private func assertRefused(
    _ url: String, allowLoopbackHTTP: Bool = true, line: UInt = #line
  ) {
    XCTAssertThrowsError(
      try ProviderAddress(url: url, allowLoopbackHTTP: allowLoopbackHTTP), url, line: line
    ) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .configurationInvalid, url, line: line)
      XCTAssertFalse(url.count > 8 && "\($0)".contains(url), "quotes the URL", line: line)
    }
  }

  func testAcceptedAddressesHaveACanonicalForm() throws {
    let accepted = [
      "https://wallet.example": "https://wallet.example",
      "https://Wallet.Example/": "https://wallet.example",
      "https://wallet.example:8443": "https://wallet.example:8443",
      "https://wallet.example/base/v2/": "https://wallet.example/base/v2",
      "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
      "https://wallet": "https://wallet",
      "https://10.0.0.1:1": "https://10.0.0.1:1",
      "https://[2001:DB8::1]:65535": "https://[2001:db8::1]:65535",
    ]
    for (url, spelling) in accepted {
      let address = try ProviderAddress(url: url, allowLoopbackHTTP: false)
      XCTAssertEqual(address.url, spelling)
      XCTAssertEqual(address.scheme, .https)
      XCTAssertFalse(address.isLoopback)
      XCTAssertEqual(try ProviderAddress(url: address.url, allowLoopbackHTTP: false), address)
    }
  }

  func testHTTPIsForLiteralLoopbackOnlyAndOnlyWhereAllowed() throws {
    for host in ["127.0.0.1", "127.255.3.4", "[::1]", "127.0.0.1:8080", "[0:0:0:0:0:0:0:1]:80"] {
      let address = try ProviderAddress(url: "http://\(host)", allowLoopbackHTTP: true)
      XCTAssertTrue(address.isLoopback)
      XCTAssertEqual(address.scheme, .http)
      assertRefused("http://\(host)", allowLoopbackHTTP: false)
      let secure = try ProviderAddress(url: "https://\(host)", allowLoopbackHTTP: false)
      XCTAssertTrue(secure.isLoopback)
    }
    let others = [
      "localhost", "localhost:8080", "wallet.example", "127.0.0.1.example", "126.0.0.1", "0.0.0.0",
      "10.0.0.1", "192.168.1.1", "[::]", "[::2]", "[::ffff:127.0.0.1]", "[fe80::1]",
    ]
    for host in others { assertRefused("http://\(host)") }
  }

  func testAddressesThatAResolverMightReadDifferentlyAreRefused() {
    let hosts = [
      "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.1.", "127.0.0.256",
      "127.0.0", "127.0.0.1.1", "1.2.3.4.5", "wallet.0x7f", "[::1%lo]", "[::1", "::1", "[1.2.3.4]",
      "[]", "[::1]x",
    ]
    for host in hosts {
      assertRefused("http://\(host)")
      assertRefused("https://\(host)")
    }
  }

  func testEverythingElseIsRefused() {
    let urls = [
      "", "https", "https:", "https:/", "https://", "https:///a", "http://", "ftp://wallet.example",
      "HTTPS://wallet.example", "wallet.example", "//wallet.example", "file:///etc/passwd",
      " https://wallet.example", "https://wallet.example ", "https://wallet.example\n",
      "https://wallet\0.example", "https://wallet.exämple", "https://user@wallet.example",
      "https://user:word@wallet.example", "https://wallet.example?a", "https://wallet.example/?a",
      "https://wallet.example#a", "https://wallet.example\\@evil", "https://wallet%2eexample",
      "https://wallet.example:", "https://wallet.example:0", "https://wallet.example:65536",
      "https://wallet.example:-1", "https://wallet.example:+1", "https://wallet.example:080",
      "https://wallet.example:8o", "https://wallet.example:1:2", "https://wallet..example",
      "https://.example", "https://-a.example", "https://a-.example", "https://a_b.example",
      "https://wallet.example//a", "https://wallet.example/a//", "https://wallet.example/../a",
      "https://wallet.example/./a", "https://wallet.example/a;b",
      "https://" + String(repeating: "a", count: 64) + ".example",
      "https://wallet.example/" + String(repeating: "a", count: 2048),
    ]
    for url in urls { assertRefused(url) }
  }

  func testPathsStayBelowTheAddress() throws {
    let address = try ProviderAddress(url: "https://wallet.example/base", allowLoopbackHTTP: false)
    XCTAssertEqual(
      address.url(for: "/v2/instructions/check_pin"),
      "https://wallet.example/base/v2/instructions/check_pin")
    for path in ["", "v1", "/", "//evil", "/..", "/a/../b", "/a?b", "/a#b", "/a b", "/a@b", "/a:b"]
    {
      XCTAssertNil(address.url(for: path), path)
    }
  }
}
