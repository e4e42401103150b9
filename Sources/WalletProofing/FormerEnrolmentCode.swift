internal import WalletCrypto
public import WalletModel
internal import WalletProtocol

extension EnrolmentCode {
  /// The longest nonce or token of the former form, in bytes.
  static let longestFormerMember = 128

  /// Reads what a scanner saw, the former form among it: `1{"nonce":"…","token":"…"}`.
  ///
  /// That form names no host, so any page can show one: it is read only where the caller says by
  /// this initialiser for which host, and the other one refuses it as not ours. Its secret is the
  /// nonce; it passes through the JSON reader, in memory that is not guarded.
  ///
  /// - Parameters:
  ///   - hosts: The proofing hosts of the configuration, compared as a whole.
  ///   - formerHost: The host that made codes of the former form; one of `hosts`.
  public init(
    scanned bytes: UnsafeRawBufferPointer, symbology: Symbology, hosts: [String],
    formerHost: String
  ) throws(ProofingError) {
    let isFormer =
      symbology == .qrCode && hosts.contains(formerHost) && bytes.count >= 2
      && Digits.isDigit(bytes[0]) && bytes[1] == UInt8(ascii: "{")
    guard isFormer else {
      self = try Self(scanned: bytes, symbology: symbology, hosts: hosts)
      return
    }
    guard bytes[0] == UInt8(ascii: "1") else { throw .codeVersion }
    guard bytes.count <= Self.maximumLength,
      case .object(let members)? = try? JSONValue(parsing: Array(bytes.dropFirst())),
      members.count == 2, let nonce = Self.member("nonce", of: members),
      let token = Self.member("token", of: members)
    else { throw .codeMalformed }
    guard let secret = try? Secret(copying: nonce), let token = try? Secret(copying: token) else {
      throw .proofInternal
    }
    self.init(host: formerHost, secret: secret, token: token)
  }

  private static func member(_ name: String, of members: [String: JSONValue]) -> [UInt8]? {
    guard case .string(let text)? = members[name],
      (1...longestFormerMember).contains(text.utf8.count)
    else {
      return nil
    }
    return Array(text.utf8)
  }
}
