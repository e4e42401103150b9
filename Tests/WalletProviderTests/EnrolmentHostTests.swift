import WalletProvider
import XCTest

/// The hosts by which the pages at `/enrol` are reached, as a browser names them.
final class EnrolmentHostTests: ServerTestCase {
  func testServesThePagesOnlyUnderConfiguredHosts() throws {
    let server = try start("--enrol-page", "--proofing-hosts", "wallet.example,id.example")
    let port = try port(server)
    let hosts = [
      (200, ["wallet.example", "id.example:443", "WALLET.example", "127.0.0.1:\(port)"]),
      (200, ["localhost:1", "[::1]", "[::1]:8740"]),
      (
        421,
        [
          "evil.example", "evil.example:\(port)", "wallet.example.evil.example", "xwallet.example",
          "wallet.example@evil.example", "evil.example@wallet.example", "wallet.example:x",
          "wallet.example.", "[::1", "192.0.2.1", "",
        ]
      ),
    ]
    for (status, names) in hosts {
      for name in names {
        let connection = try RawConnection(port: port)
        connection.send("GET /enrol HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        XCTAssertEqual(try connection.answer()?.status, status, name)
      }
    }
    XCTAssertEqual(server.end(), 0)
  }
}
