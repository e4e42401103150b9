import Foundation
import XCTest

/// Runs every kept input of the provider's targets, whole and damaged.
final class ProviderCorpusTests: XCTestCase {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Corpus")

  func testEveryTargetReadsItsCorpusWholeAndDamaged() throws {
    for target in ProviderFuzzTarget.allCases {
      let inputs = try FileManager.default.contentsOfDirectory(
        at: Self.corpus.appendingPathComponent(target.rawValue), includingPropertiesForKeys: nil)
      XCTAssertFalse(inputs.isEmpty, "\(target) has no corpus")
      for input in inputs {
        let bytes = Array(try Data(contentsOf: input))
        // A target that reads none of its own inputs to the end would be blind.
        XCTAssertTrue(target.run(bytes), "\(input.path) was refused")
        for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 32)) {
          target.run(Array(bytes[..<place]))
          var flipped = bytes
          flipped[place] ^= 1 << UInt8(place % 8)
          target.run(flipped)
        }
      }
    }
  }

  func testEveryCorpusOfTheProviderHasATarget() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
      .filter { $0.hasPrefix("wallet_provider_") }
    XCTAssertEqual(Set(names), Set(ProviderFuzzTarget.allCases.map(\.rawValue)))
  }
}
