import TestSupport
import WalletCredentials
import WalletProtocol
import XCTest

/// Random queries and cards against a second reading of the rules, which knows neither the parser
/// nor the matching: it works on the values from which the texts are written.
final class DCQLPropertyTests: XCTestCase {
  private enum Value {
    case text(String), number(Int), truth(Bool)
    indirect case list([Value]), members([(String, Value)])

    var json: String {
      switch self {
      case .text(let text): "\"\(text)\""
      case .number(let number): "\(number)"
      case .truth(let truth): "\(truth)"
      case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
      case .members(let members):
        "{\(members.map { "\"\($0.0)\":\($0.1.json)" }.joined(separator: ","))}"
      }
    }
  }

  private enum Step: Equatable {
    case name(String), index(Int), all

    var json: String {
      switch self {
      case .name(let name): "\"\(name)\""
      case .index(let index): "\(index)"
      case .all: "null"
      }
    }
  }

  private struct Claim {
    var id: String
    var path: [Step]
    var values: [Value]?

    var json: String {
      let values = values.map { ",\"values\":\(Value.list($0).json)" } ?? ""
      return "{\"id\":\"\(id)\",\"path\":\(pathText)\(values)}"
    }
    var pathText: String { "[\(path.map(\.json).joined(separator: ","))]" }
  }

  private struct Query {
    var id: String
    var types: [String]?
    var authorities: [String]?
    var claims: [Claim]?
    var sets: [[String]]?

    var json: String {
      func list(_ texts: [String]) -> String { Value.list(texts.map { .text($0) }).json }
      var text = "{\"id\":\"\(id)\",\"format\":\"dc+sd-jwt\",\"meta\":{"
      text += types.map { "\"vct_values\":\(list($0))" } ?? ""
      text += "}"
      if let authorities {
        text += ",\"trusted_authorities\":[{\"type\":\"aki\",\"values\":\(list(authorities))}]"
      }
      if let claims { text += ",\"claims\":[\(claims.map(\.json).joined(separator: ","))]" }
      if let sets { text += ",\"claim_sets\":[\(sets.map(list).joined(separator: ","))]" }
      return text + "}"
    }
  }

  private struct Combination {
    var options: [[String]]
    var isRequired: Bool
  }

  private struct Card {
    var id: String
    var type: String
    var authority: String
    var isUsable: Bool
    var claims: Value
  }

  // MARK: - The second reading

  /// The values at a path; nil if a step does not fit or nothing is left.
  private func values(_ path: [Step], in top: Value) -> [Value]? {
    var selected = [top]
    for step in path {
      var next: [Value] = []
      for value in selected {
        switch (step, value) {
        case (.name(let name), .members(let members)):
          next += members.filter { $0.0 == name }.map(\.1)
        case (.index(let index), .list(let list)):
          if index < list.count { next.append(list[index]) }
        case (.all, .list(let list)): next += list
        default: return nil
        }
      }
      selected = next
    }
    return selected.isEmpty ? nil : selected
  }

  private func has(_ card: Card, _ claim: Claim) -> Bool {
    guard let found = values(claim.path, in: card.claims) else { return false }
    guard let wanted = claim.values else { return true }
    // A text in JSON is of one type, so equal texts are equal values of one type.
    return found.contains { one in wanted.contains { $0.json == one.json } }
  }

  /// The paths that a card shows for a query; nil if it does not answer it.
  private func shown(_ card: Card, _ query: Query) -> Set<String>? {
    guard card.isUsable else { return nil }
    if let types = query.types, !types.contains(card.type) { return nil }
    if let authorities = query.authorities, !authorities.contains(card.authority) { return nil }
    guard let claims = query.claims else { return [] }
    for set in query.sets ?? [claims.map(\.id)] {
      let wanted = claims.filter { set.contains($0.id) }
      if wanted.allSatisfy({ has(card, $0) }) { return Set(wanted.map(\.pathText)) }
    }
    return nil
  }

  // MARK: - Random queries and cards

  private var generator = SeededGenerator(seed: 1)

  private func chance(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  private func some<Element>(_ elements: [Element]) -> [Element] {
    let chosen = elements.filter { _ in chance(1, in: 2) }
    return chosen.isEmpty ? [pick(elements)] : chosen
  }

  private func leaf() -> Value {
    pick([
      .text("a"), .text("1"), .text("true"), .number(1), .number(2), .truth(true), .truth(false),
    ])
  }

  private func value(_ depth: Int) -> Value {
    guard depth > 0, chance(1, in: 2) else { return leaf() }
    if chance(1, in: 2) { return .list((0..<pick([1, 2, 3])).map { _ in value(depth - 1) }) }
    return members(depth - 1)
  }

  private func members(_ depth: Int) -> Value {
    .members(some(["x", "y", "z"]).map { ($0, value(depth)) })
  }

  private func claim(_ number: Int) -> Claim {
    let steps: [Step] = [
      .name("x"), .name("y"), .name("z"), .name("x"), .index(0), .index(1), .all,
    ]
    var path: [Step] = [.name(pick(["x", "y", "z"]))]
    while path.count < 4, chance(1, in: 3) { path.append(pick(steps)) }
    return Claim(
      id: "c\(number)", path: path,
      values: chance(1, in: 4) ? (0..<pick([1, 2, 4])).map { _ in leaf() } : nil)
  }

  private func query(_ number: Int) -> Query {
    var query = Query(id: "q\(number)")
    if chance(3, in: 4) { query.types = some(["t1", "t2", "t3"]) }
    if chance(1, in: 6) { query.authorities = some(["a1", "a2"]) }
    if chance(4, in: 5) { query.claims = (0..<pick([1, 1, 2, 3])).map(claim) }
    if let claims = query.claims, chance(1, in: 3) {
      query.sets = (0..<pick([1, 2, 3])).map { _ in some(claims.map(\.id)) }
    }
    return query
  }

  func testRandomQueriesAreAnsweredAsASecondReadingSays() throws {
    let seed = Sample.stressSeed
    print("# DCQL: 1000 random queries from seed \(seed)")
    generator = SeededGenerator(seed: seed)
    var possible = 0
    for _ in 0..<1_000 {
      let queries = (0..<pick([1, 1, 2, 3])).map(query)
      let cards = (0..<pick([0, 1, 2, 3, 4])).map { number in
        Card(
          id: "card\(number)", type: pick(["t1", "t2"]), authority: pick(["a1", "a2", "a3"]),
          isUsable: chance(9, in: 10), claims: members(2))
      }
      let sets: [Combination]? =
        chance(1, in: 2)
        ? nil
        : (0..<pick([1, 2])).map { _ in
          Combination(
            options: (0..<pick([1, 2, 3])).map { _ in some(queries.map(\.id)) },
            isRequired: chance(2, in: 3))
        }
      try check(queries, sets, cards)
      let combinations = sets ?? [Combination(options: [queries.map(\.id)], isRequired: true)]
      let answered = Set(
        queries.filter { query in cards.contains { shown($0, query) != nil } }.map(\.id))
      if combinations.contains(where: { $0.options.contains { Set($0).isSubset(of: answered) } }) {
        possible += 1
      }
    }
    XCTAssertTrue((100..<900).contains(possible), "one-sided: \(possible) of 1000")
  }

  private func check(_ queries: [Query], _ sets: [Combination]?, _ cards: [Card]) throws {
    let combinations = sets ?? [Combination(options: [queries.map(\.id)], isRequired: true)]
    let listed =
      sets.map { sets in
        let texts = sets.map { set in
          let options = Value.list(set.options.map { .list($0.map { .text($0) }) }).json
          return "{\"options\":\(options),\"required\":\(set.isRequired)}"
        }
        return ",\"credential_sets\":[\(texts.joined(separator: ","))]"
      } ?? ""
    let text = "{\"credentials\":[\(queries.map(\.json).joined(separator: ","))]\(listed)}"
    let parsed = try CredentialsQuery(
      parsing: JSONValue(parsing: Array(text.utf8), profile: .foreign))
    let answer = QueryAnswer(
      parsed,
      cards: try cards.map { card in
        QueriedCard(
          id: card.id, types: [card.type],
          claims: try JSONValue(parsing: Array(card.claims.json.utf8), profile: .foreign),
          authorities: [card.authority], isUsable: card.isUsable)
      })
    let about = "\(text) with \(cards.map { "\($0.type) \($0.claims.json)" })"
    var answered: Set<String> = []
    for query in queries {
      var expected: [String: Set<String>] = [:]
      for card in cards { expected[card.id] = shown(card, query) }
      if !expected.isEmpty { answered.insert(query.id) }
      let found = Dictionary(
        uniqueKeysWithValues: (answer.matches[query.id] ?? []).map { match in
          (match.card, Set(match.paths.map { String(decoding: $0.json.encoded, as: UTF8.self) }))
        })
      XCTAssertEqual(found, expected, about)
    }
    let canMeet = combinations.map { set in
      set.options.contains { Set($0).isSubset(of: answered) }
    }
    let isPossible =
      zip(combinations, canMeet).allSatisfy { !$0.isRequired || $1 } && canMeet.contains(true)
    XCTAssertEqual(answer.isPossible, isPossible, about)
    let sent = answer.presentations(answer.suggestion)
    XCTAssertEqual(sent != nil, isPossible, about)
    let ids = (sent ?? []).map(\.query)
    XCTAssertEqual(Set(ids).count, ids.count, "one card for each query: \(about)")
    for set in combinations where isPossible && set.isRequired {
      XCTAssertTrue(set.options.contains { Set($0).isSubset(of: ids) }, about)
    }
    // Nothing is sent that no option asks for.
    XCTAssertTrue(
      ids.allSatisfy { id in
        combinations.contains {
          $0.options.contains { $0.contains(id) && Set($0).isSubset(of: ids) }
        }
      }, about)
  }
}
