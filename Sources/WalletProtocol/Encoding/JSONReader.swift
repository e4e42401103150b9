/// Reads one JSON text (RFC 8259). Refuses what JSON readers are known to treat differently: two
/// members of one name, lone surrogates, broken UTF-8, and in our own messages fractions and numbers
/// beyond 64 bits.
struct JSONReader {
  private let bytes: [UInt8]
  private let profile: JSONProfile
  private var position = 0

  static func read(
    _ bytes: [UInt8], _ profile: JSONProfile = .own
  ) throws(WireError) -> JSONValue {
    var reader = JSONReader(bytes: bytes, profile: profile)
    let value = try reader.value(depth: 0)
    guard reader.next() == nil else { throw .contentMalformed }
    return value
  }

  private init(bytes: [UInt8], profile: JSONProfile) {
    self.bytes = bytes
    self.profile = profile
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Returns the next byte after white space without consuming it.
  private mutating func next() -> UInt8? {
    while let byte = current {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return byte
      }
    }
    return nil
  }

  private mutating func take() throws(WireError) -> UInt8 {
    guard let byte = current else { throw .contentMalformed }
    position += 1
    return byte
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes.dropFirst(position).starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  private mutating func value(depth: Int) throws(WireError) -> JSONValue {
    guard depth <= profile.maximumDepth, let first = next() else { throw .contentMalformed }
    switch first {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default:
      if skip("true") { return .boolean(true) }
      if skip("false") { return .boolean(false) }
      if skip("null") { return .null }
      throw .contentMalformed
    }
  }

  private mutating func object(depth: Int) throws(WireError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    position += 1
    if next() == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    while true {
      guard next() == UInt8(ascii: "\"") else { throw .contentMalformed }
      let name = try string()
      guard next() == UInt8(ascii: ":") else { throw .contentMalformed }
      position += 1
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw .contentMalformed
      }
      let separator = next()
      position += 1
      if separator == UInt8(ascii: "}") { return .object(members) }
      guard separator == UInt8(ascii: ",") else { throw .contentMalformed }
    }
  }

  private mutating func array(depth: Int) throws(WireError) -> JSONValue {
    var values: [JSONValue] = []
    position += 1
    if next() == UInt8(ascii: "]") {
      position += 1
      return .array(values)
    }
    while true {
      values.append(try value(depth: depth + 1))
      let separator = next()
      position += 1
      if separator == UInt8(ascii: "]") { return .array(values) }
      guard separator == UInt8(ascii: ",") else { throw .contentMalformed }
    }
  }

  /// Reads a number (RFC 8259 section 6). An integer in its one spelling (no `-0`, no fraction, no
  /// exponent) becomes a number; anything else stays as its text, which our own messages never have.
  private mutating func number() throws(WireError) -> JSONValue {
    if let number = smallNumber() { return .integer(number) }
    let start = position
    var isWhole = true
    if current == UInt8(ascii: "-") { position += 1 }
    // A number has no leading zero: digits after one are refused as the next value.
    if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let number = Int64(text), String(number) == text { return .integer(number) }
    guard profile == .foreign else { throw .contentMalformed }
    return .number(text)
  }

  /// Reads a number of up to 18 digits without sign, fraction and exponent, which are nearly all.
  /// Consumes nothing of any other.
  private mutating func smallNumber() -> Int64? {
    var (number, end): (Int64, Int) = (0, position)
    while end < bytes.count, case let byte = bytes[end],
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      guard end - position < 18 else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      end += 1
    }
    guard end > position, end == position + 1 || bytes[position] != UInt8(ascii: "0") else {
      return nil
    }
    if end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
      default: break
      }
    }
    position = end
    return number
  }

  /// Consumes digits, of which there must be one.
  private mutating func digits() throws(WireError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    guard position > start else { throw .contentMalformed }
  }

  private mutating func string() throws(WireError) -> String {
    position += 1
    let start = position
    var isASCII = true
    // Most strings have no escape.
    while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\\") {
      position += 1
      if byte == UInt8(ascii: "\"") {
        let content = bytes[start..<position - 1]
        return isASCII ? String(decoding: content, as: UTF8.self) : try Self.text(content)
      }
      if byte >= 0x80 { isASCII = false }
    }
    var text = Array(bytes[start..<position])
    while true {
      let byte = try take()
      switch byte {
      case UInt8(ascii: "\""): return try Self.text(text[...])
      case UInt8(ascii: "\\"): text += String(try escaped()).utf8
      case 0..<0x20: throw .contentMalformed
      default: text.append(byte)
      }
    }
  }

  /// An escape is a whole character, so the text is valid UTF-8 only if what is around its escapes is.
  /// Beyond strings no character is accepted that is not ASCII.
  private static func text(_ bytes: ArraySlice<UInt8>) throws(WireError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs broken UTF-8, so the bytes are unchanged only if all of them were valid.
    let isWhole = text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) }
    guard isWhole ?? text.utf8.elementsEqual(bytes) else { throw .contentMalformed }
    return text
  }

  private mutating func escaped() throws(WireError) -> Unicode.Scalar {
    switch try take() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The first half of a surrogate pair; only the other half may follow.
      guard unit < 0xDC00, skip("\\u") else { throw .contentMalformed }
      let low = try codeUnit()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF)
      else { throw .contentMalformed }
      return scalar
    default: throw .contentMalformed
    }
  }

  private mutating func codeUnit() throws(WireError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let character = Character(Unicode.Scalar(try take()))
      guard character.isASCII, let digit = character.hexDigitValue else { throw .contentMalformed }
      unit = unit << 4 | UInt16(truncatingIfNeeded: digit)
    }
    return unit
  }
}
