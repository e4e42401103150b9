/// What a universal link or a scanned code asks the wallet to do, decided from its text alone.
///
/// Paths are compared as a whole, never by their beginning (W18): "/login" is one purpose, "/login2"
/// and "/login/" are none. Links are secrets of their owner and never logged.
public enum UniversalLink: Equatable, Sendable {
  /// What it is for.
  public enum Purpose: String, CaseIterable, Sendable {
    case issuance
    case sharing
    case login
    case enrolment

    /// The path of links for it.
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
  /// One of ours, for something that this version does not know.
  case unknownPurpose
  case invalid

  /// Links are at most so long, in bytes.
  public static let maximumLength = 2048

  /// Reads `text`.
  ///
  /// - Parameter hosts: The hosts of the configuration; compared as a whole.
  public init(_ text: some StringProtocol, hosts: [String]) {
    self = Self.read(text, hosts) ?? .invalid
  }

  private static func read(_ text: some StringProtocol, _ hosts: [String]) -> UniversalLink? {
    let scheme = "https://"
    guard text.utf8.count <= maximumLength, text.hasPrefix(scheme),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    let (address, fragment) = split(text.dropFirst(scheme.count), at: "#")
    let (resource, query) = split(address, at: "?")
    // No user, no port: the authority is a host of ours and nothing else.
    let (host, path) = split(resource, at: "/")
    guard hosts.contains(String(host)), let path else { return nil }
    let parameters = parameters(of: fragment ?? "")
    guard let parameters, parameters["v"] ?? "1" == "1" else {
      return parameters == nil ? nil : .unknownPurpose
    }
    guard let purpose = Purpose.allCases.first(where: { $0.path.dropFirst() == path }) else {
      return .unknownPurpose
    }
    if purpose == .enrolment, query != nil { return nil }
    switch parameters["m"] {
    case nil, "link": return .valid(purpose, madeForScanning: false)
    case "qr": return .valid(purpose, madeForScanning: true)
    default: return nil
    }
  }

  private static func split(
    _ text: some StringProtocol, at separator: Character
  ) -> (before: Substring, after: Substring?) {
    let text = Substring(text)
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  /// The members of a fragment such as "v=1&m=qr"; nil for one that is given twice.
  private static func parameters(of fragment: Substring) -> [Substring: Substring]? {
    var parameters: [Substring: Substring] = [:]
    for member in fragment.split(separator: "&") {
      let (name, value) = split(member, at: "=")
      guard parameters.updateValue(value ?? "", forKey: name) == nil else { return nil }
    }
    return parameters
  }
}
