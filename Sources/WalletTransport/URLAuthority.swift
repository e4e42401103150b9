internal import WalletModel

/// The part of a URL between `//` and the path.
enum URLAuthority {
  /// Returns the host, an IPv6 address in brackets, and the port; nil for that of the scheme.
  static func split(
    _ authority: Substring, _ refusal: (String) -> WalletError
  ) throws(WalletError) -> (Substring, UInt16?) {
    let hostEnd: Substring.Index
    if authority.first == "[" {
      guard let bracket = authority.firstIndex(of: "]") else {
        throw refusal("has a bracket that is not closed")
      }
      hostEnd = authority.index(after: bracket)
    } else {
      hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
    }
    let host = authority[..<hostEnd]
    let tail = authority[hostEnd...]
    guard !tail.isEmpty else { return (host, nil) }
    let digits = tail.dropFirst()
    guard tail.first == ":", digits.first != "0",
      digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits)
    else { throw refusal("has a port that is not a number from 1 to 65535") }
    return (host, port)
  }
}
