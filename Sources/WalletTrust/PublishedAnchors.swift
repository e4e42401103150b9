internal import WalletJOSE
public import WalletProtocol

extension TrustAnchor {
  /// The maximum length of a name, in bytes.
  public static let maximumNameLength = 128
  /// The maximum number of types.
  public static let maximumTypes = 64
  /// The maximum length of a type, in bytes.
  public static let maximumTypeLength = 256

  /// Reads an entry of the configuration. The provider publishes only what this accepts.
  public init(_ entry: PublishedAnchor) throws(TrustError) {
    guard let role = TrustRole(rawValue: entry.role),
      (1...Self.maximumNameLength).contains(entry.name.utf8.count),
      entry.types.count <= Self.maximumTypes,
      entry.types.allSatisfy({ (1...Self.maximumTypeLength).contains($0.utf8.count) }),
      entry.notBefore <= entry.notAfter
    else { throw .anchorRefused }
    guard let certificate = Base64.decode(entry.certificate) else { throw .certificateMalformed }
    try self.init(
      name: entry.name, role: role, types: Set(entry.types), certificate: certificate,
      inForce: entry.notBefore...entry.notAfter)
  }
}

extension TrustAnchors {
  /// The anchors of a configuration, as far as this version can read them, and how many entries of
  /// roles that it knows it cannot.
  ///
  /// Entries of other roles are ignored: later versions may have more roles. An unreadable entry is
  /// left out, and with it the parties below it, so that a single one does not cost the wallet all
  /// newer configurations.
  public static func readable(
    in entries: [PublishedAnchor]
  ) -> (anchors: TrustAnchors, unreadable: Int) {
    let known = entries.filter { TrustRole(rawValue: $0.role) != nil }
    var seen: Set<[String]> = []
    let anchors = known.compactMap { entry -> TrustAnchor? in
      guard let anchor = try? TrustAnchor(entry) else { return nil }
      // A second entry of one certificate and role is ambiguous, so the first one counts. Base64
      // has one text for each value.
      return seen.insert([entry.role, entry.certificate]).inserted ? anchor : nil
    }
    guard let readable = try? TrustAnchors(anchors) else { return (.none, known.count) }
    return (readable, known.count - anchors.count)
  }
}
