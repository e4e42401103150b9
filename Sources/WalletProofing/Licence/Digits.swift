/// Reading of ASCII digits of any number.
enum Digits {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Returns the number that `bytes` spell; nil for anything else and for more than 18 digits.
  static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard (1...18).contains(bytes.count), bytes.allSatisfy(isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
