public import WalletProtocol

extension DataDirectory {
  /// All that a client's trust starts from, for a provider that it reaches at `url`.
  ///
  /// - Throws: `SettingsError` when `url` is not https:// nor http:// to a literal loopback address.
  public func clientConfiguration(url: String) throws(SettingsError) -> ClientConfiguration {
    let address = try ProviderURL(url)
    return ClientConfiguration(
      providerURL: address.text, allowLoopbackHTTP: address.isLoopbackHTTP,
      configurationSigningKeys: identity.keys.configurationSigningKeys,
      configuration: configuration.compact)
  }

  /// Throws as `clientConfiguration(url:)` would, without a directory.
  public static func checkClientURL(_ url: String) throws(SettingsError) {
    _ = try ProviderURL(url)
  }
}

/// The address of a provider as clients accept it: scheme, host and maybe a port, nothing behind.
struct ProviderURL: Equatable {
  /// Without a trailing slash.
  let text: String
  let isLoopbackHTTP: Bool

  init(_ url: String) throws(SettingsError) {
    text = url.hasSuffix("/") ? String(url.dropLast()) : url
    let isHTTPS = text.hasPrefix("https://")
    guard isHTTPS || text.hasPrefix("http://") else {
      throw SettingsError("the URL must begin with https:// (or http:// to a loopback address)")
    }
    let authority = text.dropFirst(isHTTPS ? 8 : 7)
    guard let host = Self.host(of: authority) else {
      throw SettingsError("the URL must be a host and maybe a port, without path, query or user")
    }
    isLoopbackHTTP = !isHTTPS
    guard isHTTPS || Self.isLoopback(host) else {
      throw SettingsError(
        "http:// is only for a literal loopback address (127.0.0.1 or [::1]); use https://")
    }
  }

  private static func host(of authority: Substring) -> Substring? {
    var host = authority
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
    }
    let rest = authority[host.endIndex...]
    if !rest.isEmpty {
      guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(isDigit),
        let port = UInt16(rest.dropFirst()), port > 0
      else { return nil }
    }
    let name = host.hasPrefix("[") ? host.dropFirst().dropLast() : host
    let isAllowed = isHostCharacter(inBrackets: host.hasPrefix("["))
    return !name.isEmpty && name.utf8.allSatisfy(isAllowed) ? host : nil
  }

  private static func isLoopback(_ host: Substring) -> Bool {
    if host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127"
      && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) && UInt8($0) != nil }
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
  }

  private static func isHostCharacter(inBrackets: Bool) -> (UInt8) -> Bool {
    let marks = Array((inBrackets ? ":." : "-.").utf8)
    return { character in
      isDigit(character) || marks.contains(character)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character | 0x20)
    }
  }
}
