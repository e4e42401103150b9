#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
public import WalletCrypto
public import WalletModel
public import WalletProtocol

/// A verified PID, with what is needed to show and present it.
public struct PIDCredential: Sendable, RedactedDescription {
  /// The stored form, sealed under the vault key.
  private struct Record: Codable {
    var schema = 1
    /// The SD-JWT VC in compact form.
    var credential: String
    /// Base64url of the issuer's Ed25519 key that verified the credential. It is stored because the
    /// issuer may stop publishing it.
    var issuerKey: String
    /// The identifier, at the signing bridge, of the key that the PID is bound to.
    var keyIdentifier: String

    enum CodingKeys: String, CodingKey {
      case schema, credential
      case issuerKey = "issuer_key"
      case keyIdentifier = "key_identifier"
    }
  }

  /// How far two clocks of the provider may differ, in seconds. The provider issues a PID by the
  /// clock of its database, but tells the core the time of a server. The limit is the same as for a
  /// device's clock (UC3.1 row 1).
  private static let allowedSkew: Int64 = 5 * 60

  private let verified: VerifiedSDJWT
  private let record: Record

  /// The identifier, at the signing bridge, of the key that the PID is bound to.
  public var keyIdentifier: String { record.keyIdentifier }
  /// When the PID expires, in seconds since 1970.
  public var expiry: Int64 { verified.expires }
  /// The key that the PID is bound to.
  public var holderKey: SubjectPublicKey { verified.holderKey }

  /// Verifies a PID that was just issued. It must be signed by one of `issuerKeys`, be bound to
  /// `key`, have all required claims and the type of a PID, and be valid now.
  ///
  /// - Parameters:
  ///   - issuer: the provider's id.
  ///   - now: seconds since 1970 by the provider's clock.
  /// - Throws: `serverRefused`, without any content of the PID.
  public init(
    issued credential: Secret, issuer: String, issuerKeys: [PublishedKey],
    boundTo key: SubjectPublicKey, keyIdentifier: String, now: Int64
  ) throws(WalletError) {
    do {
      let text = String(decoding: credential.disclosed(), as: UTF8.self)
      let parsed = try SDJWT(parsing: text)
      guard let published = issuerKeys.first(where: { $0.id == parsed.keyID }) else {
        throw SDJWTError.issuerRefused
      }
      verified = try parsed.verifyIssued(
        SDJWTExpectation(
          issuer: issuer, type: PIDClaims.type, now: now, skew: Self.allowedSkew),
        verifier: try Self.verifier(published.key), sha256: Hash.sha256)
      record = Record(
        credential: text, issuerKey: published.key, keyIdentifier: keyIdentifier)
      let claims = try verified.claims(as: PIDClaims.self)
      let validity = verified.expires.subtractingReportingOverflow(verified.issuedAt)
      guard verified.withheldCount == 0, verified.holderKey == key,
        claims.familyName != nil, claims.givenName != nil, claims.birthdate != nil,
        claims.ageEqualOrOver != nil, !validity.overflow,
        validity.partialValue <= PIDClaims.maximumValidity
      else { throw SDJWTError.contentMalformed }
    } catch {
      let reason = (error as? SDJWTError).map { "\($0)" } ?? "unreadable"
      throw WalletError(
        .serverRefused, "The provider's PID does not verify (\(reason)); it was not taken.")
    }
  }

  /// Returns the unverified id of the issuer key that a PID names; nil if it names none.
  public static func issuerKeyID(of credential: Secret) -> String? {
    try? SDJWT(parsing: String(decoding: credential.disclosed(), as: UTF8.self)).keyID
  }

  /// Reads a stored PID.
  ///
  /// - Throws: `storageCorrupt`.
  public init(stored: Secret) throws(WalletError) {
    do {
      record = try WireJSON.decode(Record.self, from: stored.disclosed())
      let parsed = try SDJWT(parsing: record.credential)
      // Whether the PID has expired is not checked here, but when it is presented.
      verified = try parsed.verifyStored(
        type: PIDClaims.type, verifier: try Self.verifier(record.issuerKey), sha256: Hash.sha256)
    } catch {
      throw WalletError(.storageCorrupt, "The stored PID is unreadable; wipe to start over.")
    }
  }

  /// Returns what to store under the vault key.
  public func stored() throws(WalletError) -> Secret {
    do {
      var text = try WireJSON.encode(record)
      defer { text.withUnsafeMutableBytes { Memory.wipe($0) } }
      return try Secret(copying: text)
    } catch {
      throw WalletError(.outOfResources, "Not enough guarded memory for the PID.")
    }
  }

  /// Returns the card as its owner sees it.
  ///
  /// - Parameter now: seconds since 1970 by the provider's clock.
  public func card(id: String, now: Int64) -> Card {
    Card(
      id: id, type: verified.type,
      issuer: (try? verified.claims(as: PIDClaims.self))?.issuingAuthority ?? verified.issuer,
      state: CardState(
        issuedAt: verified.issuedAt, notBefore: nil, expires: verified.expires, now: now),
      issuedAt: verified.issuedAt, expiresAt: verified.expires,
      claims: verified.claims.mapValues(Card.Value.init),
      disclosable: verified.disclosed.map { [.name($0)] })
  }

  /// Presents the PID with the claims `names` disclosed and the others withheld (RFC 9901 section
  /// 4.3).
  ///
  /// - Parameters:
  ///   - now: seconds since 1970 by the provider's clock.
  ///   - signer: of `holderKey`.
  /// - Throws: `invalidArgument`; what the bridge throws.
  public func present(
    disclosing names: Set<String>, nonce: String, audience: String, now: Int64,
    signer: some Signer
  ) throws(WalletError) -> String {
    guard verified.expires > now else {
      throw WalletError(.cardExpired, "The card has expired; obtain a new one.")
    }
    do {
      return try verified.present(
        disclosing: names, audience: audience, nonce: nonce, now: now, signer: signer,
        sha256: Hash.sha256)
    } catch SDJWTError.claimUnknown {
      throw WalletError(
        .invalidArgument,
        "The card has other claims to disclose: \(verified.disclosed.joined(separator: ", ")).")
    } catch let error as WalletError {
      throw error
    } catch {
      throw WalletError(.invalidArgument, "The presentation could not be made.")
    }
  }

  private static func verifier(_ key: String) throws -> Ed25519.VerifyingKey {
    guard let raw = Base64URL.decode(key) else { throw SDJWTError.issuerRefused }
    return try Ed25519.VerifyingKey(publicKey: raw)
  }
}

extension Card.Value {
  fileprivate init(_ value: JSONValue) {
    switch value {
    case .null: self = .nothing
    case .boolean(let truth): self = .truth(truth)
    case .integer(let number): self = .number(number)
    case .number(let text): self = .decimal(text)
    case .string(let text): self = .text(text)
    case .array(let values): self = .list(values.map(Card.Value.init))
    case .object(let members): self = .members(members.mapValues(Card.Value.init))
    }
  }
}
