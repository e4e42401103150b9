import WalletCrypto
import WalletProtocol
import XCTest

final class SecretTextTests: XCTestCase {
  func testTheTextFormOfSecretBytesIsThatOfOrdinaryOnes() throws {
    for count in 0...65 {
      let bytes = Random.bytes(count)
      let text = SecretText.base64URL(.secret(try Secret(copying: bytes)))
      XCTAssertEqual(try Secret(text).disclosed(), Array(Base64URL.encode(bytes).utf8), "\(count)")
    }
  }

  func testPartsFollowEachOtherAlsoWithinATextForm() throws {
    let secret = try Secret(text: "secret")
    let inner = SecretText.joined(["<", .secret(secret), .joined([]), .plain([0x3E])])
    let text = SecretText.joined([.base64URL(inner), ".", .base64URL(.base64URL(inner))])
    let once = Base64URL.encode("<secret>".utf8)
    XCTAssertEqual(
      try Secret(text).disclosed(), Array("\(once).\(Base64URL.encode(once.utf8))".utf8))
    XCTAssertEqual(try Secret("").count, 0)
  }

  func testTheHashOfASecretIsThatOfItsBytes() throws {
    for count in [0, 1, 63, 64, 65, 5000] {
      let bytes = Random.bytes(count)
      XCTAssertEqual(
        try Hash.sha256(Secret(copying: bytes)).disclosed(), Hash.sha256(bytes), "\(count)")
    }
  }
}
