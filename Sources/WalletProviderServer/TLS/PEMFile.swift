package import NIOSSL
public import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PEM files of certificates and keys (RFC 7468).
public enum PEMFile {
  /// Reads a file that must exist.
  static func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8] {
    guard let content = try PrivateFile.read(path, secret: secret) else {
      throw FileProblem("there is no file \(path)")
    }
    return content
  }

  /// The text of a file that must exist and is not secret.
  public static func text(_ path: String) throws(FileProblem) -> String {
    String(decoding: try read(path, secret: false), as: UTF8.self)
  }

  /// The certificates in the file, at least one.
  package static func certificates(_ path: String) throws(FileProblem) -> [NIOSSLCertificate] {
    let content = try read(path, secret: false)
    guard !content.isEmpty, let certificates = try? NIOSSLCertificate.fromPEMBytes(content),
      !certificates.isEmpty
    else { throw FileProblem("\(path) holds no PEM certificate, or a broken one") }
    return certificates
  }

  /// The certificates in the file as PEM, without any surrounding text.
  public static func certificateText(_ path: String) throws(FileProblem) -> String {
    var text = ""
    for certificate in try certificates(path) {
      guard let bytes = try? certificate.toDERBytes() else {
        throw FileProblem("\(path) holds a certificate that cannot be written")
      }
      let options: Data.Base64EncodingOptions = [.lineLength64Characters, .endLineWithLineFeed]
      text += "-----BEGIN CERTIFICATE-----\n"
      text += Data(bytes).base64EncodedString(options: options)
      text += "\n-----END CERTIFICATE-----\n"
    }
    return text
  }
}
