import WalletJOSE
import WalletProtocol
import WalletTrust

extension ProviderKeys {
  /// All authorities that the configuration names: the provider's own before the operator's. Where
  /// the operator names one of these for other types of cards too, it has all of these types: of
  /// two entries for one certificate and role, wallets would read one.
  func trustAnchors(_ settings: ProviderSettings) -> [PublishedAnchor] {
    var anchors = issuerAuthorities.anchors(settings)
    for given in settings.trustAnchors {
      guard
        let index = anchors.firstIndex(where: {
          $0.role == given.role && $0.certificate == given.certificate
        })
      else {
        anchors.append(given)
        continue
      }
      anchors[index].types += given.types.filter { !anchors[index].types.contains($0) }
    }
    return anchors
  }

  /// - Throws: `FileProblem` if a signer has no valid chain, as a wallet would judge it, or if
  ///   wallets would refuse the authorities.
  func checkChains(_ settings: ProviderSettings, now: Int64) throws(FileProblem) {
    let anchors = trustAnchors(settings)
    guard anchors.count <= PublishedAnchor.maximumCount,
      (try? WireJSON.encode(anchors).count).map({ $0 <= TrustAnchorFile.maximumTotal }) == true,
      (try? TrustAnchors(anchors.map { try TrustAnchor($0) })) != nil
    else {
      throw FileProblem(
        "wallets would refuse the trust anchors together with the certificates of the provider's own"
          + " authority; leave some out")
    }
    for (role, signer) in [
      (KeyRole.documentSigner, documentSigner), (.statusSigner, statusSigner),
    ] {
      do throws(TrustError) {
        try ChainJudge(issuerAuthorities.anchors(settings), settings).judge(
          signer.chain, role, now: now)
      } catch {
        throw FileProblem(
          "the certificates of the \(role.rawValue) key \(signer.signer.id) are not valid below those"
            + " in issuer-authority.pem: \(ChainJudge.reason(error))")
      }
    }
  }
}

extension [IssuerAuthority] {
  /// The provider's own authority as wallets learn it: for its PIDs and for its status lists.
  func anchors(_ settings: ProviderSettings) -> [PublishedAnchor] {
    var name = settings.proofing.issuingAuthority
    while name.utf8.count > TrustAnchor.maximumNameLength { name.removeLast() }
    return flatMap { authority in
      [(TrustRole.issuer, [settings.pidType]), (.statusList, [])].map { role, types in
        PublishedAnchor(
          name: name, role: role.rawValue, types: types,
          certificate: Base64.encode(authority.certificate), notBefore: authority.notBefore,
          notAfter: authority.notAfter)
      }
    }
  }
}

/// Judges the chains of the provider's signers as a wallet does.
struct ChainJudge {
  private let anchors: TrustAnchors
  private let settings: ProviderSettings

  init(_ entries: [PublishedAnchor], _ settings: ProviderSettings) throws(TrustError) {
    var anchors: [TrustAnchor] = []
    for entry in entries { anchors.append(try TrustAnchor(entry)) }
    self.anchors = try TrustAnchors(anchors)
    self.settings = settings
  }

  /// - Parameters:
  ///   - role: `documentSigner` or `statusSigner`.
  ///   - now: seconds since 1970.
  func judge(_ chain: [[UInt8]], _ role: KeyRole, now: Int64) throws(TrustError) {
    let isStatus = role == .statusSigner
    let leaf = try anchors.judge(chain: chain, role: isStatus ? .statusList : .issuer, now: now)
    guard isStatus || leaf.mayIssue([settings.pidType]) else { throw .anchorRefused }
  }

  /// The rule that was broken, for an operator.
  static func reason(_ error: TrustError) -> String {
    switch error {
    case .expired, .anchorNotInForce: "one has expired, or its authority"
    case .notYetValid: "one is not valid yet"
    case .anchorUnknown: "they do not lead to it"
    case .anchorInChain: "the authority itself must be left out"
    case .selfIssued: "a certificate that issued itself must be left out"
    case .purposeRefused: "the purposes of the key do not fit"
    case .keyUsageRefused, .leafIsAuthority, .notAuthority: "the usage of a key does not fit"
    case .leafKeyRefused, .algorithmRefused:
      "a key or a signature is of another kind than wallets read"
    case .nameNotPermitted: "the authority may not certify these names"
    case .pathTooLong, .chainLength: "there are too many, or one is too long"
    case .nameMismatch, .keyIdentifierMismatch, .signatureInvalid:
      "one was not issued by the next one"
    case .extensionRefused: "one has a critical extension that wallets do not know"
    case .certificateMalformed, .anchorRefused: "one cannot be read"
    }
  }
}
