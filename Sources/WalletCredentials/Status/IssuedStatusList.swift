internal import WalletJOSE
public import WalletProtocol

/// A status list as its issuer makes it, with one bit for each entry (draft-ietf-oauth-status-list
/// sections 4 and 5.1).
public struct IssuedStatusList: Sendable, RedactedDescription {
  private let uri: String
  private let issuedAt: Int64
  private let expires: Int64
  private let timeToLive: Int64
  private let size: Int64
  private var bytes: [UInt8]

  /// A list in which nothing is revoked.
  ///
  /// - Parameters:
  ///   - uri: the address, as cards name it (`sub`).
  ///   - issuedAt: seconds since 1970 (`iat`).
  ///   - expires: seconds since 1970 (`exp`).
  ///   - timeToLive: seconds (`ttl`).
  ///   - size: the number of entries; at most 8 for each byte of `StatusList.maximumLength`.
  public init(
    uri: String, issuedAt: Int64, expires: Int64, timeToLive: Int64, size: Int64
  ) throws(StatusListError) {
    guard size > 0, let length = Int(exactly: (size - 1) / 8 + 1),
      length <= StatusList.maximumLength
    else { throw .tooLong }
    self.uri = uri
    self.issuedAt = issuedAt
    self.expires = expires
    self.timeToLive = timeToLive
    self.size = size
    bytes = [UInt8](repeating: 0, count: length)
  }

  /// Revokes an entry. The entry of the lowest index in a byte has the least significant bit.
  ///
  /// - Parameter index: from 0.
  public mutating func revoke(_ index: Int64) throws(StatusListError) {
    guard (0..<size).contains(index), let position = Int(exactly: index) else {
      throw .indexBeyondEnd
    }
    bytes[position / 8] |= 1 << UInt8(position % 8)
  }

  /// The list as `lst` has it, before it is encoded as base64url.
  package func compressed() throws(StatusListError) -> [UInt8] {
    do { return try Zlib.deflate(bytes) } catch { throw .compressionMalformed }
  }

  /// Signs the list. Errors of the signer pass through.
  ///
  /// - Parameter chain: certificates in DER for `x5c`, the signer's first.
  public func sign(chain: [[UInt8]], signer: some Signer) throws -> String {
    let payload: [String: JSONValue] = [
      "sub": .string(uri), "iat": .integer(issuedAt), "exp": .integer(expires),
      "ttl": .integer(timeToLive),
      "status_list": .object([
        "bits": .integer(1), "lst": .string(Base64URL.encode(try compressed())),
      ]),
    ]
    return try CompactJWS.sign(
      JSONValue.object(payload).encoded, type: StatusListToken.headerType, chain: chain,
      signer: signer)
  }
}
