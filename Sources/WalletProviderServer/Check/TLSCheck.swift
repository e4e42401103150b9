import NIOSSL
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the server's TLS certificate and key.
package enum TLSCheck {
  /// How many days before its expiry the check notes a certificate. Renewing one manually takes
  /// days.
  private static let earlyDays: Int64 = 14

  /// - Parameter now: milliseconds since 1970.
  package static func findings(_ files: TLSFiles?, now: Int64) -> [Finding] {
    guard let files else { return [Finding(.ok, "TLS", "none: plain HTTP")] }
    do {
      _ = try ServerTLS(files)
      guard let certificate = try PEMFile.certificates(files.certificate).first else { return [] }
      return [validity(certificate, now: now / 1000), names(certificate)]
    } catch { return [Finding(.wrong, "TLS", error.description)] }
  }

  private static func validity(_ certificate: NIOSSLCertificate, now: Int64) -> Finding {
    let (first, last) = (
      Int64(certificate.notValidBefore), Int64(certificate.notValidAfter)
    )
    if now < first {
      return Finding(.wrong, "TLS", "the certificate is not valid before \(text(first))")
    }
    if now > last { return Finding(.wrong, "TLS", "the certificate expired at \(text(last))") }
    let days = (last - now) / 86_400
    return Finding(
      days < earlyDays ? .note : .ok, "TLS",
      "the certificate and its key match, it expires at \(text(last)), in \(days) days")
  }

  private static func names(_ certificate: NIOSSLCertificate) -> Finding {
    // The underscore marks a member that may change, but NIOSSL has no other way to read the names.
    let names = certificate._subjectAlternativeNames().compactMap { name in
      name.nameType == .dnsName ? String(decoding: name.contents, as: UTF8.self) : nil
    }
    guard !names.isEmpty else {
      return Finding(.note, "TLS", "the certificate names no host, only addresses or nothing")
    }
    return Finding(.ok, "TLS", "the certificate is for \(names.joined(separator: ", "))")
  }

  private static func text(_ seconds: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
  }
}
