import SwiftASN1
import WalletJOSE
public import WalletProtocol
import WalletTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The authorities that wallets trust, in a file that an operator wrote:
/// `{"anchors":[{"name":"…","role":"issuer","types":["…"],"certificate_file":"ca.pem",
/// "from":"2026-01-01","until":"2030-12-31"}]}`. The certificate can also stand in it, as
/// `certificate`.
public struct TrustAnchorFile: Sendable {
  /// The maximum length of all entries in the configuration, in bytes. An app embeds the
  /// configuration with its update policy in a document of 256 KiB, and what is signed is a third
  /// longer than its content.
  static let maximumLength = 128 * 1024
  /// The maximum length of these entries with those of the provider's own authority.
  static let maximumTotal = maximumLength + 32 * 1024

  /// The entries as they are published. A wallet accepts each of them.
  public let anchors: [PublishedAnchor]

  /// - Throws: `FileProblem` that names the file, the entry and the reason.
  public init(path: String) throws(FileProblem) {
    guard let content = try PrivateFile.read(path, secret: false) else {
      throw FileProblem("there is no file \(path)")
    }
    do {
      try self.init(json: content, directory: PrivateFile.parent(of: path))
    } catch { throw FileProblem("\(path) is not a list of trust anchors: \(error)") }
  }

  /// - Parameter directory: where the files of certificates are, if their paths are relative.
  package init(json: [UInt8], directory: String) throws(SettingsError) {
    let document: TrustAnchorDocument
    do {
      document = try JSONDecoder().decode(TrustAnchorDocument.self, from: Data(json))
    } catch let error as SettingsError { throw error } catch {
      throw SettingsError("it is not JSON")
    }
    var anchors: [PublishedAnchor] = []
    for entry in document.anchors { anchors.append(try entry.published(directory)) }
    for (index, anchor) in anchors.enumerated()
    where anchors[..<index].contains(where: {
      $0.role == anchor.role && $0.certificate == anchor.certificate
    }) {
      throw document.anchors[index].refusal("another entry has its certificate and role")
    }
    guard (try? TrustAnchors(anchors.map { try TrustAnchor($0) })) != nil,
      let length = try? WireJSON.encode(anchors).count
    else { throw SettingsError("wallets would refuse it") }
    guard length <= Self.maximumLength else {
      throw SettingsError(
        "it takes \(length) bytes of the configuration, and at most \(Self.maximumLength) are"
          + " allowed; leave anchors out")
    }
    self.anchors = anchors
  }

  /// How many of `anchors` count at `now`, in seconds since 1970.
  public static func countInForce(_ anchors: [PublishedAnchor], now: Int64) -> Int {
    anchors.count { $0.notBefore <= now && now <= $0.notAfter }
  }
}

extension TrustAnchorEntry {
  /// The entry as it is published.
  ///
  /// - Throws: `SettingsError` if a wallet would refuse it.
  fileprivate func published(_ directory: String) throws(SettingsError) -> PublishedAnchor {
    let anchor = PublishedAnchor(
      name: name, role: role.rawValue, types: types,
      certificate: Base64.encode(try certificate(directory)), notBefore: from, notAfter: until)
    do { _ = try TrustAnchor(anchor) } catch { throw refusal(Self.reason(error)) }
    return anchor
  }

  private func certificate(_ directory: String) throws(SettingsError) -> [UInt8] {
    let text: String
    let location: String
    switch source {
    case .text(let given): (text, location) = (given, "\"certificate\"")
    case .file(let given):
      let path = given.hasPrefix("/") ? given : "\(directory)/\(given)"
      let content: [UInt8]?
      do { content = try PrivateFile.read(path, secret: false) } catch {
        throw refusal(error.description)
      }
      guard let content else { throw refusal("there is no file \(path)") }
      (text, location) = (String(decoding: content, as: UTF8.self), path)
    }
    guard let documents = try? PEMDocument.parseMultiple(pemString: text),
      documents.count == 1, let document = documents.first, document.discriminator == "CERTIFICATE"
    else { throw refusal("\(location) does not hold exactly one PEM certificate") }
    return document.derBytes
  }

  private static func reason(_ error: TrustError) -> String {
    switch error {
    case .notAuthority: "the certificate is not that of an authority (basicConstraints CA)"
    case .keyUsageRefused:
      "the certificate does not say that its key signs certificates (keyUsage keyCertSign)"
    case .algorithmRefused: "the key of the certificate is neither P-256 nor P-384"
    case .extensionRefused: "the certificate has a critical extension that wallets do not know"
    case .chainLength: "the certificate is longer than wallets read"
    case .certificateMalformed: "the certificate is not one of X.509 version 3"
    default: "wallets would refuse it"
    }
  }
}
