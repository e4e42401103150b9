import WalletPresentation
import XCTest

/// Links and codes by which relying parties call a wallet.
final class PresentationLinkTests: XCTestCase {
  private let request = "client_id=x509_hash%3Aabc&request_uri=https%3A%2F%2Fv.example%2Fr%3Fa%3Db"

  func testALinkSaysWhoAsksAndWhereTheRequestIs() throws {
    for start in [
      "openid4vp://?", "haip-vp://?", "openid4vp://authorize?", "https://w.example/sharing?",
    ] {
      let link = try PresentationLink(parsing: start + request)
      XCTAssertEqual(link.clientID, "x509_hash:abc")
      XCTAssertEqual(link.requestURI, "https://v.example/r?a=b")
      XCTAssertFalse(link.usesPOST)
    }
    for (method, usesPOST) in [("get", false), ("post", true)] {
      let link = try PresentationLink(
        parsing: "openid4vp://?\(request)&request_uri_method=\(method)&later=1&state=x#fragment")
      XCTAssertEqual(link.usesPOST, usesPOST)
    }
    let plain = try PresentationLink(
      parsing: "haip-vp://?request_uri=https://v.example/r&client_id=x509_san_dns:v.example")
    XCTAssertEqual(plain.clientID, "x509_san_dns:v.example")
  }

  func testOtherLinksAreRefused() {
    for text in [
      "", "openid4vp://", "openid4vp://?", "openid4vp://?client_id=a",
      "openid4vp://?request_uri=https://v.example/r", "openid4vp://?client_id=&\(request)",
      "openid4vp://?\(request)&request=eyJ", "openid4vp://?\(request)&client_id=other",
      "openid4vp://?\(request)&client%5Fid=other",
      "openid4vp://?client_id=a&request_uri=http://v.example/r",
      "openid4vp://?client_id=a&request_uri=javascript:alert(1)",
      "openid4vp://?client_id=a&request_uri=https://",
      "openid4vp://?client_id=a&request_uri=https:///r",
      "openid4vp://?client_id=a&request_uri=https://user@v.example/r",
      "openid4vp://?client_id=a&request_uri=https://v.example/r%23fragment",
      "openid4vp://?client_id=%zz&request_uri=https://v.example/r",
      "openid4vp://?client_id=%4&request_uri=https://v.example/r",
      "openid4vp://?client_id=a%00b&request_uri=https://v.example/r",
      "openid4vp://?client_id=%ff&request_uri=https://v.example/r",
      "openid4vp://#\(request)",
    ] { assertRefused(text, .linkMalformed) }
    for method in ["GET", "POST", "Post", "put", ""] {
      assertRefused("openid4vp://?\(request)&request_uri_method=\(method)", .methodUnknown)
    }
    let long = String(repeating: "a", count: PresentationLink.maximumLength)
    assertRefused("openid4vp://?\(request)&later=\(long)", .linkMalformed)
  }

  private func assertRefused(
    _ text: String, _ reason: RequestRefusal.Reason, line: UInt = #line
  ) {
    XCTAssertThrowsError(try PresentationLink(parsing: text), text, line: line) {
      let refusal = $0 as? RequestRefusal
      XCTAssertEqual(refusal?.reason, reason, text, line: line)
      XCTAssertNil(refusal?.reply, text, line: line)
    }
  }
}
