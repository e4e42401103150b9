import TestSupport
import WalletCrypto
import WalletModel
import WalletProofing
import WalletUseCases
import XCTest

/// The code that binds a proofing to an account.
final class EnrolmentCodeTests: XCTestCase {
  private let hosts = ["id.example.org", "proofing.example.com"]
  private let start = "https://id.example.org/b#"
  private let secret = String(repeating: "AbC-_9", count: 7) + "A"

  private func read(_ text: String) -> Result<EnrolmentCode, ProofingError> {
    let scanned = Result { () throws(ProofingError) in try read(Array(text.utf8)) }
    let link = Result { () throws(ProofingError) in try read(link: text, hosts: hosts) }
    XCTAssertEqual(refusal(scanned), refusal(link), "bytes and link differ: \(text)")
    return scanned
  }

  private func read(link: String, hosts: [String]) throws(ProofingError) -> EnrolmentCode {
    let result = Array(link.utf8).withUnsafeBytes { bytes in
      Result { () throws(ProofingError) in try EnrolmentCode(link: bytes, hosts: hosts) }
    }
    return try result.get()
  }

  private func read(
    _ bytes: [UInt8], _ symbology: Symbology = .qrCode
  ) throws(ProofingError) -> EnrolmentCode {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ProofingError) in
        try EnrolmentCode(scanned: bytes, symbology: symbology, hosts: hosts)
      }
    }
    return try result.get()
  }

  private func refusal(_ result: Result<EnrolmentCode, ProofingError>) -> ProofingError? {
    if case .failure(let error) = result { error } else { nil }
  }

  private func assertRefused(
    _ text: String, _ error: ProofingError, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(refusal(read(text)), error, text, file: file, line: line)
  }

  func testACodeYieldsItsSecret() throws {
    let bytes = (0..<32).map { UInt8($0 * 7 & 0xFF) }
    let text = "https://proofing.example.com/b#v=1&n=\(base64url(bytes))&x=1789000000"
    let code = try read(text).get()
    XCTAssertEqual(code.secret.disclosed(), bytes)
  }

  func testMembersHaveAnyOrderAndExpiryAndMarkAreOptional() throws {
    XCTAssertNoThrow(try read(start + "n=\(secret)&v=1").get())
    XCTAssertNoThrow(try read(start + "x=0&m=qr&n=\(secret)&v=1").get())
    XCTAssertNoThrow(try read(start + "v=1&m=link&n=\(secret)").get())
  }

  func testForeignCodesAreRefusedAsForeign() {
    for text in [
      "", "hello", "WIFI:S:net;T:WPA;P:pass;;", "http://id.example.org/b#v=1&n=\(secret)",
      "https://evil.example.org/b#v=1&n=\(secret)", "https://id.example.org",
      "https://id.example.org.evil.org/b#v=1&n=\(secret)", "HTTPS://id.example.org/b#v=1",
      "https://id.example.org:443/b#v=1&n=\(secret)", "https://ID.example.org/b#v=1&n=\(secret)",
      "https://u@id.example.org/b#v=1&n=\(secret)", "https://id.example.org@evil.org/b#v=1",
      "https://id.example.org/", "https://id.example.org/b/#v=1&n=\(secret)",
      "https://id.example.org/bb#v=1&n=\(secret)", "https://id.example.org/login#v=1&n=\(secret)",
      "https:///b#v=1&n=\(secret)", " " + start + "v=1&n=\(secret)",
      "1{\"nonce\":\"n\",\"token\":\"t\"}",
      "https://evil.example.org/" + String(repeating: "a", count: 5000),
    ] {
      assertRefused(text, .codeNotOurs)
    }
  }

  func testWithoutAHostEveryCodeIsForeign() {
    for hosts in [[], [""]] {
      XCTAssertThrowsError(try read(link: "https:///b#v=1&n=\(secret)", hosts: hosts))
      XCTAssertThrowsError(try read(link: start + "v=1&n=\(secret)", hosts: hosts))
    }
  }

  func testAnotherSymbologyIsForeign() {
    XCTAssertThrowsError(try read(Array((start + "v=1&n=\(secret)").utf8), .pdf417)) { error in
      XCTAssertEqual(error as? ProofingError, .codeNotOurs)
    }
  }

  func testADamagedCodeIsMalformed() {
    for fragment in [
      "", "v=1", "n=\(secret)", "v=&n=\(secret)", "v=01&n=\(secret)", "v=1x&n=\(secret)",
      "v=1&v=1&n=\(secret)", "v=1&n=\(secret)&n=\(secret)", "v=1&n=\(secret)&x=1&x=1",
      "v=1&n=", "v=1&n=\(secret)&x=", "v=1&n=\(secret)&x=-1", "v=1&n=\(secret)&x=01",
      "v=1&n=\(secret)&x=1234567890123", "v=1&n=\(secret)&y=1", "v=1&n=\(secret)&",
      "&v=1&n=\(secret)",
      "v=1&&n=\(secret)", "v=1&n=\(secret)&xx=1", "v=1&n=\(secret)&m=nfc", "v=1&n=\(secret)&m=",
      "v=1&n=\(secret)%3D", "v=1&n=\(secret)=", "v=1&n=+\(secret.dropFirst())",
      "v=1&n=\(secret) ", "v=1&n=\(secret)é", "v=1&n=\(secret)\u{0}", "v=1#n=\(secret)",
      "v=1&n=\(secret)&x=1" + String(repeating: "0", count: 500),
    ] {
      assertRefused(start + fragment, .codeMalformed)
    }
    assertRefused("https://id.example.org/b", .codeMalformed)
    assertRefused("https://id.example.org/b?v=1#v=1&n=\(secret)", .codeMalformed)
  }

  func testANewerVersionAsksForAnUpdate() {
    assertRefused(start + "v=2&n=\(secret)", .codeVersion)
    assertRefused(start + "v=10&anything=else&z", .codeVersion)
    assertRefused(start + "v=0", .codeVersion)
  }

  func testSecretsHold16To32Bytes() {
    for count in 0...48 {
      let text = start + "v=1&n=" + base64url([UInt8](repeating: 0xA5, count: count))
      if (16...32).contains(count) {
        XCTAssertEqual(try read(text).get().secret.count, count)
      } else {
        assertRefused(text, .codeMalformed)
      }
    }
  }

  func testASecretHasOneSpelling() {
    // 32 bytes leave two bits of the 43rd character: they must be zero.
    let base = String(repeating: "A", count: 42)
    XCTAssertNoThrow(try read(start + "v=1&n=\(base)E").get())
    for last in "BCDFGH_-" { assertRefused(start + "v=1&n=\(base)\(last)", .codeMalformed) }
  }

  func testACodeHasAtMost512Bytes() throws {
    // The host fills the length, since nothing else may be long.
    for (length, isRead) in [(512, true), (513, false)] {
      let rest = "https:///b#v=1&n=\(secret)".utf8.count
      let host = String(repeating: "h", count: length - rest)
      let text = "https://\(host)/b#v=1&n=\(secret)"
      XCTAssertEqual((try? read(link: text, hosts: [host])) != nil, isRead)
    }
  }

  func testEveryCodeIsAlsoAnEnrolmentLink() {
    for (fragment, scanning) in [
      ("v=1&n=\(secret)", false), ("v=1&n=\(secret)&x=17", false), ("m=qr&v=1&n=\(secret)", true),
      ("n=\(secret)&m=link&v=1", false),
    ] {
      XCTAssertNoThrow(try read(start + fragment).get())
      XCTAssertEqual(
        UniversalLink((start + fragment).utf8, hosts: hosts),
        .valid(.enrolment, madeForScanning: scanning))
    }
  }

  func testEveryAcceptedMutationIsAlsoAnEnrolmentLink() {
    var random = SeededGenerator(seed: 51)
    let good = Array((start + "v=1&n=\(secret)&x=17").utf8)
    var read = 0
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0...Int.random(in: 0...2, using: &random) { mutate(&bytes, using: &random) }
      guard (try? self.read(bytes)) != nil else { continue }
      read += 1
      let link = UniversalLink(bytes, hosts: hosts)
      XCTAssertEqual(
        link, .valid(.enrolment, madeForScanning: false), String(decoding: bytes, as: UTF8.self))
    }
    XCTAssertGreaterThan(read, 100)
  }

  func testEveryTruncationIsRefusedOrLacksOnlyItsEnd() {
    let good = Array((start + "v=1&n=\(secret)&x=1789000000").utf8)
    let ofSecret = (start + "v=1&n=").utf8.count + 22
    for length in 0..<good.count {
      guard let code = try? read(Array(good.prefix(length))) else { continue }
      XCTAssertGreaterThanOrEqual(length, ofSecret)
      XCTAssertGreaterThanOrEqual(code.secret.count, 16)
    }
  }

  func testRandomBytesAreNeverACode() {
    var random = SeededGenerator(seed: 52)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...600, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      XCTAssertThrowsError(try read(bytes))
      XCTAssertThrowsError(try read(Array(start.utf8) + bytes))
    }
  }

  func testACodeIsNeverPrinted() throws {
    let code = try read(start + "v=1&n=\(secret)").get()
    var dumped = ""
    dump(code, to: &dumped)
    for text in ["\(code)", String(reflecting: code), dumped] {
      XCTAssertFalse(text.contains("AbC-"))
      XCTAssertFalse(text.contains("example"))
    }
  }

  private func base64url(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}
