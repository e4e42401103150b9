public import WalletCredentials
public import WalletCrypto
public import WalletModel
public import WalletProtocol
public import WalletStorage

/// What the owner sees of a card, and what is searched when a verifier asks for claims. Stored under
/// the vault key. It has neither salts nor signatures, so it proves nothing to anybody.
public struct CardContent: Equatable, Sendable, RedactedDescription {
  /// The type of the card (`vct`).
  public var type: String
  /// Further types that the card also has (`aka_vcts`).
  public var otherTypes: [String]
  /// The issuer's name: the organisation in its certificate or, if that has none, the name of the
  /// authority that certified it.
  public var issuer: String
  /// `iss`, if it is an https URL of a host that the issuer's certificate names.
  public var issuerURL: String?
  public var display: CardDisplay
  /// The claims about the holder.
  public var claims: [String: JSONValue]
  /// The ways to all parts of the claims that can be withheld.
  public var disclosable: [ClaimsPath]
  /// The key identifiers of the authorities above the issuer, as base64url, by which a relying party
  /// may say whose cards it trusts.
  public var authorities: [String]
  /// The identifiers of the platform keys of all copies, in alphabetical order. So the keys can be
  /// deleted with the card, without the provider. Which copy is bound to which key is in its slot.
  public var keyIdentifiers: [String]

  /// Claims and paths are texts of their own, because they may be nested as deeply as those of other
  /// parties, and numbers are kept as they are written.
  private struct Record: Codable {
    var schema = 1
    var type: String
    var otherTypes: [String]
    var issuer: String
    var issuerURL: String?
    var display: CardDisplay
    var claims: String
    var disclosable: String
    /// Nil in a card that was stored before these were kept.
    var authorities: [String]?
    var keys: [String]
  }

  init(
    type: String, otherTypes: [String] = [], issuer: String, issuerURL: String? = nil,
    display: CardDisplay = CardDisplay(), claims: [String: JSONValue], disclosable: [ClaimsPath],
    authorities: [String] = [], keyIdentifiers: [String]
  ) {
    self.type = type
    self.otherTypes = otherTypes
    self.issuer = issuer
    self.issuerURL = issuerURL
    self.display = display
    self.claims = claims
    self.disclosable = disclosable
    self.authorities = authorities
    self.keyIdentifiers = keyIdentifiers
  }

  /// Reads what `sealed` has stored.
  ///
  /// - Throws: `storageCorrupt`.
  public init(stored: Secret) throws(WalletError) {
    self = try stored.withBytes { bytes throws(WalletError) in try Self(stored: bytes) }
  }

  /// Reads the bytes of what `sealed` has stored.
  ///
  /// - Throws: `storageCorrupt`.
  public init(stored: UnsafeRawBufferPointer) throws(WalletError) {
    do {
      let record = try WireJSON.decode(Record.self, from: Array(stored))
      guard record.schema == 1,
        let claims = try JSONValue(parsing: Array(record.claims.utf8), profile: .foreign).object,
        let paths = try JSONValue(parsing: Array(record.disclosable.utf8)).array
      else { throw WireError.contentMalformed }
      self.init(
        type: record.type, otherTypes: record.otherTypes, issuer: record.issuer,
        issuerURL: record.issuerURL, display: record.display, claims: claims,
        disclosable: try paths.map { try ClaimsPath(parsing: $0) },
        authorities: record.authorities ?? [], keyIdentifiers: record.keys)
    } catch {
      throw WalletError(.storageCorrupt, "A stored card is unreadable.")
    }
  }

  /// Seals the content for the vault.
  public func sealed(card id: String, key: Secret) throws(WalletError) -> SealedVaultValue {
    let secret: Secret
    do {
      var text = try WireJSON.encode(
        Record(
          type: type, otherTypes: otherTypes, issuer: issuer, issuerURL: issuerURL,
          display: display, claims: Self.text(.object(claims)),
          disclosable: Self.text(.array(disclosable.map(\.json))), authorities: authorities,
          keys: keyIdentifiers))
      defer { text.withUnsafeMutableBytes { Memory.wipe($0) } }
      secret = try Secret(copying: text)
    } catch { throw WalletError(.outOfResources, "Not enough guarded memory for a card.") }
    return try SealedVaultValue(sealing: secret, name: CardStore.contentName(id), key: key)
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.encoded, as: UTF8.self)
  }
}
