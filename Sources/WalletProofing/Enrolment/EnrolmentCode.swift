public import WalletCrypto
public import WalletModel
public import WalletProtocol

/// The code that binds a proofing to an account: `https://<host>/b#v=1&n=<base64url>&x=<unix>`.
///
/// The bytes of a QR code or a link are read where they are: the secret is decoded straight into
/// guarded memory, never through a string. The link is never followed. Only its host is compared,
/// and `n` is read.
public struct EnrolmentCode: Sendable, RedactedDescription {
  /// The bytes of `n`.
  public let secret: Secret

  /// The maximum length of a code, in bytes.
  private static let maximumLength = 512
  /// The allowed lengths of a secret, in bytes; the provider makes 32.
  private static let secretLengths = 16...32

  private static let scheme = "https://"
  private static let path = "b"

  /// Reads a scanned code.
  ///
  /// - Parameter hosts: The proofing hosts of the configuration, compared as a whole.
  public init(
    scanned bytes: UnsafeRawBufferPointer, symbology: Symbology, hosts: [String]
  ) throws(ProofingError) {
    guard symbology == .qrCode else { throw .codeNotOurs }
    try self.init(link: bytes, hosts: hosts)
  }

  /// Reads a link.
  public init(link bytes: UnsafeRawBufferPointer, hosts: [String]) throws(ProofingError) {
    let text = bytes.bindMemory(to: UInt8.self).span
    guard let scheme = Self.end(of: Self.scheme, in: text, from: 0),
      let host = hosts.first(where: { Self.end(of: $0 + "/", in: text, from: scheme) != nil }),
      !host.isEmpty, let path = Self.end(of: host + "/", in: text, from: scheme),
      let fragment = Self.end(of: Self.path, in: text, from: path),
      fragment == text.count || [0x23, 0x3F].contains(text[fragment])
    else { throw .codeNotOurs }
    // The host and path show that the code is meant for this wallet. So anything else that is
    // wrong, such as a query or a path without fragment, means that the code is damaged.
    guard text.count <= Self.maximumLength, fragment < text.count, text[fragment] == 0x23,
      text.indices.allSatisfy({ (0x21...0x7E).contains(text[$0]) })
    else { throw .codeMalformed }
    let members = try Members(text, from: fragment + 1)
    secret = try SecretBase64URL.decode(text, members.secret, lengths: Self.secretLengths)
  }

  /// Returns where `expected` ends in `text` if it begins at `start`; otherwise nil.
  private static func end(of expected: String, in text: Span<UInt8>, from start: Int) -> Int? {
    var position = start
    for character in expected.utf8 {
      guard position < text.count, text[position] == character else { return nil }
      position += 1
    }
    return position
  }

  /// The members of the fragment, all of them checked.
  private struct Members {
    let secret: Range<Int>

    init(_ text: Span<UInt8>, from start: Int) throws(ProofingError) {
      var values: [UInt8: Range<Int>] = [:]
      var hasUnknown = false
      var position = start
      repeat {
        var end = position
        while end < text.count, text[end] != 0x26 { end += 1 }
        // Names have one letter; anything else belongs to an unknown version.
        if end - position >= 2, text[position + 1] == 0x3D {
          let value = position + 2..<end
          guard values.updateValue(value, forKey: text[position]) == nil else {
            throw .codeMalformed
          }
        } else {
          hasUnknown = true
        }
        position = end + 1
      } while position <= text.count

      // The version decides what the rest means.
      guard let version = values.removeValue(forKey: UInt8(ascii: "v")),
        let number = Self.decimal(text, version)
      else { throw .codeMalformed }
      guard number == 1 else { throw .codeVersion }
      guard !hasUnknown, let secret = values.removeValue(forKey: UInt8(ascii: "n")) else {
        throw .codeMalformed
      }
      self.secret = secret
      // The code's expiry, in seconds since 1970. Only its form is checked, because the provider
      // decides whether a code has expired.
      if let end = values.removeValue(forKey: UInt8(ascii: "x")), Self.decimal(text, end) == nil {
        throw .codeMalformed
      }
      // The mark says whether the link was made to be opened on this device or to be scanned.
      // `UniversalLink` decides which of the two is allowed.
      if let mark = values.removeValue(forKey: UInt8(ascii: "m")) {
        let isKnown = ["link", "qr"].contains { word in
          EnrolmentCode.end(of: word, in: text, from: mark.lowerBound) == mark.upperBound
        }
        guard isKnown else { throw .codeMalformed }
      }
      guard values.isEmpty else { throw .codeMalformed }
    }

    /// Returns a number without leading zeros, of at most 12 digits.
    private static func decimal(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
      guard (1...12).contains(range.count), range.count == 1 || text[range.lowerBound] != 0x30
      else { return nil }
      var number: Int64 = 0
      for index in range {
        guard Digits.isDigit(text[index]) else { return nil }
        number = number * 10 + Int64(text[index] - 0x30)
      }
      return number
    }
  }
}
