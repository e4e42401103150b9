import SwiftASN1
import WalletSystem
import X509

/// The names in the certificates of a provider, from its settings.
struct IssuerNames {
  private let organization: String
  /// ISO 3166-1 alpha-2; nil for none.
  private let country: String?
  private let url: PublicURL?

  init(_ settings: ProviderSettings) {
    let country = settings.proofing.issuingCountry
    organization = settings.proofing.issuingAuthority
    self.country = country == CountryCode.none ? nil : country
    url = settings.publicURL
  }

  /// The subject of a certificate for a key of `role`.
  func subject(_ role: KeyRole) throws -> DistinguishedName {
    let name =
      switch role {
      case .documentSigner: "PID signer"
      case .statusSigner: "Status list signer"
      default: "PID authority"
      }
    return try DistinguishedName {
      if let country { CountryName(country) }
      OrganizationName(organization)
      CommonName(name)
    }
  }

  /// The alternative names of a signer: the host of the public URL, and the URL, by which a verifier
  /// finds the issuer (`iss`).
  var alternativeNames: SubjectAlternativeNames {
    guard let url else { return SubjectAlternativeNames() }
    let address = InternetAddress.ipv4(url.host) ?? InternetAddress.ipv6(url.host)
    let host: GeneralName =
      address.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) } ?? .dnsName(url.host)
    return SubjectAlternativeNames([host, .uniformResourceIdentifier(url.text)])
  }

  /// Whether a signer's certificate has exactly these names.
  func match(_ certificate: Certificate, _ role: KeyRole) -> Bool {
    guard (try? subject(role)) == certificate.subject,
      let names = try? certificate.extensions.subjectAlternativeNames ?? SubjectAlternativeNames()
    else { return false }
    return Array(names) == Array(alternativeNames)
  }
}
