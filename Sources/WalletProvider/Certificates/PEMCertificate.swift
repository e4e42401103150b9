import SwiftASN1
import X509

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A certificate of a PEM file.
struct PEMCertificate: Equatable {
  /// What a file may hold: a chain of four for each of eight keys.
  private static let maximumCount = 32

  let der: [UInt8]
  let certificate: Certificate

  init(der: [UInt8]) throws {
    self.der = der
    certificate = try Certificate(derEncoded: der)
  }

  init(_ certificate: Certificate) throws {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    der = serializer.serializedBytes
    self.certificate = certificate
  }

  /// The public key as its certificate has it: for P-256 an uncompressed point.
  var point: [UInt8] { Array(certificate.publicKey.subjectPublicKeyInfoBytes) }

  var isAuthority: Bool {
    guard case .isCertificateAuthority? = try? certificate.extensions.basicConstraints else {
      return false
    }
    return true
  }

  /// The validity in seconds since 1970.
  var notBefore: Int64 { Int64(certificate.notValidBefore.timeIntervalSince1970) }
  var notAfter: Int64 { Int64(certificate.notValidAfter.timeIntervalSince1970) }

  /// Whether `issuer` has the key that signed this certificate.
  func isIssued(by issuer: PEMCertificate) -> Bool {
    certificate.issuer == issuer.certificate.subject
      && issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
  }

  /// Reads the certificates in `text`, at least one.
  ///
  /// - Parameter name: the file or the variable, for messages.
  static func parse(_ text: String, name: String) throws(FileProblem) -> [PEMCertificate] {
    guard let documents = try? PEMDocument.parseMultiple(pemString: text),
      (1...maximumCount).contains(documents.count),
      documents.allSatisfy({ $0.discriminator == "CERTIFICATE" })
    else {
      throw FileProblem("\(name) does not hold 1 to \(maximumCount) PEM certificates and no more")
    }
    var certificates: [PEMCertificate] = []
    for document in documents {
      guard let certificate = try? PEMCertificate(der: document.derBytes) else {
        throw FileProblem("\(name) holds a certificate that cannot be read")
      }
      certificates.append(certificate)
    }
    return certificates
  }

  /// The certificates as PEM.
  static func text(_ certificates: [PEMCertificate]) -> String {
    certificates.map { PEMDocument(type: "CERTIFICATE", derBytes: $0.der).pemString + "\n" }
      .joined()
  }
}

extension IssuerAuthority {
  init(_ certificate: PEMCertificate) {
    self.init(
      certificate: certificate.der, notBefore: certificate.notBefore,
      notAfter: certificate.notAfter)
  }
}
