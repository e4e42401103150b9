/// The anchors of a wallet, and the judge of certificate chains.
///
/// Chains are walked in the order in which they travel, without search and without suspension; the
/// library's own verifier is asynchronous, looks for any order that fits, and does not tell which
/// rule failed. Revocation lists are not consulted.
public struct TrustAnchors: Sendable {
  /// The maximum number of certificates in a message, which is that of steps below the anchor.
  public static let maximumDepth = 4

  public let anchors: [TrustAnchor]

  /// No anchors, so no chain is trusted.
  public static let none = TrustAnchors(checked: [])

  /// - Throws: `anchorRefused` if a certificate appears twice for one role.
  public init(_ anchors: [TrustAnchor]) throws(TrustError) {
    var seen: Set<[UInt8]> = []
    for anchor in anchors {
      guard seen.insert(Array(anchor.role.rawValue.utf8) + anchor.certificate.der).inserted else {
        throw .anchorRefused
      }
    }
    self.init(checked: anchors)
  }

  private init(checked anchors: [TrustAnchor]) { self.anchors = anchors }

  /// The certificates of one role that count at a time, as PEM, for software that judges chains
  /// itself.
  ///
  /// - Parameter now: seconds since 1970.
  public func pem(role: TrustRole, now: Int64) -> [UInt8] {
    anchors.filter { $0.role == role && $0.inForce.contains(now) }.flatMap { Array($0.pem.utf8) }
  }

  /// Judges the chain of a message by the rules of RFC 5280 section 6.1 and stricter ones: an
  /// authority states its key usage, each certificate is issued by the next, and none issues
  /// itself.
  ///
  /// - Parameters:
  ///   - chain: certificates in DER, the signer's first, without the anchor (`x5c`).
  ///   - role: what the party acts as.
  ///   - now: seconds since 1970.
  public func judge(
    chain: [[UInt8]], role: TrustRole, now: Int64
  ) throws(TrustError) -> TrustedLeaf {
    guard chain.count <= Self.maximumDepth else { throw .chainLength }
    var path: [PathCertificate] = []
    for der in chain { path.append(try PathCertificate(der: der)) }
    guard let leaf = path.first, let last = path.last else { throw .chainLength }
    for certificate in path {
      guard !anchors.contains(where: { $0.role == role && $0.certificate.der == certificate.der })
      else {
        throw .anchorInChain
      }
      guard certificate.issuer != certificate.subject else { throw .selfIssued }
    }
    for (certificate, issuer) in zip(path, path.dropFirst()) {
      try issuer.checkAuthority()
      try certificate.checkIssued(by: issuer)
    }
    for certificate in path { try certificate.checkValidity(now: now) }
    try leaf.checkLeaf(role: role)
    // An authority that has renewed its key or certificate has several anchors of one name. It may
    // issue what any that fits allows.
    var reason = TrustError.anchorUnknown
    var fitting: [TrustAnchor] = []
    for anchor in anchors
    where anchor.role == role && anchor.certificate.subject == last.issuer {
      do throws(TrustError) {
        try last.checkIssued(by: anchor.certificate)
        guard anchor.inForce.contains(now) else { throw .anchorNotInForce }
        try anchor.certificate.checkValidity(now: now)
        try Self.checkReach(of: path.dropFirst() + [anchor.certificate], over: path)
        fitting.append(anchor)
      } catch { if reason == .anchorUnknown || reason.isOfAnotherKey { reason = error } }
    }
    guard let anchor = fitting.first else { throw reason }
    return try TrustedLeaf(
      leaf, path: path + [anchor.certificate], anchor: anchor, fitting: fitting)
  }

  /// Checks what each authority limits below itself.
  ///
  /// - Parameter authorities: the issuers of the certificates of `path`, in its order.
  private static func checkReach(
    of authorities: some Sequence<PathCertificate>, over path: [PathCertificate]
  ) throws(TrustError) {
    for (between, authority) in authorities.enumerated() {
      if let maximum = authority.pathLength, between > maximum { throw .pathTooLong }
      guard let constraints = authority.constraints else { continue }
      for certificate in path.prefix(between + 1) {
        try NameRules.check(certificate, against: constraints)
      }
    }
  }
}
