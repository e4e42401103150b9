/// The compact form that JWS and JWE share (RFC 7515 section 7.1, RFC 7516 section 7.1).
enum CompactForm {
  /// Returns the parts between the full stops.
  static func split(
    _ text: String, into count: Int, maximumLength: Int
  ) throws(JOSEError) -> [Substring] {
    guard text.utf8.count <= maximumLength else { throw .malformed }
    // By bytes, which is several times quicker than by characters.
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map(Substring.init)
    guard parts.count == count else { throw .malformed }
    return parts
  }
}
