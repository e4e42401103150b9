/// What a universal link or a scanned code asks the wallet to do, decided from its text alone.
///
/// Paths are compared as a whole, never by prefix: "/login" is a purpose, "/login2" and "/login/"
/// are not. A link is a secret of its owner, so it is never logged, and it is read without a copy.
/// Only the names of a fragment's members are copied.
public enum UniversalLink: Equatable, Sendable {
  /// What a link is for.
  public enum Purpose: String, CaseIterable, Sendable {
    case issuance
    case sharing
    case login
    case enrolment

    /// The path of links for this purpose.
    var path: String {
      switch self {
      case .issuance: "/issuance"
      case .sharing: "/sharing"
      case .login: "/login"
      case .enrolment: "/b"
      }
    }
  }

  case valid(Purpose, madeForScanning: Bool)
  /// A link to one of the configured hosts, for a purpose that this version does not know.
  case unknownPurpose
  case invalid

  /// The maximum length of a link, in bytes.
  public static let maximumLength = 8 * 1024

  /// The schemes by which relying parties call a wallet (OpenID4VP 1.0 section 13.1.2, and HAIP 1.0).
  private static let schemesOfRelyingParties = ["openid4vp://", "haip-vp://"]

  /// Reads a link from the bytes of its text.
  ///
  /// - Parameter hosts: The hosts of the configuration, compared as a whole.
  public init<Text: Collection<UInt8>>(_ text: Text, hosts: [String]) {
    self = Self.read(text[...], hosts) ?? .invalid
  }

  private static func read<Text: Collection<UInt8>>(
    _ text: Text, _ hosts: [String]
  ) -> UniversalLink? where Text.SubSequence == Text {
    let scheme = "https://".utf8
    guard text.count <= maximumLength, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    if schemesOfRelyingParties.contains(where: { text.starts(with: $0.utf8) }) {
      return .valid(.sharing, madeForScanning: false)
    }
    guard text.starts(with: scheme) else { return nil }
    let (address, fragment) = split(text.dropFirst(scheme.count), at: "#")
    let (resource, query) = split(address, at: "?")
    // The authority must be one of the hosts and nothing else: no user, no port.
    let (host, path) = split(resource, at: "/")
    guard hosts.contains(where: { host.elementsEqual($0.utf8) }), let path else { return nil }
    guard let members = Members(fragment) else { return nil }
    guard members.version?.elementsEqual("1".utf8) ?? true,
      let purpose = Purpose.allCases.first(where: { path.elementsEqual($0.path.utf8.dropFirst()) })
    else { return .unknownPurpose }
    if purpose == .enrolment, query != nil { return nil }
    guard let mark = members.mark else { return .valid(purpose, madeForScanning: false) }
    if mark.elementsEqual("link".utf8) { return .valid(purpose, madeForScanning: false) }
    return mark.elementsEqual("qr".utf8) ? .valid(purpose, madeForScanning: true) : nil
  }

  fileprivate static func split<Text: Collection<UInt8>>(
    _ text: Text, at separator: Unicode.Scalar
  ) -> (before: Text, after: Text?) where Text.SubSequence == Text {
    guard let index = text.firstIndex(of: UInt8(ascii: separator)) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }
}

/// The members of a fragment such as "v=1&m=qr"; a member without a value has an empty one.
private struct Members<Text: Collection<UInt8>> where Text.SubSequence == Text {
  private(set) var version: Text?
  private(set) var mark: Text?

  /// Nil if a member is given twice.
  init?(_ fragment: Text?) {
    guard let fragment else { return }
    var names: Set<[UInt8]> = []
    for member in fragment.split(separator: UInt8(ascii: "&")) {
      let (name, value) = UniversalLink.split(member, at: "=")
      guard names.insert(Array(name)).inserted else { return nil }
      let content = value ?? member.prefix(0)
      if name.elementsEqual("v".utf8) { version = content }
      if name.elementsEqual("m".utf8) { mark = content }
    }
  }
}
