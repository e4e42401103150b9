/// Where the world reaches the provider, and so its name as an issuer: a scheme, a host, an optional
/// port and an optional path, with nothing after them.
public struct PublicURL: Sendable, Equatable {
  /// Without a trailing slash.
  public let text: String
  /// Whether it begins with `https://`. Otherwise it is `http://` with a host of this machine.
  public let isHTTPS: Bool
  /// The host in lower case; an IPv6 address without its brackets.
  let host: String
  /// Empty, or with a leading slash and none at the end.
  public let path: String

  private static let maximumLength = 200

  /// - Throws: `SettingsError` for another form, and for `http://` to another machine.
  public init(_ url: String) throws(SettingsError) {
    let text = url.hasSuffix("/") ? String(url.dropLast()) : url
    guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else {
      throw SettingsError("the URL must begin with https:// (or http:// to this machine)")
    }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    let path = rest[authority.endIndex...]
    let host = try Self.host(scheme + authority)
    guard text.utf8.count <= Self.maximumLength, Self.isPath(path) else {
      throw SettingsError(
        "the URL must be a host with an optional port and path, of at most \(Self.maximumLength)"
          + " characters; the path has letters, digits and -._~ between its slashes")
    }
    self.text = scheme + authority.lowercased() + path
    isHTTPS = scheme == "https://"
    self.host = host
    self.path = String(path)
  }

  private static func host(_ address: String) throws(SettingsError) -> String {
    // The name of this machine counts as one of its addresses here: no wallet follows this URL.
    let local = "http://localhost"
    guard address != local, !address.hasPrefix(local + ":") else { return "localhost" }
    let text = try ProviderURL(address).text
    let authority = text.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
    if authority.hasPrefix("[") {
      return String(authority.dropFirst().prefix { $0 != "]" }).lowercased()
    }
    return String(authority.prefix { $0 != ":" }).lowercased()
  }

  /// Whether it is empty or made of segments that no reader spells in another way.
  private static func isPath(_ path: Substring) -> Bool {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().allSatisfy { segment in
      !segment.isEmpty && segment != "." && segment != ".."
        && segment.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
          default: false
          }
        }
    }
  }
}
