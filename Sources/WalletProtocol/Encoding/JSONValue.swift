/// Whose JSON is read, which decides what it may contain.
public enum JSONProfile: Sendable {
  /// The messages and cards of wallet and provider: all numbers are 64-bit integers, because no
  /// member needs more, and two readers may differ on a fraction (RFC 8259 section 6).
  case own
  /// What other parties wrote: any number.
  case foreign

  /// The maximum depth of nesting.
  public var maximumDepth: Int {
    switch self {
    case .own: JSONValue.maximumDepth
    case .foreign: JSONValue.maximumForeignDepth
    }
  }
}

/// A JSON value of any shape, for the claims of an SD-JWT and for what other parties write.
public enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// The text of a number that is no 64-bit integer in its one spelling, such as `1.50`, `1e3` or
  /// `-0`; in foreign JSON only. The text is kept, because no binary number has its exact value,
  /// and two texts are equal only byte for byte.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The maximum depth of nesting in our own JSON.
  public static let maximumDepth = 8
  /// The maximum depth of nesting in the JSON of other parties.
  public static let maximumForeignDepth = 32

  /// Reads one JSON text: in the profile `own` as strictly as `WireJSON`. Repeated members and
  /// broken UTF-8 are refused in both profiles.
  public init(parsing bytes: [UInt8], profile: JSONProfile = .own) throws(WireError) {
    self = try JSONReader.read(bytes, profile)
  }

  /// Creates the JSON value that `value` is encoded as.
  public init(encoding value: some Encodable) throws {
    self = try JSONReader.read(WireJSON.encode(value))
  }

  /// Decodes the value as a type.
  public func decode<Value: Decodable>(_: Value.Type) throws(WireError) -> Value {
    try WireJSON.decode(Value.self, from: encoded)
  }

  /// The JSON text: members sorted, no white space.
  public var encoded: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// The text of a string; nil for any other value.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The value of a 64-bit integer; nil for any other value.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// The elements of an array; nil for any other value.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The members of an object; nil for any other value.
  public var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .boolean(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .number(let text): output += text.utf8
    case .string(let value): Self.write(value, to: &output)
    case .array(let values):
      output.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        value.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to output: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: output += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
