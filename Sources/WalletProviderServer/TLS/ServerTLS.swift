import NIOSSL
import Synchronization
public import WalletProvider

/// The files of a TLS identity.
public struct TLSFiles: Sendable, Equatable {
  /// PEM: the server's certificate, followed by intermediate certificates.
  public var certificate: String
  /// PEM: the key of the first certificate.
  public var key: String

  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// The server's TLS identity. TLS 1.3 only.
public final class ServerTLS: Sendable {
  private let files: TLSFiles
  private let latest: Mutex<NIOSSLContext>

  /// Reads and checks the files.
  ///
  /// - Throws: `FileProblem` with a one-line description: an unreadable file, a key that others may
  ///   read, or a key that does not belong to the certificate.
  public init(_ files: TLSFiles) throws(FileProblem) {
    self.files = files
    latest = Mutex(try Self.read(files))
  }

  /// The context for the next connection.
  var context: NIOSSLContext { latest.withLock { $0 } }

  /// Reads the files again. New connections use the new content; open connections continue
  /// unchanged.
  ///
  /// - Throws: Like `init`; the previous files then stay in use.
  func reload() throws(FileProblem) {
    let context = try Self.read(files)
    latest.withLock { $0 = context }
  }

  private static func read(_ files: TLSFiles) throws(FileProblem) -> NIOSSLContext {
    let chain = try PEMFile.certificates(files.certificate)
    let bytes = try PEMFile.read(files.key, secret: true)
    guard !bytes.isEmpty, let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
      throw FileProblem("\(files.key) holds no PEM private key that opens without a passphrase")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv13
    configuration.maximumTLSVersion = .tlsv13
    configuration.applicationProtocols = ["http/1.1"]
    guard let context = try? NIOSSLContext(configuration: configuration) else {
      throw FileProblem(
        "the key in \(files.key) does not belong to the first certificate in \(files.certificate)")
    }
    return context
  }
}
