public import WalletProtocol

extension DataDirectory {
  /// What an app embeds to find and trust a provider that clients reach at `url`.
  ///
  /// - Parameter certificateAuthority: PEM; nil to trust the system's authorities.
  /// - Throws: `SettingsError` if `url` is neither https:// nor http:// with a literal loopback
  ///   address.
  public func clientConfiguration(
    url: String, certificateAuthority: String? = nil, updatePolicy: String? = nil
  ) throws(SettingsError) -> ClientConfiguration {
    let address = try ProviderURL(url)
    return ClientConfiguration(
      providerURL: address.text, certificateAuthority: certificateAuthority,
      allowLoopbackHTTP: address.isLoopbackHTTP,
      configurationSigningKeys: identity.keys.configurationSigningKeys,
      configuration: configuration.compact, updatePolicy: updatePolicy)
  }

  /// Returns the directory's update policy, signed.
  ///
  /// - Parameter now: Seconds since 1970.
  /// - Throws: `FileProblem` if the policy file cannot be read.
  public func signedUpdatePolicy(now: Int64) throws -> String {
    let policy = try UpdatePolicy(file: updatePolicyPath) ?? .none
    return try SignedMessage.sign(
      UpdatePolicyClaims(providerID: identity.id, issuedAt: now, rules: policy.rules),
      type: .updatePolicy, signer: identity.keys.configurationSigning)
  }

  /// Validates `url` as `clientConfiguration(url:certificateAuthority:)` does, without a directory.
  /// Also throws for a certificate authority with an http:// URL, where it would have no effect.
  public static func checkClientURL(
    _ url: String, hasCertificateAuthority: Bool = false
  ) throws(SettingsError) {
    guard try !ProviderURL(url).isLoopbackHTTP || !hasCertificateAuthority else {
      throw SettingsError("a certificate authority is for an https:// URL")
    }
  }
}

/// A provider address that clients accept: a scheme, a host and an optional port, with nothing
/// after them.
package struct ProviderURL: Equatable {
  /// Without a trailing slash.
  package let text: String
  package let isLoopbackHTTP: Bool

  package init(_ url: String) throws(SettingsError) {
    text = url.hasSuffix("/") ? String(url.dropLast()) : url
    let isHTTPS = text.hasPrefix("https://")
    guard isHTTPS || text.hasPrefix("http://") else {
      throw SettingsError("the URL must begin with https:// (or http:// to a loopback address)")
    }
    let authority = text.dropFirst(isHTTPS ? 8 : 7)
    guard let host = Self.host(of: authority) else {
      throw SettingsError(
        "the URL must be a host and an optional port, without path, query or user")
    }
    isLoopbackHTTP = !isHTTPS
    guard isHTTPS || LoopbackAddress.isLiteral(host) else {
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
