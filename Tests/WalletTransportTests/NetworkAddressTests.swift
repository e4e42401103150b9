import Foundation
import XCTest

@testable import WalletTransport

/// Which addresses belong to the public internet, by IANA's registries of special addresses.
final class NetworkAddressTests: XCTestCase {
  private func address(_ text: String) throws -> NetworkAddress {
    try XCTUnwrap(NetworkAddress(text), text)
  }

  /// The lines of the list that the hosts' HTTP stacks are tested with too.
  private func listed() throws -> [(kind: String, address: String)] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../HTTPBridge/addresses.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        let words = line.split(separator: " ").map(String.init)
        return (try XCTUnwrap(words.first), try XCTUnwrap(words.last))
      }
  }

  func testAddressesOfThePublicInternetOfPrivateNetworksAndOfThisDevice() throws {
    let all = try listed()
    XCTAssertGreaterThan(all.count, 70)
    for (kind, text) in all {
      XCTAssertEqual(try address(text).isPublic, kind == "public", text)
      XCTAssertEqual(try address(text).isLoopback, kind == "device", text)
    }
    XCTAssertTrue(try address("[2606:4700::1111]").isPublic)
  }

  func testWhatIsNoAddress() {
    for text in [
      "", "a", "1", "1.1", "1.1.1", "1.1.1.1.1", "256.1.1.1", "01.1.1.1", "0x7f.1.1.1",
      "1.1.1.1:80",
      "1.1.1.1%lo", ":::", "[::1", "::1]", "127.0.0.1\0",
    ] { XCTAssertNil(NetworkAddress(text), text) }
    for count in [0, 3, 5, 15, 17] {
      XCTAssertNil(NetworkAddress([UInt8](repeating: 1, count: count)))
    }
  }
}
