/// The compact form that JWS and JWE share (RFC 7515 section 7.1, RFC 7516 section 7.1).
enum CompactForm {
  /// Returns the parts between the full stops.
  static func split(
    _ text: String, into count: Int, maximumLength: Int
  ) throws(JOSEError) -> [Substring] {
    guard text.utf8.count <= maximumLength else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == count else { throw .malformed }
    return parts
  }
}
