public import WalletProtocol

/// The protected header of a JWS (RFC 7515 section 4.1) or JWE (RFC 7516 section 4.1).
///
/// Members that are not known here are kept and otherwise ignored, as the RFCs demand. `crit` names
/// members that must not be ignored; since none is supported, a header with `crit` is refused.
public struct JOSEHeader: Sendable, Equatable {
  /// The maximum number of certificates in `x5c`.
  public static let maximumChain = 4

  /// All members as received.
  public let members: [String: JSONValue]
  /// `alg`.
  public let algorithm: String
  /// `typ`.
  public let type: String?
  /// `kid`.
  public let keyID: String?
  /// The certificates of `x5c` in DER, the signer's first; empty if there is none.
  public let chain: [[UInt8]]

  /// Reads a header. Nothing in it is verified.
  public init(parsing json: [UInt8]) throws(JOSEError) {
    let value: JSONValue
    do { value = try JSONValue(parsing: json, profile: .foreign) } catch { throw .headerMalformed }
    guard case .object(let members) = value else { throw .headerMalformed }
    guard members["crit"] == nil else { throw .criticalHeader }
    self.members = members
    algorithm = try Self.text("alg", in: members) ?? ""
    type = try Self.text("typ", in: members)
    keyID = try Self.text("kid", in: members)
    chain = try Self.chain(members["x5c"])
    guard !algorithm.isEmpty else { throw .headerMalformed }
  }

  private static func text(
    _ name: String, in members: [String: JSONValue]
  ) throws(JOSEError) -> String? {
    switch members[name] {
    case nil: return nil
    case .string(let text)?: return text
    default: throw .headerMalformed
    }
  }

  private static func chain(_ value: JSONValue?) throws(JOSEError) -> [[UInt8]] {
    guard let value else { return [] }
    guard case .array(let values) = value, (1...maximumChain).contains(values.count) else {
      throw .chainMalformed
    }
    var chain: [[UInt8]] = []
    for value in values {
      guard case .string(let text) = value, let der = Base64.decode(text), !der.isEmpty else {
        throw .chainMalformed
      }
      chain.append(der)
    }
    return chain
  }
}
