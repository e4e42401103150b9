import Foundation
import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// A status list as a server publishes it, for a verifier that shares no code with the project.
///
/// If the environment variable WALLET_CORE_EXCHANGES names a file, status-lists.json is written next
/// to it for Tests/Interop/statuslist.sh.
final class StatusListExchangeTests: XCTestCase {
  func testPublishesAListForAnIndependentVerifier() async throws {
    let bed = try StatusTestBed(
      ProviderHarness(clock: TestClock(SystemWallClock().now), isDemonstration: true))
    let valid = try await bed.assign(bed.assignment("valid", account: "valid"))
    let revoked = try await bed.assign(bed.assignment("revoked", account: "revoked"))
    try await bed.revoke(.account("revoked"))
    // Of the past, so that the list does not come from the future.
    try await bed.harness.store.transaction { rows in
      for var entry in try rows.statusEntries(ofIssuance: "revoked") {
        entry.revokedAt = 0
        try rows.update(entry)
      }
    }
    let uri = valid[0].uri
    let published = try await bed.publisher().list(StatusTestBed.id(uri))
    let token = try XCTUnwrap(published).token
    let list = try bed.read(token, uri: uri)
    for (reference, isUsable) in valid.map({ ($0, true) }) + revoked.map({ ($0, false) }) {
      XCTAssertEqual(try list.status(at: reference.index).isUsable, isUsable)
    }
    let exchange: JSONValue = .object([
      "uri": .string(uri), "token": .string(token), "anchor": .string(bed.authority.text),
      "valid": .array(valid.map { .integer($0.index) }),
      "revoked": .array(revoked.map { .integer($0.index) }),
    ])
    let file = Exchanges.directory(else: bed.harness.path).appendingPathComponent(
      "status-lists.json")
    try Data(exchange.encoded).write(to: file)
  }
}
