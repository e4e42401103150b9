internal import WalletProtocol

/// A claim or a part of one, which knows whether a disclosure brought it.
struct ClaimNode: Sendable, Equatable, RedactedDescription, ClaimsPart {
  enum Content: Sendable, Equatable {
    case scalar(JSONValue)
    case array([ClaimNode])
    case object([String: ClaimNode])
  }

  /// The position of the disclosure in the card; nil if everybody sees this part who sees what it
  /// lies in.
  let disclosure: Int?
  let content: Content

  var object: [String: ClaimNode]? {
    if case .object(let members) = content { members } else { nil }
  }
  var array: [ClaimNode]? { if case .array(let elements) = content { elements } else { nil } }

  /// The claim without any trace of how it was disclosed.
  var value: JSONValue {
    switch content {
    case .scalar(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.mapValues(\.value))
    }
  }

  /// The positions of the disclosures of this part and of all in it.
  var allDisclosures: [Int] {
    let inner: [Int] =
      switch content {
      case .scalar: []
      case .array(let elements): elements.flatMap(\.allDisclosures)
      case .object(let members): members.values.flatMap(\.allDisclosures)
      }
    return (disclosure.map { [$0] } ?? []) + inner
  }

  /// Appends the way to each part that the holder may withhold, in the order of names and elements.
  func appendDisclosable(
    to ways: inout [[ClaimsPath.Component]], at way: [ClaimsPath.Component] = []
  ) {
    if disclosure != nil { ways.append(way) }
    switch content {
    case .scalar: break
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        element.appendDisclosable(to: &ways, at: way + [.element(index)])
      }
    case .object(let members):
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        member.appendDisclosable(to: &ways, at: way + [.name(name)])
      }
    }
  }
}
