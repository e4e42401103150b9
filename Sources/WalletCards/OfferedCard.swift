public import WalletAccount
internal import WalletCredentials
internal import WalletCrypto
public import WalletModel
public import WalletProtocol
public import WalletStorage
public import WalletTrust

/// A card as an issuer gave it: its copies, each checked, and bound to a prepared key.
public struct OfferedCard: Sendable, RedactedDescription {
  private struct Copy {
    let copy: CardCopy
    let terms: CredentialTerms
  }

  /// The members of the payload that say something about the card, not about its holder.
  private static let terms: Set<String> = [
    "iss", "iat", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status", "_sd_alg",
  ]

  private let copies: [Copy]
  private let purpose: CardKeyPurpose
  private let issuer: CardRecord.Issuer
  public let content: CardContent

  /// The times and the status source of each copy.
  var terms: [CredentialTerms] { copies.map(\.terms) }

  /// Checks the copies of a card: chain and role of the issuer, the type that the chain's anchor
  /// allows, signature, disclosures, times, and that each is bound to another of `keys`. All copies
  /// state the same.
  ///
  /// - Parameters:
  ///   - texts: the copies, each an SD-JWT in compact form.
  ///   - keys: the keys that are prepared for `purpose`.
  ///   - now: seconds since 1970.
  /// - Throws: `cardRefused`, with the reason, without any content.
  public init(
    _ texts: [String], display: CardDisplay = CardDisplay(), keys: [CardKey],
    for purpose: CardKeyPurpose = .card, anchors: TrustAnchors, now: Int64
  ) throws(WalletError) {
    guard (1...CardStore.maximumCopies).contains(texts.count) else {
      throw Self.refused("the number of its copies")
    }
    var unused = keys
    var copies: [Copy] = []
    var contents: [CardContent] = []
    var issuers: [CardRecord.Issuer] = []
    for text in texts {
      let (verified, issuer) = try Self.verified(text, anchors: anchors, now: now)
      guard let index = unused.firstIndex(where: { $0.subjectKey == verified.terms.holderKey })
      else { throw Self.refused("it is bound to no key of this wallet") }
      let key = unused.remove(at: index)
      copies.append(
        Copy(
          copy: CardCopy(credential: text, keyIdentifier: key.identifier), terms: verified.terms))
      contents.append(Self.content(verified, issuer, display))
      issuers.append(
        CardRecord.Issuer(issuer, types: [verified.terms.type] + verified.terms.otherTypes))
    }
    guard Self.haveNothingInCommon(texts), Self.haveOwnEntries(copies.map(\.terms.status)) else {
      throw Self.refused("verifiers could tell that its copies belong together")
    }
    guard var content = contents.first, contents.allSatisfy({ $0 == content }),
      let issuer = issuers.first, issuers.allSatisfy({ $0 == issuer })
    else {
      throw Self.refused("its copies state different things")
    }
    content.keyIdentifiers = copies.map(\.copy.keyIdentifier).sorted()
    self.copies = copies
    self.purpose = purpose
    self.issuer = issuer
    self.content = content
  }

  /// Stores the card, in place of an earlier one with its id.
  ///
  /// - Parameters:
  ///   - id: nil for a new card.
  ///   - formerKeys: those of the earlier card with this id, as far as they are known; nil if there
  ///     is no such card.
  ///   - walletID: the id of the wallet at the provider.
  ///   - changes: what else changes in the same transaction.
  ///   - seal: seals the content under the vault key.
  /// - Returns: The record of the card.
  public func store(
    in cards: CardStore, as id: String? = nil, replacing formerKeys: [String]? = nil,
    walletID: String, useKey: PublishedKey, now: Int64,
    with changes: (SealedStore.Transaction) throws -> Void = { _ in },
    seal: (CardContent, _ id: String) throws(WalletError) -> SealedVaultValue
  ) throws(WalletError) -> CardRecord {
    let id = id ?? Base64URL.encode(Random.bytes(16))
    var slots: [String: CardSlot] = [:]
    var records: [CardRecord.Copy] = []
    for copy in copies {
      let copyID = Random.bytes(SlotKeyMessage.copyLength)
      let name = Base64URL.encode(copyID)
      slots[name] = try CardSlot(
        sealing: copy.copy, copyID: copyID, walletID: walletID, to: useKey)
      records.append(
        CardRecord.Copy(
          id: name, issuedAt: copy.terms.issuedAt, notBefore: copy.terms.notBefore,
          expires: copy.terms.expires,
          status: CopyStatus(copy.terms.status)))
    }
    let record = CardRecord(id: id, copies: records, issuer: issuer, at: now)
    try cards.add(
      CardStore.NewCard(
        record: record, content: try seal(content, id), slots: slots,
        keys: content.keyIdentifiers, purpose: purpose),
      formerKeys: formerKeys, with: changes)
    return record
  }

