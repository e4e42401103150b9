internal import WalletJOSE
public import WalletProtocol

/// A status list as fetched: a JWT (draft-ietf-oauth-status-list section 5.1), decoded without
/// trusting any of it.
public struct StatusListToken: Sendable, Equatable, RedactedDescription {
  /// The maximum length of a text, in bytes.
  public static let maximumLength = 2 * 1024 * 1024
  /// The `typ`.
  public static let headerType = "statuslist+jwt"

  /// The certificates in DER, the signer's first; empty if there is none. Whether they may sign
  /// this list is judged elsewhere.
  public var chain: [[UInt8]] { jws.header.chain }
  /// `kid`, an unverified hint.
  public var keyID: String? { jws.header.keyID }

  private let jws: CompactJWS

  /// Splits and decodes `text`.
  public init(parsing text: String) throws(StatusListError) {
    do { jws = try CompactJWS(parsing: text, maximumLength: Self.maximumLength) } catch {
      throw .jwsRefused(error)
    }
  }

  /// Checks `typ` and signature and reads the list. Whether it still counts is told by
  /// `StatusList.age`.
  ///
  /// - Parameters:
  ///   - uri: where the card says that the list is. The list must say the same, byte for byte;
  ///     otherwise another list of the same issuer could be put in its place.
  ///   - verifier: of the key that signs lists.
  public func verify(
    uri: String, by verifier: some Verifier
  ) throws(StatusListError) -> StatusList {
    do { try jws.verify(type: Self.headerType, by: verifier) } catch { throw .jwsRefused(error) }
    guard let payload = (try? JSONValue(parsing: jws.payload, profile: .foreign))?.object,
      let subject = payload["sub"]?.string
    else { throw .contentMalformed }
    guard subject.utf8.elementsEqual(uri.utf8) else { throw .subjectRefused }
    guard let issuedAt = payload["iat"].flatMap({ NumericDate.seconds($0, .up) }),
      let list = payload["status_list"]?.object,
      let bits = list["bits"]?.integer.flatMap({ Int(exactly: $0) }), [1, 2, 4, 8].contains(bits),
      let compressed = list["lst"]?.string.flatMap({ Base64URL.decode($0) })
    else { throw .contentMalformed }
    let expires = try Self.member(payload["exp"]) { NumericDate.seconds($0, .down) }
    let notBefore = try Self.member(payload["nbf"]) { NumericDate.seconds($0, .up) }
    // A number of seconds, which may have a fraction as times do.
    let timeToLive = try Self.member(payload["ttl"]) { NumericDate.seconds($0, .down) }
    guard timeToLive != 0 else { throw .contentMalformed }
    return StatusList(
      uri: uri, issuedAt: issuedAt, notBefore: notBefore, expires: expires, timeToLive: timeToLive,
      bits: bits,
      bytes: try Self.inflate(compressed))
  }

  /// Reads a member that may be left out.
  private static func member(
    _ value: JSONValue?, _ read: (JSONValue) -> Int64?
  ) throws(StatusListError) -> Int64? {
    guard let value else { return nil }
    guard let number = read(value) else { throw .contentMalformed }
    return number
  }

  private static func inflate(_ bytes: [UInt8]) throws(StatusListError) -> [UInt8] {
    do { return try Zlib.inflate(bytes, limit: StatusList.maximumLength) } catch {
      switch error {
      case .malformed: throw .compressionMalformed
      case .tooLong: throw .tooLong
      }
    }
  }
}
