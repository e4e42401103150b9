/// A web form, as relying parties are sent.
enum WebForm {
  static let mediaType = "application/x-www-form-urlencoded"

  /// All but the unreserved characters of RFC 3986 are escaped, so each reader takes the same text.
  static func encode(_ members: [(String, String)]) -> [UInt8] {
    Array(members.map { "\($0)=\(escaped($1))" }.joined(separator: "&").utf8)
  }

  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
