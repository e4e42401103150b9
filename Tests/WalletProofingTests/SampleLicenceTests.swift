import Foundation
import WalletModel
import XCTest

@testable import WalletProofing

/// Checks the invented cards of Examples/samples.
final class SampleLicenceTests: LicenceTestCase {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Examples/samples/licence.py")

  private func sample(_ options: String...) throws -> [UInt8] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", Self.script.path, "--family-name", "ROWAN", "--given-names", "IMOGEN ELSPETH",
      "--birth-date", "1988-03-14", "--expiry-date", "2030-09-01",
    ]
    process.arguments?.append(contentsOf: options)
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
    return [UInt8](bytes)
  }

  private func members(_ bytes: [UInt8]) throws -> NSDictionary? {
    try JSONSerialization.jsonObject(with: try JSONEncoder().encode(evidence(bytes)))
      as? NSDictionary
  }

  private func expected(_ changes: [String: Any] = [:]) -> NSDictionary {
    let person: [String: Any] = [
      "family_name": "ROWAN", "given_name": "IMOGEN", "middle_names": "ELSPETH",
      "birth_date": "1988-03-14", "document_number": "T64235789", "expiry_date": "2030-09-01",
      "issuer_number": "636000", "document_kind": "DL", "warnings": [String](),
      "deviations": [String](),
    ]
    return person.merging(changes) { $1 } as NSDictionary
  }

  func testEveryEditionIsReadWithoutDeviation() throws {
    for version in 1...10 {
      let bytes = try sample("--version", "\(version)")
      XCTAssertEqual(try members(bytes), expected(), "edition \(version)")
    }
  }

  func testOtherIssuersAndKinds() throws {
    XCTAssertEqual(
      try members(sample("--issuer", "636012")), expected(["issuer_number": "636012"]))
    for version in 2...10 {
      XCTAssertEqual(
        try members(sample("--issuer", "636012", "--version", "\(version)")),
        expected(["issuer_number": "636012"]), "edition \(version)")
    }
    XCTAssertEqual(
      try members(sample("--issuer", "636001", "--kind", "EN")),
      expected(["issuer_number": "636001", "document_kind": "EN"]))
    XCTAssertEqual(try members(sample("--kind", "ID")), expected(["document_kind": "ID"]))
  }

  func testExpiredUnderageAndDamagedSamplesAreRefused() throws {
    XCTAssertEqual(
      refusal(try sample("--expiry-date", "2019-06-30"))?.error, .documentExpired)
    XCTAssertEqual(
      refusal(try sample("--birth-date", "2010-05-05", "--issue-date", "2026-06-01"))?.error,
      .documentUnderAge)
    XCTAssertEqual(refusal(try sample("--omit", "DBB"))?.error, .documentDamaged)
    XCTAssertEqual(refusal(Array(try sample().prefix(120)))?.error, .documentDamaged)
  }
}
