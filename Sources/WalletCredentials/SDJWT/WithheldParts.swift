public import WalletProtocol

/// Which parts of a card's claims the holder can withhold, and what is seen nevertheless.
public struct WithheldParts: Sendable {
  private typealias Way = [ClaimsPath.Component]

  private let ways: Set<[ClaimsPath.Component]>
  /// The ways to what has such parts in it.
  private let containers: Set<[ClaimsPath.Component]>

  /// - Parameter ways: to each part that can be withheld, without `everyElement`.
  public init(_ ways: some Sequence<ClaimsPath>) {
    self.ways = Set(ways.map(\.components))
    containers = Set(self.ways.flatMap(Self.parents))
  }

  /// The largest parts of `claims` that are seen whatever is withheld, in the order of names and
  /// elements.
  public func alwaysSeen(in claims: JSONValue) -> [ClaimsPath] {
    seen(with: claims, at: []).compactMap { try? ClaimsPath($0) }
  }

  /// What is shown of a card beside what cannot be withheld if the parts at `paths` are asked for.
  /// A part is shown inside of all that it lies in. If that can only be shown as a whole, then it
  /// is, and so are its parts that cannot be withheld on their own.
  ///
  /// - Returns: `paths`, without those that lie in what is shown as a whole, and all other parts that are
  ///   seen with them.
  func shown(_ paths: [ClaimsPath], in claims: JSONValue) -> [ClaimsPath] {
    var known: Set<ClaimsPath> = []
    let paths = paths.filter { known.insert($0).inserted }
    let selected = paths.map { path in (path: path, ways: (try? path.ways(in: claims)) ?? []) }
    let asked = Set(selected.flatMap(\.ways))
    var (judged, others) = (Set<Way>(), [Way]())
    for parent in selected.flatMap(\.ways).flatMap(Self.parents) where ways.contains(parent) {
      guard judged.insert(parent).inserted,
        let part = try? ClaimsPath(parent).select(in: claims).first
      else { continue }
      let inner = seen(with: part, at: parent)
      guard !inner.allSatisfy({ Self.lies($0, in: asked) }) else { continue }
      others += containers.contains(parent) ? inner : [parent]
    }
    let added = others.filter { !Self.lies($0, in: asked) }
    let whole = Set(added)
    let kept = selected.filter { path in !path.ways.allSatisfy { Self.lies($0, in: whole) } }
    return kept.map(\.path) + added.compactMap { try? ClaimsPath($0) }
  }

  /// The ways to what the part at `way` lies in, but for the claims as a whole.
  private static func parents(of way: Way) -> [Way] {
    (1..<max(way.count, 1)).map { Array(way.prefix($0)) }
  }

  /// Whether the part at `way` is one of `parts` or lies in one.
  private static func lies(_ way: Way, in parts: Set<Way>) -> Bool {
    parts.contains(way) || !parts.isDisjoint(with: parents(of: way))
  }

  /// The largest parts of `part`, which is at `way`, that are seen whenever it is.
  private func seen(with part: JSONValue, at way: Way) -> [Way] {
    let members = (part.object ?? [:]).sorted { $0.key < $1.key }
      .map { (ClaimsPath.Component.name($0.key), $0.value) }
    let elements = (part.array ?? []).enumerated()
      .map { (ClaimsPath.Component.element($0.offset), $0.element) }
    return (members + elements).flatMap { component, inner in
      let next = way + [component]
      if ways.contains(next) { return [Way]() }
      return containers.contains(next) ? seen(with: inner, at: next) : [next]
    }
  }
}
