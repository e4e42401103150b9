extension TrustAnchors {
  /// Whether an issuer whose chain was judged earlier would still be below anchors of these types.
  /// Its chain is not needed: what it was judged by is named by `TrustedLeaf.authorities`.
  ///
  /// - Parameters:
  ///   - types: of its card.
  ///   - now: seconds since 1970.
  public func trustIssuer(
    below authorities: [[UInt8]], for types: [String], at now: Int64
  ) -> Bool {
    var allowed: Set<[UInt8]> = []
    for anchor in anchors
    where anchor.role == .issuer && anchor.inForce.contains(now)
      && authorities.contains(anchor.authority)
    {
      guard (try? anchor.certificate.checkValidity(now: now)) != nil else { continue }
      allowed.formUnion(anchor.types.map { Array($0.utf8) })
    }
    return !types.isEmpty && types.allSatisfy { allowed.contains(Array($0.utf8)) }
  }
}