  private static func verified(
    _ text: String, anchors: TrustAnchors, now: Int64
  ) throws(WalletError) -> (VerifiedCredential, TrustedLeaf) {
    let issuer: TrustedLeaf
    let verified: VerifiedCredential
    do {
      let credential = try Credential(parsing: text)
      issuer = try anchors.judge(chain: credential.chain, role: .issuer, now: now)
      verified = try credential.verify(by: issuer.verifier)
    } catch let error as TrustError {
      throw refused("its issuer is not trusted (\(error))")
    } catch let error as CredentialError {
      throw refused("it does not verify (\(error))")
    } catch { throw refused("it is unreadable") }
    guard issuer.mayIssue([verified.terms.type] + verified.terms.otherTypes) else {
      throw refused("its issuer may not issue this type")
    }
    guard verified.terms.validity(at: now) != .expired else { throw refused("it has expired") }
    return (verified, issuer)
  }

  /// Whether no disclosure, which has a salt of its own, is in two copies.
  private static func haveNothingInCommon(_ texts: [String]) -> Bool {
    var seen: Set<Substring> = []
    for text in texts {
      let parts = text.utf8.split(separator: UInt8(ascii: "~"))
      let disclosures = Set(parts.dropFirst().map(Substring.init))
      guard seen.isDisjoint(with: disclosures) else { return false }
      seen.formUnion(disclosures)
    }
    return true
  }

  /// Whether no two copies have one entry of a status list.
  private static func haveOwnEntries(_ sources: [CredentialStatusSource]) -> Bool {
    var seen: Set<[String]> = []
    return sources.allSatisfy { source in
      guard case .list(let index, let uri) = source else { return true }
      return seen.insert([uri, String(index)]).inserted
    }
  }

  private static func content(
    _ verified: VerifiedCredential, _ issuer: TrustedLeaf, _ display: CardDisplay
  ) -> CardContent {
    let claims = (verified.claims.object ?? [:]).filter { !terms.contains($0.key) }
    // `iat` may be hidden, but is no claim about the holder.
    let ways = verified.disclosable.filter { way in
      if case .name(let name) = way.components.first { !terms.contains(name) } else { true }
    }
    return CardContent(
      type: verified.terms.type, otherTypes: verified.terms.otherTypes,
      issuer: issuer.organizationName ?? issuer.anchorName,
      issuerURL: verified.terms.statedIssuer.flatMap { issuer.names($0) ? $0 : nil },
      display: display.showable, claims: claims, disclosable: ways,
      authorities: issuer.authorityKeyIdentifiers.map(Base64URL.encode), keyIdentifiers: [])
  }

  private static func refused(_ reason: String) -> WalletError {
    WalletError(.cardRefused, "The card was not taken: \(reason).")
  }
}

extension TrustedLeaf {
  /// Whether the certificate names the host of an https URL, or the URL itself.
  fileprivate func names(_ url: String) -> Bool {
    if uris.contains(where: { $0.utf8.elementsEqual(url.utf8) }) { return true }
    let authority = url.utf8.dropFirst("https://".utf8.count).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: ":")
    }
    return dnsNames.contains { $0.lowercased().utf8.elementsEqual(authority) }
  }
}
