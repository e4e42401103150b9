internal import WalletJOSE
public import WalletProtocol

/// What an issuer states about the card itself (draft-ietf-oauth-sd-jwt-vc section 2.2.2.2).
/// Members that are not known here are ignored.
public struct CredentialTerms: Sendable, Equatable, RedactedDescription {
  /// The claims that nobody may hide, and no part of them. `iat` and `sub` may be hidden.
  static let alwaysVisible: Set<String> = [
    "iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status",
  ]

  /// The type of the card (`vct`).
  public let type: String
  /// Further types that the card also has (`aka_vcts`).
  public let otherTypes: [String]
  /// `iss` as the card states it. Nothing binds it to the key that signed: the issuer is the
  /// subject of the first certificate, and this URL counts only if that certificate names its host.
  /// Nil if there is none, or if a card with certificates states something else than an https URL.
  public let statedIssuer: String?
  /// Seconds since 1970 (`iat`), a fraction rounded up.
  public let issuedAt: Int64?
  /// Seconds since 1970 (`nbf`), a fraction rounded up.
  public let notBefore: Int64?
  /// Seconds since 1970 (`exp`), a fraction rounded down.
  public let expires: Int64?
  /// The key that presentations must be signed with (`cnf`); nil if the card is bound to none.
  /// Whether a P-256 point is on the curve is checked by the verifier that is made from the key.
  public let holderKey: SubjectPublicKey?
  public let status: CredentialStatusSource

  init(_ claims: [String: JSONValue], hasChain: Bool) throws(CredentialError) {
    guard let type = claims["vct"]?.string, !type.isEmpty else { throw .contentMalformed }
    self.type = type
    otherTypes = try Self.otherTypes(claims["aka_vcts"], than: type)
    if let integrity = claims["vct#integrity"], integrity.string == nil {
      throw .contentMalformed
    }
    if let issuer = claims["iss"] {
      guard let text = issuer.string else { throw .contentMalformed }
      statedIssuer = !hasChain || Self.isHTTPS(text) ? text : nil
    } else {
      statedIssuer = nil
    }
    issuedAt = try Self.time(claims["iat"], .up)
    notBefore = try Self.time(claims["nbf"], .up)
    expires = try Self.time(claims["exp"], .down)
    holderKey = try Self.holderKey(claims["cnf"])
    status = try CredentialStatusSource(claims["status"])
  }

  /// Returns whether the card is valid at a time, without regard to its status.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - skew: how far the issuer's clock may be ahead, in seconds. An expired card gets no grace,
  ///     because a verifier gives none.
  public func validity(at now: Int64, skew: Int64 = 60) -> CredentialValidity {
    let (sum, overflow) = now.addingReportingOverflow(skew)
    let latest = overflow ? Int64.max : sum
    guard issuedAt ?? 0 <= latest, notBefore ?? 0 <= latest else { return .notYetValid }
    if let expires, expires <= now { return .expired }
    return .valid
  }

  private static func time(
    _ value: JSONValue?, _ rounding: NumericDate.Rounding
  ) throws(CredentialError) -> Int64? {
    guard let value else { return nil }
    guard let time = NumericDate.seconds(value, rounding) else { throw .contentMalformed }
    return time
  }

  /// Reads `aka_vcts`: at least one type, and not that of `vct`. Verifiers refuse other cards.
  private static func otherTypes(
    _ value: JSONValue?, than type: String
  ) throws(CredentialError) -> [String] {
    guard let value else { return [] }
    guard let values = value.array, !values.isEmpty else { throw .contentMalformed }
    let types = values.compactMap(\.string)
    guard types.count == values.count,
      types.allSatisfy({ !$0.isEmpty && !$0.utf8.elementsEqual(type.utf8) })
    else { throw .contentMalformed }
    return types
  }

  /// Reads `cnf` (RFC 7800 section 3.2). A card that is bound in a way that is not supported is
  /// refused, because it could never be presented.
  private static func holderKey(_ value: JSONValue?) throws(CredentialError) -> SubjectPublicKey? {
    guard let value else { return nil }
    guard let jwk = value.object?["jwk"], let key = try? SubjectPublicKey(foreignJWK: jwk) else {
      throw .contentMalformed
    }
    return key
  }

  /// Whether `text` is an https URL of 2,048 bytes at most with a host, in the characters of
  /// RFC 3986 and without user and fragment.
  static func isHTTPS(_ text: String) -> Bool {
    authority(of: text, scheme: "https://") != nil
  }

  /// The same for an http URL whose host is a loopback address, not a name.
  static func isLoopbackHTTP(_ text: String) -> Bool {
    guard let authority = authority(of: text, scheme: "http://") else { return false }
    return ["127.0.0.1", "[::1]"].contains { host in
      guard authority.starts(with: host.utf8) else { return false }
      let port = authority.dropFirst(host.utf8.count)
      return port.isEmpty || port.first == UInt8(ascii: ":")
    }
  }

  private static func authority(of text: String, scheme: String) -> Substring.UTF8View? {
    let scheme = scheme.utf8
    let excluded = Array("\"#<>\\^`{|}".utf8)
    let bytes = text.utf8
    guard bytes.count <= 2048, bytes.starts(with: scheme),
      bytes.allSatisfy({ (0x21...0x7E).contains($0) && !excluded.contains($0) })
    else { return nil }
    let authority = bytes.dropFirst(scheme.count).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
    }
    guard let first = authority.first, first != UInt8(ascii: ":"),
      !authority.contains(UInt8(ascii: "@"))
    else { return nil }
    return authority
  }
}

/// Whether a card is valid at a time.
public enum CredentialValidity: Sendable, Equatable {
  case valid
  case notYetValid
  case expired
}

/// Where the status of a card is published (draft-ietf-oauth-status-list section 6).
public enum CredentialStatusSource: Sendable, Equatable {
  /// The issuer cannot withdraw the card.
  case none
  /// The entry `index` of the list at `uri`, an https URL, or an http URL of a loopback address, as
  /// a provider for trials on one machine has it.
  case list(index: Int64, uri: String)
  /// The issuer can withdraw the card in a way that is not supported. So its status is never known.
  case unsupported

  init(_ value: JSONValue?) throws(CredentialError) {
    guard let value else {
      self = .none
      return
    }
    guard let mechanisms = value.object else { throw .contentMalformed }
    guard let entry = mechanisms["status_list"] else {
      self = .unsupported
      return
    }
    guard let index = entry.object?["idx"]?.integer, index >= 0,
      let uri = entry.object?["uri"]?.string,
      CredentialTerms.isHTTPS(uri) || CredentialTerms.isLoopbackHTTP(uri)
    else { throw .contentMalformed }
    self = .list(index: index, uri: uri)
  }
}
