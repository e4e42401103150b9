internal import WalletProtocol

/// Puts the disclosures of a card into its payload (RFC 9901 section 7.1, steps 3 to 5).
///
/// Each digest counts once, so each disclosure is followed once at most, and the work is bounded by
/// the length of the card. The depth is counted through disclosures.
struct ClaimReconstruction {
  private static let digests = "_sd"
  private static let element = "..."
  private static let algorithm = "_sd_alg"

  private let disclosures: [Disclosure]
  /// The positions of the disclosures by their digests.
  private let positions: [[UInt8]: Int]
  private var seen: Set<[UInt8]> = []
  private var used = 0

  /// Returns the claims at the top of `payload`.
  static func claims(
    _ payload: [String: JSONValue], _ disclosures: [Disclosure]
  ) throws(CredentialError) -> ClaimNode {
    if let algorithm = payload[algorithm], algorithm != .string(Credential.digestAlgorithm) {
      throw .digestAlgorithmRefused
    }
    var reconstruction = try ClaimReconstruction(disclosures)
    let node = ClaimNode(
      disclosure: nil,
      content: .object(try reconstruction.members(payload, depth: 0, mayHide: true)))
    guard reconstruction.used == disclosures.count else { throw .disclosureUnreferenced }
    return node
  }

  private init(_ disclosures: [Disclosure]) throws(CredentialError) {
    var positions: [[UInt8]: Int] = [:]
    for (position, disclosure) in disclosures.enumerated() {
      guard positions.updateValue(position, forKey: disclosure.digest) == nil else {
        throw .disclosureRepeated
      }
    }
    self.disclosures = disclosures
    self.positions = positions
  }

  /// - Parameter mayHide: false inside a claim that must be visible with all its parts.
  private mutating func node(
    _ value: JSONValue, disclosure: Int?, depth: Int, mayHide: Bool
  ) throws(CredentialError) -> ClaimNode {
    guard depth <= Credential.maximumDepth else { throw .tooDeep }
    let content: ClaimNode.Content =
      switch value {
      case .array(let values):
        .array(try elements(values, depth: depth, mayHide: mayHide))
      case .object(let object):
        .object(try members(object, depth: depth, mayHide: mayHide))
      default: .scalar(value)
      }
    return ClaimNode(disclosure: disclosure, content: content)
  }

  private mutating func members(
    _ object: [String: JSONValue], depth: Int, mayHide: Bool
  ) throws(CredentialError) -> [String: ClaimNode] {
    guard object[Self.element] == nil, depth == 0 || object[Self.algorithm] == nil else {
      throw .nameReserved
    }
    var members: [String: ClaimNode] = [:]
    for (name, value) in object where name != Self.digests && name != Self.algorithm {
      let mayHide = mayHide && !(depth == 0 && CredentialTerms.alwaysVisible.contains(name))
      members[name] = try node(value, disclosure: nil, depth: depth + 1, mayHide: mayHide)
    }
    guard let hidden = object[Self.digests] else { return members }
    guard let digests = hidden.array else { throw .digestMalformed }
    guard mayHide else { throw .registeredClaimHidden }
    for digest in digests {
      guard let position = try position(digest) else { continue }
      guard let name = disclosures[position].name else { throw .disclosureMisplaced }
      guard ![Self.digests, Self.element, Self.algorithm].contains(name) else {
        throw .nameReserved
      }
      guard depth > 0 || !CredentialTerms.alwaysVisible.contains(name) else {
        throw .registeredClaimHidden
      }
      let member = try node(
        disclosures[position].value, disclosure: position, depth: depth + 1, mayHide: true)
      guard members.updateValue(member, forKey: name) == nil else { throw .claimRepeated }
    }
    return members
  }

  private mutating func elements(
    _ values: [JSONValue], depth: Int, mayHide: Bool
  ) throws(CredentialError) -> [ClaimNode] {
    var elements: [ClaimNode] = []
    for value in values {
      guard let object = value.object, let digest = object[Self.element] else {
        elements.append(
          try node(value, disclosure: nil, depth: depth + 1, mayHide: mayHide))
        continue
      }
      guard object.count == 1 else { throw .digestMalformed }
      guard mayHide else { throw .registeredClaimHidden }
      guard let position = try position(digest) else { continue }
      guard disclosures[position].name == nil else { throw .disclosureMisplaced }
      elements.append(
        try node(
          disclosures[position].value, disclosure: position, depth: depth + 1, mayHide: true))
    }
    return elements
  }

  /// Returns the position of the disclosure of `digest`; nil if there is none: it is a decoy, or
  /// the claim is withheld (RFC 9901 section 4.2.5).
  private mutating func position(_ digest: JSONValue) throws(CredentialError) -> Int? {
    guard let text = digest.string else { throw .digestMalformed }
    // As bytes, because strings are also equal if they are only canonically equivalent.
    let bytes = Array(text.utf8)
    guard seen.insert(bytes).inserted else { throw .digestRepeated }
    guard let position = positions[bytes] else { return nil }
    used += 1
    return position
  }
}
