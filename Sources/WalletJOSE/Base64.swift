internal import WalletProtocol

/// Base64 of the standard alphabet with padding (RFC 4648 section 4), which `x5c` uses. As strict
/// as `Base64URL`: each value has one text.
public enum Base64 {
  public static func encode(_ bytes: [UInt8]) -> String {
    let text = Base64URL.encode(bytes).utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
      + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }

  public static func decode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard bytes.count % 4 == 0, padding <= 2 else { return nil }
    var translated: [UInt8] = []
    for byte in bytes.dropLast(padding) {
      switch byte {
      case UInt8(ascii: "+"): translated.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/"): translated.append(UInt8(ascii: "_"))
      case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
      default: translated.append(byte)
      }
    }
    return Base64URL.decode(String(decoding: translated, as: UTF8.self))
  }
}
