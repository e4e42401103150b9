internal import X509

/// The names that an authority may certify (RFC 5280 section 4.2.1.10). Each doubt counts against
/// the certificate.
enum NameRules {
  private static let maximumNames = 128
  private static let maximumSubtrees = 128

  /// Checks the names of `certificate` against the constraints of an authority above it.
  static func check(
    _ certificate: PathCertificate, against constraints: NameConstraints
  ) throws(TrustError) {
    let permitted = constraints.permittedSubtrees
    let excluded = constraints.excludedSubtrees
    let names = names(of: certificate)
    // Each name is compared with each subtree.
    guard names.count <= maximumNames, permitted.count + excluded.count <= maximumSubtrees else {
      throw .nameNotPermitted
    }
    for name in names {
      let form = Form(name)
      let allowed = permitted.filter { Form($0) == form }
      let denied = excluded.filter { Form($0) == form }
      guard !allowed.isEmpty || !denied.isEmpty else { continue }
      guard allowed.isEmpty || allowed.contains(where: { isWithin(name, $0) }),
        denied.allSatisfy({ isOutside(name, $0) })
      else { throw .nameNotPermitted }
    }
  }

  /// The subject, where it is not empty, its e-mail addresses, and the alternative names.
  private static func names(of certificate: PathCertificate) -> [GeneralName] {
    let subject = certificate.certificate.subject
    let addresses = subject.joined().filter { $0.type == .RDNAttributeType.emailAddress }
    return (subject.isEmpty ? [] : [.directoryName(subject)])
      + addresses.map { .rfc822Name(String($0.value) ?? "") } + certificate.alternativeNames
  }

  private enum Form: Equatable {
    case other, email, dns, x400, directory, edi, uri, ip, registered

    init(_ name: GeneralName) {
      switch name {
      case .otherName: self = .other
      case .rfc822Name: self = .email
      case .dnsName: self = .dns
      case .x400Address: self = .x400
      case .directoryName: self = .directory
      case .ediPartyName: self = .edi
      case .uniformResourceIdentifier: self = .uri
      case .ipAddress: self = .ip
      case .registeredID: self = .registered
      }
    }
  }

  private static func isWithin(_ name: GeneralName, _ subtree: GeneralName) -> Bool {
    switch (name, subtree) {
    case (.dnsName(let host), .dnsName(let base)):
      guard let host = labels(host), let base = Base(base) else { return false }
      return base.hasBelow(host) || !base.isBelowOnly && base.labels == host
    case (.uniformResourceIdentifier(let uri), .uniformResourceIdentifier(let base)):
      guard let host = host(ofURI: uri), let base = Base(base) else { return false }
      return base.isBelowOnly ? base.hasBelow(host) : base.labels == host
    case (.directoryName(let name), .directoryName(let base)):
      return name.starts(with: base)
    default: return false
    }
  }

  /// Not the opposite of `isWithin`: what cannot be compared is neither.
  private static func isOutside(_ name: GeneralName, _ subtree: GeneralName) -> Bool {
    switch (name, subtree) {
    case (.dnsName(let host), .dnsName(let base)):
      guard let host = labels(host), let base = Base(base) else { return false }
      return !base.hasBelow(host) && base.labels != host
    case (.uniformResourceIdentifier(let uri), .uniformResourceIdentifier(let base)):
      guard let host = host(ofURI: uri), let base = Base(base) else { return false }
      return !base.hasBelow(host) && base.labels != host
    // An excluded name may be spelt in another way that only the full comparison of RFC 5280
    // section 7.1 would find.
    default: return false
    }
  }

  /// The host or domain that a constraint names.
  private struct Base {
    let labels: [String]
    /// Whether it begins with a full stop and so means all hosts below, without itself.
    let isBelowOnly: Bool

    init?(_ text: String) {
      isBelowOnly = text.hasPrefix(".")
      // The empty constraint means all names.
      guard !text.isEmpty else {
        labels = []
        return
      }
      guard let labels = NameRules.labels(String(isBelowOnly ? text.dropFirst() : text[...])) else {
        return nil
      }
      self.labels = labels
    }

    func hasBelow(_ host: [String]) -> Bool {
      host.count > labels.count && Array(host.suffix(labels.count)) == labels
    }
  }

  /// The labels of a host name in lower case; nil for what is none, as a wildcard or an address.
  private static func labels(_ host: String) -> [String]? {
    guard host.utf8.count <= 253 else { return nil }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    for label in labels {
      guard (1...63).contains(label.utf8.count), label.utf8.allSatisfy(isOfHost) else { return nil }
    }
    guard labels.last?.utf8.allSatisfy({ isDigit($0) }) == false else { return nil }
    return labels.map { $0.lowercased() }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: isDigit(byte)
    }
  }

  /// The characters of ASCII that RFC 3986 has not.
  private static let notInURIs = Set("\"<>\\^`{|}".utf8)

  /// The host of a URI with an authority and no user information, whose `@` neither a host nor a
  /// port may have; nil for each other one.
  private static func host(ofURI uri: String) -> [String]? {
    // Readers differ on where the host of anything else begins and ends.
    guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !notInURIs.contains($0) }),
      let colon = uri.firstIndex(of: ":")
    else { return nil }
    let rest = uri[uri.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    return labels(String(host))
  }
}
