public import WalletProtocol

/// A claims path pointer: which claims of a card are meant (OpenID4VP 1.0 section 7).
public struct ClaimsPath: Hashable, Sendable {
  /// One step into the claims.
  public enum Component: Hashable, Sendable {
    /// The member of this name.
    case name(String)
    /// All elements of an array; null in JSON.
    case everyElement
    /// The element at this index, from 0.
    case element(Int)
  }

  /// The maximum number of components.
  public static let maximumLength = 16

  /// From the top of the claims; not empty.
  public let components: [Component]

  /// Throws `malformed` for no components, too many, or an index below 0.
  public init(_ components: [Component]) throws(ClaimsPathError) {
    guard (1...Self.maximumLength).contains(components.count) else { throw .malformed }
    for case .element(let index) in components where index < 0 { throw .malformed }
    self.components = components
  }

  /// Reads an array of strings, nulls and non-negative integers.
  public init(parsing json: JSONValue) throws(ClaimsPathError) {
    guard let values = json.array else { throw .malformed }
    var components: [Component] = []
    for value in values {
      switch value {
      case .string(let name): components.append(.name(name))
      case .null: components.append(.everyElement)
      case .integer(let number):
        guard let index = Int(exactly: number) else { throw .malformed }
        components.append(.element(index))
      default: throw .malformed
      }
    }
    try self.init(components)
  }

  /// The JSON form.
  public var json: JSONValue {
    .array(
      components.map { component in
        switch component {
        case .name(let name): .string(name)
        case .everyElement: .null
        case .element(let index): .integer(Int64(index))
        }
      })
  }

  /// Returns the selected parts of `claims`, in their order; at least one.
  public func select(in claims: JSONValue) throws(ClaimsPathError) -> [JSONValue] {
    try trails(in: claims).compactMap(\.last)
  }

  /// Returns the ways to the selected parts, without `everyElement`.
  func ways(in claims: JSONValue) throws(ClaimsPathError) -> [[Component]] {
    var selected: [(way: [Component], part: JSONValue)] = [([], claims)]
    for component in components {
      var next: [(way: [Component], part: JSONValue)] = []
      for (way, part) in selected {
        let children = try Self.children(of: part, at: component)
        for (index, child) in children.enumerated() {
          next.append((way + [component == .everyElement ? .element(index) : component], child))
        }
      }
      selected = next
    }
    return selected.map(\.way)
  }

  /// Returns for each selected part the way to it: all that it lies in, from the top, and the part
  /// itself as the last.
  func trails<Part: ClaimsPart>(in claims: Part) throws(ClaimsPathError) -> [[Part]] {
    var selected = [[claims]]
    for component in components {
      var next: [[Part]] = []
      for trail in selected {
        guard let part = trail.last else { continue }
        for child in try Self.children(of: part, at: component) { next.append(trail + [child]) }
      }
      selected = next
    }
    guard !selected.isEmpty else { throw .nothingSelected }
    return selected
  }

  /// Returns what one step selects: nothing if the member or element does not exist.
  private static func children<Part: ClaimsPart>(
    of part: Part, at component: Component
  ) throws(ClaimsPathError) -> [Part] {
    switch component {
    case .name(let name):
      guard let members = part.object else { throw .notAnObject }
      // Dictionaries also find names that are only canonically equivalent.
      guard let place = members.index(forKey: name),
        members[place].key.utf8.elementsEqual(name.utf8)
      else { return [] }
      return [members[place].value]
    case .everyElement:
      guard let elements = part.array else { throw .notAnArray }
      return elements
    case .element(let index):
      guard let elements = part.array else { throw .notAnArray }
      return elements.indices.contains(index) ? [elements[index]] : []
    }
  }
}

/// Why a claims path pointer selects nothing. For the one who asked, all but `malformed` mean that
/// the claim is absent.
public enum ClaimsPathError: Error, Equatable, Sendable {
  /// Not an array of 1 to 16 strings, nulls and non-negative integers.
  case malformed
  /// A name is applied to something that is no object.
  case notAnObject
  /// Null or an index is applied to something that is no array.
  case notAnArray
  /// No claim is at this path.
  case nothingSelected
}

/// What a path can step into.
protocol ClaimsPart {
  /// The members of an object; nil for anything else.
  var object: [String: Self]? { get }
  /// The elements of an array; nil for anything else.
  var array: [Self]? { get }
}

extension JSONValue: ClaimsPart {}
