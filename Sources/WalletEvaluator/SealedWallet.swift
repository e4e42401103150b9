import WalletProtocol

/// A wallet as it is stored: everything is sealed but what it is looked up by.
public struct SealedWallet: Sendable, Equatable {
  public var id: String
  /// The id of the PIN key in force.
  public var key: String
  /// The id of the pending PIN key.
  public var pendingKey: String?
  public var expiresAt: Int64?
  public var version: Int64
  /// The wallet, sealed together with all other members.
  public var content: [UInt8]

  public init(
    id: String, key: String, pendingKey: String?, expiresAt: Int64?, version: Int64,
    content: [UInt8]
  ) {
    self.id = id
    self.key = key
    self.pendingKey = pendingKey
    self.expiresAt = expiresAt
    self.version = version
    self.content = content
  }

  public init(_ wallet: EvaluatedWallet, keys: EvaluatorKeys) throws {
    self.init(
      id: wallet.id, key: wallet.current.id, pendingKey: wallet.pending?.id,
      expiresAt: wallet.expiresAt, version: wallet.version, content: [])
    content = try keys.seal(try WireJSON.encode(wallet), authenticating: associatedData)
  }

  /// Opens the wallet.
  ///
  /// - Throws: `EvaluatorFailure` if anybody but the evaluator wrote the row.
  public func opened(by keys: EvaluatorKeys) throws -> EvaluatedWallet {
    guard let content = keys.open(content, authenticating: associatedData),
      let wallet = try? WireJSON.decode(EvaluatedWallet.self, from: content)
    else { throw EvaluatorFailure("a row is not as the evaluator wrote it") }
    return wallet
  }

  private var associatedData: [UInt8] {
    let parts = [
      "wallet-evaluator row", id, key, pendingKey ?? "", expiresAt.map { "\($0)" } ?? "",
      "\(version)",
    ]
    // Neither ids nor numbers contain a line break.
    return Array(parts.joined(separator: "\n").utf8)
  }
}

extension SealedWallet: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, key, pendingKey, expiresAt, version, content
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(String.self, forKey: .id),
      key: try members.decode(String.self, forKey: .key),
      pendingKey: try members.decodeIfPresent(String.self, forKey: .pendingKey),
      expiresAt: try members.decodeIfPresent(Int64.self, forKey: .expiresAt),
      version: try members.decode(Int64.self, forKey: .version),
      content: Base64URL.decode(try members.decode(String.self, forKey: .content)) ?? [])
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(key, forKey: .key)
    try members.encodeIfPresent(pendingKey, forKey: .pendingKey)
    try members.encodeIfPresent(expiresAt, forKey: .expiresAt)
    try members.encode(version, forKey: .version)
    // A list of numbers would be four times as long.
    try members.encode(Base64URL.encode(content), forKey: .content)
  }
}
