import XCTest

@testable import WalletRuntime

final class SupportReferenceTests: XCTestCase {
  func testAReferenceIsTwoGroupsOfFourThatCanBeReadAloud() {
    var characters: Set<Character> = []
    for _ in 0..<1000 {
      let groups = SupportReference.make().split(separator: "-")
      XCTAssertEqual(groups.map(\.count), [4, 4])
      characters.formUnion(groups.joined())
    }
    XCTAssertEqual(characters, Set("23456789ABCDEFGHJKMNPQRSTVWXYZ"))
  }

  func testReferencesDiffer() {
    XCTAssertEqual(Set((0..<1000).map { _ in SupportReference.make() }).count, 1000)
  }
}
