import XCTest

@testable import WalletProtocol

/// The issuers, against the list of facts.
final class LicenceIssuerTests: XCTestCase {
  func testEveryIssuerIsAsListed() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Vectors/licence_issuers.csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    let ours = LicenceIssuer.all.map { issuer in
      "\(issuer.number),\(issuer.jurisdiction),\(issuer.abbreviation ?? "")"
        + ",\(issuer.country.rawValue)"
    }
    XCTAssertEqual(ours, lines.map(String.init))
    XCTAssertEqual(ours.count, 73)
  }

  func testNumbersAreUniqueAndFound() {
    XCTAssertEqual(Set(LicenceIssuer.all.map(\.number)).count, LicenceIssuer.all.count)
    for issuer in LicenceIssuer.all {
      XCTAssertEqual(LicenceIssuer.with(number: issuer.number), issuer)
      XCTAssertTrue((-11...10).contains(issuer.utcOffsetHours))
    }
    for number in [Int.min, -1, 0, 636_063, 604_425, Int.max] {
      XCTAssertNil(LicenceIssuer.with(number: number))
    }
  }
}
