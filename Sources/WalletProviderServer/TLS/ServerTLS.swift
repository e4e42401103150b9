import NIOCore
package import NIOSSL
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

/// TLS files that are read again while the server runs.
public protocol ReloadableFiles: Sendable {
  /// What they are called in the log.
  var name: String { get }

  /// Reads the files again. New connections use the new content; open connections continue
  /// unchanged.
  ///
  /// - Throws: `FileProblem`; the previous files then stay in use.
  func reload() throws(FileProblem)
}

/// The server's TLS identity. TLS 1.3 only.
public final class ServerTLS: ReloadableFiles {
  public let name = "TLS files"
  private let files: TLSFiles
  private let clientAuthority: String?
  private let latest: Mutex<NIOSSLContext>

  /// Reads and checks the files.
  ///
  /// - Parameter clientAuthority: PEM file of the only authority that the certificates of clients
  ///   may come from; nil to ask for no certificate.
  /// - Throws: `FileProblem` with a one-line description: an unreadable file, a key that others may
  ///   read, or a key that does not belong to the certificate.
  public init(_ files: TLSFiles, clientAuthority: String? = nil) throws(FileProblem) {
    self.files = files
    self.clientAuthority = clientAuthority
    latest = Mutex(try Self.read(files, clientAuthority: clientAuthority))
  }

  /// The context for the next connection.
  var context: NIOSSLContext { latest.withLock { $0 } }

  public func reload() throws(FileProblem) {
    let context = try Self.read(files, clientAuthority: clientAuthority)
    latest.withLock { $0 = context }
  }

  private static func read(
    _ files: TLSFiles, clientAuthority: String?
  ) throws(FileProblem) -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try files.chain(), privateKey: try files.privateKey())
    if let clientAuthority {
      configuration.certificateVerification = .noHostnameVerification
      configuration.trustRoots = .certificates(try PEMFile.certificates(clientAuthority))
      // Clients keep unused connections, and answer their end with their next request only.
      configuration.shutdownTimeout = .milliseconds(200)
    }
    configuration.minimumTLSVersion = .tlsv13
    configuration.maximumTLSVersion = .tlsv13
    configuration.applicationProtocols = ["http/1.1"]
    return try files.context(configuration)
  }
}

extension TLSFiles {
  package func chain() throws(FileProblem) -> [NIOSSLCertificateSource] {
    try PEMFile.certificates(certificate).map { .certificate($0) }
  }

  package func privateKey() throws(FileProblem) -> NIOSSLPrivateKeySource {
    let bytes = try PEMFile.read(key, secret: true)
    guard !bytes.isEmpty, let read = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
      throw FileProblem("\(key) holds no PEM private key that opens without a passphrase")
    }
    return .privateKey(read)
  }

  /// The context of a configuration with these files.
  @discardableResult
  package func context(_ configuration: TLSConfiguration) throws(FileProblem) -> NIOSSLContext {
    guard let context = try? NIOSSLContext(configuration: configuration) else {
      throw FileProblem(
        "the key in \(key) does not belong to the first certificate in \(certificate)")
    }
    return context
  }
}
