import WalletCredentials
import WalletModel
import WalletProtocol
import XCTest

@testable import WalletRuntime

/// What the user can choose of a request: each option is the one that was tapped.
final class SharingOptionsTests: XCTestCase {
  /// Three combinations of one card each, none of which has to be shared if `isRequired` is false.
  private func answer(isRequired: Bool = true, cards: Int = 1) throws -> QueryAnswer {
    let ids = ["a", "b", "c"]
    let query: JSONValue = .object([
      "credentials": .array(
        ids.map { id in
          .object([
            "id": .string(id), "format": .string("dc+sd-jwt"),
            "meta": .object(["vct_values": .array([.string("t")])]),
          ])
        }),
      "credential_sets": .array(
        [
          .object([
            "options": .array(ids.map { .array([.string($0)]) }), "required": .boolean(isRequired),
          ])
        ] + (isRequired ? [] : [.object(["options": .array([.array([.string("a")])])])])),
    ])
    return QueryAnswer(
      try CredentialsQuery(parsing: query),
      cards: (0..<cards).map { QueriedCard(id: "card\($0)", types: ["t"], claims: .object([:])) })
  }

  private func choosing(
    _ index: Int, _ selection: QueryAnswer.Selection, _ answer: QueryAnswer
  ) throws -> QueryAnswer.Selection {
    let options = answer.options(selection)
    let number = options[..<index].count { $0.group == options[index].group }
    return try XCTUnwrap(selection.choosing(options[index], number: number))
  }

  func testACombinationIsTheOneThatWasTappedWhateverIsChosen() throws {
    let answer = try answer()
    var selection = answer.suggestion
    for (tapped, query) in [(2, "c"), (1, "b"), (2, "c"), (0, "a")] {
      selection = try choosing(tapped, selection, answer)
      XCTAssertEqual(answer.presentations(selection)?.map(\.query), [query])
    }
  }

  func testACombinationThatMayBeLeftOutIsTakenAndTakenBack() throws {
    let answer = try answer(isRequired: false)
    var selection = answer.suggestion
    XCTAssertEqual(answer.presentations(selection)?.map(\.query), ["a"])
    selection = try choosing(1, selection, answer)
    XCTAssertEqual(answer.presentations(selection)?.map(\.query), ["a", "b"])
    selection = try choosing(1, selection, answer)
    XCTAssertEqual(answer.presentations(selection)?.map(\.query), ["a"])
  }

  func testACardIsTheOneThatWasTapped() throws {
    let answer = try answer(cards: 3)
    let options = answer.options(answer.suggestion)
    let index = try XCTUnwrap(options.firstIndex { $0.card == "card2" })
    let selection = try choosing(index, answer.suggestion, answer)
    XCTAssertEqual(answer.presentations(selection)?.map(\.card), ["card2"])
  }

  /// The provider opens no more for one PIN, and would count the attempt before it refuses.
  func testNoMoreCardsCanBeChosenThanOnePinOpens() throws {
    func query(_ id: String) -> String {
      #"{"id":"\#(id)","format":"dc+sd-jwt","meta":{"vct_values":["t"]},"multiple":true}"#
    }
    let text = #"{"credentials":[\#(query("a")),\#(query("b"))]}"#
    let cards = (0...UsePayload.maximumSlots).map { "card\($0)" }
    let answer = QueryAnswer(
      try CredentialsQuery(parsing: JSONValue(parsing: Array(text.utf8))),
      cards: cards.map { QueriedCard(id: $0, types: ["t"], claims: .object([:])) })
    var selection = answer.suggestion
    // A card in two queries is used once.
    selection.cards = ["a": Array(cards.dropLast()), "b": Array(cards.dropLast())]
    XCTAssertEqual(answer.presentations(selection)?.count, 2 * UsePayload.maximumSlots)
    selection.cards["b"] = [cards[cards.count - 1]]
    XCTAssertNil(answer.presentations(selection))
  }

  func testALogInAsksForOneCardAndNoMoreThanWhoItIs() throws {
    func isLogin(_ claims: String?) throws -> Bool {
      let members = claims.map { #","claims":[{"path":["\#($0)"]}]"# } ?? ""
      let query = #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{}\#(members)}]}"#
      return QueryAnswer(
        try CredentialsQuery(parsing: JSONValue(parsing: Array(query.utf8))), cards: []
      ).isLogin
    }
    XCTAssertTrue(try isLogin(nil))
    XCTAssertTrue(try isLogin("pseudonym"))
    XCTAssertTrue(try isLogin("vct"))
    XCTAssertFalse(try isLogin("family_name"))
    XCTAssertFalse(try answer().isLogin)
  }
}
