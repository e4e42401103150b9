import NIOSSL
public import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Files of certificates and keys as text (RFC 7468).
public enum PEMFile {
  /// The content of a file that must be there.
  static func read(_ path: String, secret: Bool) throws(FileProblem) -> [UInt8] {
    guard let content = try PrivateFile.read(path, secret: secret) else {
      throw FileProblem("there is no file \(path)")
    }
    return content
  }

  /// The certificates in the file, at least one.
  static func certificates(_ path: String) throws(FileProblem) -> [NIOSSLCertificate] {
    let content = try read(path, secret: false)
    guard !content.isEmpty, let certificates = try? NIOSSLCertificate.fromPEMBytes(content),
      !certificates.isEmpty
    else { throw FileProblem("\(path) holds no PEM certificate, or a broken one") }
    return certificates
  }

  /// The certificates in the file as PEM that holds nothing else, whatever stands around them.
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
