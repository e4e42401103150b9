import Foundation
import XCTest

/// Runs every kept input through its target: what once broke something, and what once led somewhere
/// new. The fuzzers themselves are Tests/Fuzz/run.sh.
final class CorpusTests: XCTestCase {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  private func inputs(of name: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: Self.corpus.appendingPathComponent(name), includingPropertiesForKeys: nil)
  }

  /// What is kept because it is refused: a card that lost its separators, a link of a later
  /// version, JSON that is no key.
  private static let refused: Set = [
    "licence/no-separators", "enrolment_code/newer", "key_as_json/nested",
  ]

  func testEveryTargetAcceptsItsCorpusToTheEnd() throws {
    for target in FuzzTarget.allCases {
      let inputs = try inputs(of: target.rawValue)
      XCTAssertFalse(inputs.isEmpty, "\(target) has no corpus")
      for input in inputs {
        let name = "\(target.rawValue)/\(input.lastPathComponent)"
        // A target that reads none of its own inputs to the end would be blind.
        XCTAssertEqual(
          target.run(Array(try Data(contentsOf: input))), !Self.refused.contains(name), name)
      }
    }
  }

  func testEveryTargetReadsItsCorpusDamaged() throws {
    for target in FuzzTarget.allCases {
      for input in try inputs(of: target.rawValue) {
        let bytes = Array(try Data(contentsOf: input))
        // Every prefix of a short one, some of a long one; and a bit flipped in each part.
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 32)) {
          target.run(Array(bytes[..<place]))
          var flipped = bytes
          flipped[place] ^= 1 << UInt8(place % 8)
          target.run(flipped)
        }
      }
    }
  }

  func testEveryCorpusHasATarget() throws {
    // Those of the provider are Provider/ProviderCorpusTests.swift's.
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
      .filter { !$0.hasPrefix("wallet_provider_") }
    // Programs of calls are run by Tests/Fuzz/replay.sh.
    let targets = FuzzTarget.allCases.map(\.rawValue) + ["abi"]
    XCTAssertEqual(Set(names), Set(targets))
  }
}
