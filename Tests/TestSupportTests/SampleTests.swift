import TestSupport
import XCTest

/// A sample leaves out no kind, and is the same in every run.
final class SampleTests: XCTestCase {
  private let kinds = (0..<1_000).map { "kind \($0 * 7 % 13)" }

  func testOneOfEachKindIsChosen() {
    let chosen = Sample.choose(kinds, 1)
    XCTAssertEqual(chosen.map { kinds[$0] }.sorted(), Set(kinds).sorted())
  }

  func testSoManyOfEachKindAreChosenAsThereAre() {
    let chosen = Sample.choose(["a", "b", "b", "b", "c", "c"], 2)
    XCTAssertEqual(chosen.count, 5)
    XCTAssertTrue(Set(chosen).isSuperset(of: [0, 4, 5]))
    XCTAssertEqual(Sample.choose(["a", "b", "b"], 9), [0, 1, 2])
    XCTAssertEqual(Sample.choose([], 1), [])
    XCTAssertEqual(Sample.choose(["a"], 0), [])
  }

  func testTheSameAreChosenEachTimeInTheirOrder() {
    let chosen = Sample.choose(kinds, 3)
    XCTAssertEqual(chosen, Sample.choose(kinds, 3))
    XCTAssertEqual(chosen, chosen.sorted())
    XCTAssertEqual(Set(chosen).count, 39)
    XCTAssertNotEqual(chosen, Array(kinds.indices.prefix(39)), "not simply the first ones")
    // In every process, too: the seed and the generator are fixed.
    XCTAssertEqual(Sample.choose(Array(repeating: "a", count: 100), 3), Self.three)
  }

  private static let three = [1, 79, 96]

  func testASampleIsOfTheElementsThemselves() {
    let elements = Array(1...50)
    let taken = Sample.of(elements) { $0 % 2 == 0 ? "even" : "odd" }
    XCTAssertEqual(taken, taken.sorted())
    XCTAssertEqual(taken.count, Sample.isExhaustive ? 50 : 2)
    XCTAssertEqual(Set(taken.map { $0 % 2 }), [0, 1])
  }

  func testTheGeneratorHasTheNumbersOfSplitMix64() {
    var random = SeededGenerator(seed: 1_234_567)
    XCTAssertEqual(
      (0..<3).map { _ in random.next() },
      [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }
}
