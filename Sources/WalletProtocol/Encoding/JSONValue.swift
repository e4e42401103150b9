/// A JSON value of any shape, for the claims of an SD-JWT.
///
/// Numbers are 64-bit integers: no claim here needs more, and two readers may differ on a fraction
/// (RFC 8259 section 6).
public enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The maximum depth of nesting.
  public static let maximumDepth = 8

  /// Reads one JSON text, as strictly as `WireJSON`.
  public init(parsing bytes: [UInt8]) throws(WireError) {
    self = try JSONReader.read(bytes)
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

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .boolean(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
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
