import WalletCrypto
import WalletModel
import WalletProofing
import XCTest

/// The form of codes that names no host (reference, sections 1 and 5.1): read only where the caller
/// says for which host.
final class FormerEnrolmentCodeTests: XCTestCase {
  private let hosts = ["id.example.org", "former.example.org"]
  private let good = #"1{"nonce":"0e5d2c7a-11f0","token":"8f1b44d0"}"#

  private func read(
    _ text: String, _ symbology: Symbology = .qrCode, formerHost: String = "former.example.org"
  ) -> Result<EnrolmentCode, ProofingError> {
    Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(ProofingError) in
        try EnrolmentCode(
          scanned: bytes, symbology: symbology, hosts: hosts, formerHost: formerHost)
      }
    }
  }

  private func refusal(_ result: Result<EnrolmentCode, ProofingError>) -> ProofingError? {
    if case .failure(let error) = result { error } else { nil }
  }

  func testNonceAndTokenAreReadForTheHostThatIsNamed() throws {
    let code = try read(good).get()
    XCTAssertEqual(code.host, "former.example.org")
    XCTAssertEqual(code.secret.disclosed(), Array("0e5d2c7a-11f0".utf8))
    XCTAssertEqual(code.token?.disclosed(), Array("8f1b44d0".utf8))
    XCTAssertNil(code.expiresAtHint)
    XCTAssertNoThrow(try read(#"1{ "token" : "t", "nonce" : "n" }"#).get())
  }

  func testItIsNotOursUnlessTheCallerSaysSo() {
    XCTAssertEqual(refusal(read(good, formerHost: "other.example.org")), .codeNotOurs)
    XCTAssertEqual(refusal(read(good, formerHost: "")), .codeNotOurs)
    XCTAssertEqual(refusal(read(good, .pdf417)), .codeNotOurs)
    let plain = Array(good.utf8).withUnsafeBytes { bytes in
      Result { () throws(ProofingError) in
        try EnrolmentCode(scanned: bytes, symbology: .qrCode, hosts: hosts)
      }
    }
    XCTAssertEqual(refusal(plain), .codeNotOurs)
    XCTAssertThrowsError(try EnrolmentCode(link: good, hosts: hosts))
  }

  func testTheCurrentFormIsReadBesideIt() throws {
    let secret = String(repeating: "AbC-_9", count: 7) + "A"
    let code = try read("https://id.example.org/b#v=1&n=\(secret)").get()
    XCTAssertEqual(code.host, "id.example.org")
    XCTAssertNil(code.token)
  }

  func testWhatIsNotTheFormIsRefusedAsTheTableSays() {
    let long = String(repeating: "n", count: 129)
    for (text, error) in [
      ("", ProofingError.codeNotOurs), ("1", .codeNotOurs), ("1foobar", .codeNotOurs),
      ("nonce token", .codeNotOurs), ("{\"nonce\":\"n\",\"token\":\"t\"}", .codeNotOurs),
      (#"2{"nonce":"n","token":"t"}"#, .codeVersion), (#"0{"nonce":"n"}"#, .codeVersion),
      (#"1{"token":"token"}"#, .codeMalformed), (#"1{"nonce":"nonce"}"#, .codeMalformed),
      (#"1{"nonce":"n","token":"t","more":"m"}"#, .codeMalformed),
      (#"1{"nonce":"n","nonce":"n","token":"t"}"#, .codeMalformed),
      (#"1{"nonce":"","token":"t"}"#, .codeMalformed),
      (#"1{"nonce":1,"token":"t"}"#, .codeMalformed),
      (#"1{"nonce":{"a":"b"},"token":"t"}"#, .codeMalformed),
      (#"1{"nonce":"n","token":null}"#, .codeMalformed),
      (#"1{"nonce":"n","token":"t"}x"#, .codeMalformed),
      (#"1{"nonce":"\#(long)","token":"t"}"#, .codeMalformed),
      (
        "1{\"nonce\":\"n\",\"token\":\"t\"" + String(repeating: " ", count: 512) + "}",
        .codeMalformed
      ),
      ("1{" + String(repeating: "{", count: 400), .codeMalformed),
    ] {
      XCTAssertEqual(refusal(read(text)), error, text)
    }
    let longest = String(repeating: "n", count: 128)
    XCTAssertNoThrow(try read(#"1{"nonce":"\#(longest)","token":"\#(longest)"}"#).get())
  }

  func testEveryTruncationIsRefused() {
    for length in 0..<good.utf8.count {
      XCTAssertNotNil(refusal(read(String(good.prefix(length)))))
    }
  }

  func testI3NothingOfItIsPrinted() throws {
    let code = try read(good).get()
    var dumped = ""
    dump(code, to: &dumped)
    for text in ["\(code)", String(reflecting: code), dumped] {
      XCTAssertFalse(text.contains("0e5d") || text.contains("8f1b") || text.contains("example"))
    }
  }
}
