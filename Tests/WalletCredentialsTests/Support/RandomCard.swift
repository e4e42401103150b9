import TestSupport
import WalletCredentials
import WalletProtocol

/// Random claims, and a payload that hides random parts of them at every depth, with decoys.
struct RandomCard {
  typealias Way = [ClaimsPath.Component]

  let claims: [String: JSONValue]
  private(set) var payload: [String: JSONValue] = [:]
  private(set) var disclosures: [String] = []
  /// The ways to the hidden parts.
  private(set) var hiddenWays: Set<Way> = []
  /// The ways to all parts.
  private(set) var ways: [Way] = []

  init(_ random: inout SeededGenerator, small: Bool = false) {
    claims = Self.members(small ? 3 : 5, &random)
    payload = hide(claims, at: [], &random)
    payload["vct"] = .string("urn:example:card:1")
    if Bool.random(using: &random) { payload["_sd_alg"] = .string("sha-256") }
    disclosures.shuffle(using: &random)
  }

  private static func members(
    _ depth: Int, _ random: inout SeededGenerator
  ) -> [String: JSONValue] {
    let names = ["a", "b", "name", "\u{e9}", "", "~", "18", "exp.", "null"]
    var members: [String: JSONValue] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      members[names.randomElement(using: &random) ?? "x"] = value(depth - 1, &random)
    }
    return members
  }

  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: depth > 0 ? 0..<9 : 4..<9, using: &random) {
    case 0, 1: return .object(members(depth, &random))
    case 2, 3:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth - 1, &random) })
    case 4: return .null
    case 5: return .boolean(Bool.random(using: &random))
    case 6: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 7:
      return .number(
        ["1.50", "-0", "1e400", "18446744073709551616"].randomElement(using: &random) ?? "0.5")
    default:
      return .string(
        ["Zoë", "", "\u{1F600}\n\"", "...", "_sd"].randomElement(using: &random) ?? "x")
    }
  }

  private mutating func hide(
    _ members: [String: JSONValue], at way: Way, _ random: inout SeededGenerator
  ) -> [String: JSONValue] {
    var open: [String: JSONValue] = [:]
    var digests: [JSONValue] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let here = way + [.name(name)]
      let inner = hide(value, at: here, &random)
      guard Bool.random(using: &random) else {
        open[name] = inner
        continue
      }
      digests.append(digest(disclose([.string(name), inner], at: here, &random)))
    }
    while Int.random(in: 0..<3, using: &random) == 0 { digests.append(decoy(&random)) }
    if !digests.isEmpty { open["_sd"] = .array(digests.shuffled(using: &random)) }
    return open
  }

  private mutating func hide(
    _ value: JSONValue, at way: Way, _ random: inout SeededGenerator
  ) -> JSONValue {
    ways.append(way)
    switch value {
    case .object(let members): return .object(hide(members, at: way, &random))
    case .array(let values):
      var elements: [JSONValue] = []
      for (index, value) in values.enumerated() {
        while Int.random(in: 0..<4, using: &random) == 0 {
          elements.append(.object(["...": decoy(&random)]))
        }
        let here = way + [.element(index)]
        let inner = hide(value, at: here, &random)
        if Bool.random(using: &random) {
          elements.append(.object(["...": digest(disclose([inner], at: here, &random))]))
        } else {
          elements.append(inner)
        }
      }
      return .array(elements)
    default: return value
    }
  }

  private mutating func disclose(
    _ content: [JSONValue], at way: Way, _ random: inout SeededGenerator
  ) -> String {
    hiddenWays.insert(way)
    let salt = JSONValue.string(String(random.next()) + String(random.next()))
    let text = Base64URL.encode(JSONValue.array([salt] + content).encoded)
    disclosures.append(text)
    return text
  }

  private func decoy(_ random: inout SeededGenerator) -> JSONValue { digest(String(random.next())) }

  /// Returns what a verifier must see if the parts at `wanted` are disclosed, without knowing how
  /// they are hidden: a hidden part is seen if a wanted one lies in it or it in a wanted one.
  func seen(disclosing wanted: [Way]) -> JSONValue {
    seen(.object(claims), at: [], wanted)
  }

  /// The ways to the parts with nothing in them, of what a verifier must see.
  func leaves(disclosing wanted: [Way]) -> Set<Way> {
    leaves.filter { leaf in
      (1...leaf.count).map { Array(leaf.prefix($0)) }.allSatisfy { way in
        !hiddenWays.contains(way)
          || wanted.contains { $0.starts(with: way) || way.starts(with: $0) }
      }
    }
  }

  /// Those that lie in the parts at `ways`.
  func leaves(in parts: [Way]) -> Set<Way> {
    leaves.filter { leaf in parts.contains { leaf.starts(with: $0) } }
  }

  private var leaves: Set<Way> {
    let containers = Set(ways.map { Array($0.dropLast()) })
    return Set(ways).subtracting(containers)
  }

  private func seen(_ value: JSONValue, at way: Way, _ wanted: [Way]) -> JSONValue {
    func isSeen(_ way: Way) -> Bool {
      !hiddenWays.contains(way)
        || wanted.contains { $0.starts(with: way) || way.starts(with: $0) }
    }
    switch value {
    case .object(let members):
      var seen: [String: JSONValue] = [:]
      for (name, value) in members where isSeen(way + [.name(name)]) {
        seen[name] = self.seen(value, at: way + [.name(name)], wanted)
      }
      return .object(seen)
    case .array(let values):
      return .array(
        values.enumerated().filter { isSeen(way + [.element($0.offset)]) }
          .map { seen($0.element, at: way + [.element($0.offset)], wanted) })
    default: return value
    }
  }
}
