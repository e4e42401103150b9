/// Converts ECDSA P-256 signatures from the DER form of key stores to the r||s form of JWS.
public enum ECDSASignature {
  /// Returns r||s, 64 bytes, of a strict DER `SEQUENCE { INTEGER r, INTEGER s }`.
  ///
  /// Negative, zero, overlong or padded integers, other lengths and trailing bytes are refused.
  public static func raw(fromDER der: [UInt8]) throws(WireError) -> [UInt8] {
    guard der.count >= 8, der.count <= 72, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
      throw .encodingRefused
    }
    var rest = der.dropFirst(2)
    let r = try integer(&rest)
    let s = try integer(&rest)
    guard rest.isEmpty else { throw .encodingRefused }
    return r + s
  }

  private static func integer(_ bytes: inout ArraySlice<UInt8>) throws(WireError) -> [UInt8] {
    guard bytes.count >= 3, bytes.removeFirst() == 0x02 else { throw .encodingRefused }
    let length = Int(bytes.removeFirst())
    guard length >= 1, length <= 33, bytes.count >= length else { throw .encodingRefused }
    var value = bytes.prefix(length)
    bytes.removeFirst(length)
    guard let first = value.first, first & 0x80 == 0 else { throw .encodingRefused }
    if first == 0 {
      value.removeFirst()
      // A leading zero is allowed only to keep the number positive; zero itself is no valid r or s.
      guard let next = value.first, next & 0x80 != 0 else { throw .encodingRefused }
    }
    guard value.count <= 32 else { throw .encodingRefused }
    return [UInt8](repeating: 0, count: 32 - value.count) + value
  }
}
