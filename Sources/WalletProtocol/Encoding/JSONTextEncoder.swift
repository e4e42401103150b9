/// Encodes types as JSON text: members sorted, no white space.
struct JSONTextEncoder: Encoder {
  /// What was encoded so far.
  fileprivate let node: JSONNode

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let node = try node(of: value)
    if case .nothing = node.content {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: [], debugDescription: "nothing was encoded"))
    }
    var text: [UInt8] = []
    text.reserveCapacity(1024)
    node.write(to: &text)
    return text
  }

  fileprivate static func node<Value: Encodable>(of value: Value) throws -> JSONNode {
    // Arrays of bytes are long in what is stored; a node for each element would cost the most.
    if Value.self == [UInt8].self, let bytes = value as? [UInt8] { return JSONNode(bytes: bytes) }
    if Value.self == String.self, let text = value as? String { return JSONNode(.string(text)) }
    let node = JSONNode(.nothing)
    try value.encode(to: JSONTextEncoder(node: node))
    return node
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(JSONMemberWriter<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return JSONElementWriter(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// A value that is being encoded. A class, because a container goes on to write to a value that another
/// one holds.
private final class JSONNode {
  enum Content {
    case nothing
    /// The text of a value that is no string, object or array, or of a list of numbers.
    case text([UInt8])
    case string(String)
    case object([String: JSONNode])
    case array([JSONNode])
  }

  var content: Content

  init(_ content: Content) { self.content = content }

  convenience init(bytes: [UInt8]) {
    var text: [UInt8] = [UInt8(ascii: "[")]
    text.reserveCapacity(4 * bytes.count + 2)
    for (index, byte) in bytes.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if byte >= 100 { text.append(UInt8(ascii: "0") + byte / 100) }
      if byte >= 10 { text.append(UInt8(ascii: "0") + byte / 10 % 10) }
      text.append(UInt8(ascii: "0") + byte % 10)
    }
    text.append(UInt8(ascii: "]"))
    self.init(.text(text))
  }

  static func number(_ value: some FixedWidthInteger) -> JSONNode {
    JSONNode(.text(Array(String(value).utf8)))
  }

  static func flag(_ value: Bool) -> JSONNode {
    JSONNode(.text(Array((value ? "true" : "false").utf8)))
  }

  static var null: JSONNode { JSONNode(.text(Array("null".utf8))) }

  /// No message has a fraction, and no reader of ours accepts one.
  static func fraction(_ value: some BinaryFloatingPoint) throws -> JSONNode {
    throw EncodingError.invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: "a fraction"))
  }

  func beginObject() {
    if case .object = content { return }
    content = .object([:])
  }

  func beginArray() {
    if case .array = content { return }
    content = .array([])
  }

  func set(_ key: String, _ node: JSONNode) {
    guard case .object(var members) = content else { return }
    content = .nothing  // So that the members are not copied.
    members[key] = node
    content = .object(members)
  }

  func append(_ node: JSONNode) {
    guard case .array(var elements) = content else { return }
    content = .nothing
    elements.append(node)
    content = .array(elements)
  }

  var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  func write(to output: inout [UInt8]) {
    switch content {
    // A value within another one that encodes nothing is an object without members.
    case .nothing: output += "{}".utf8
    case .text(let text): output += text
    case .string(let text): Self.write(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
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

  /// With the escapes of Foundation's encoder, because hashes of such texts are stored.
  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    var text = text
    let isPlain = text.withUTF8 { bytes in
      bytes.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    }
    if isPlain { return text.withUTF8 { output.append(contentsOf: $0) } }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0x08: output += "\\b".utf8
      case 0x09: output += "\\t".utf8
      case 0x0A: output += "\\n".utf8
      case 0x0C: output += "\\f".utf8
      case 0x0D: output += "\\r".utf8
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        output += "\\u00".utf8
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      default: output.append(byte)
      }
    }
  }
}

extension JSONTextEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.content = JSONNode.null.content }
  func encode(_ value: Bool) { node.content = JSONNode.flag(value).content }
  func encode(_ value: String) { node.content = .string(value) }
  func encode(_ value: Double) throws { node.content = try JSONNode.fraction(value).content }
  func encode(_ value: Float) throws { node.content = try JSONNode.fraction(value).content }
  func encode(_ value: Int) { node.content = JSONNode.number(value).content }
  func encode(_ value: Int8) { node.content = JSONNode.number(value).content }
  func encode(_ value: Int16) { node.content = JSONNode.number(value).content }
  func encode(_ value: Int32) { node.content = JSONNode.number(value).content }
  func encode(_ value: Int64) { node.content = JSONNode.number(value).content }
  func encode(_ value: UInt) { node.content = JSONNode.number(value).content }
  func encode(_ value: UInt8) { node.content = JSONNode.number(value).content }
  func encode(_ value: UInt16) { node.content = JSONNode.number(value).content }
  func encode(_ value: UInt32) { node.content = JSONNode.number(value).content }
  func encode(_ value: UInt64) { node.content = JSONNode.number(value).content }
  func encode(_ value: some Encodable) throws { node.content = try Self.node(of: value).content }
}

/// Adds members to an object.
private struct JSONMemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode

  var codingPath: [any CodingKey] { [] }

  private func set(_ key: Key, _ value: JSONNode) { node.set(key.stringValue, value) }

  func encodeNil(forKey key: Key) { set(key, .null) }
  func encode(_ value: Bool, forKey key: Key) { set(key, .flag(value)) }
  func encode(_ value: String, forKey key: Key) { set(key, JSONNode(.string(value))) }
  func encode(_ value: Double, forKey key: Key) throws { set(key, try .fraction(value)) }
  func encode(_ value: Float, forKey key: Key) throws { set(key, try .fraction(value)) }
  func encode(_ value: Int, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: Int8, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: Int16, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: Int32, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: Int64, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: UInt, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: UInt8, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: UInt16, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: UInt32, forKey key: Key) { set(key, .number(value)) }
  func encode(_ value: UInt64, forKey key: Key) { set(key, .number(value)) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    set(key, try JSONTextEncoder.node(of: value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { nested(key.stringValue).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested("super") }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

  private func nested(_ name: String) -> JSONTextEncoder {
    let inner = JSONNode(.nothing)
    node.set(name, inner)
    return JSONTextEncoder(node: inner)
  }
}

/// Adds elements to an array.
private struct JSONElementWriter: UnkeyedEncodingContainer {
  let node: JSONNode

  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  func encodeNil() { node.append(.null) }
  func encode(_ value: Bool) { node.append(.flag(value)) }
  func encode(_ value: String) { node.append(JSONNode(.string(value))) }
  func encode(_ value: Double) throws { node.append(try .fraction(value)) }
  func encode(_ value: Float) throws { node.append(try .fraction(value)) }
  func encode(_ value: Int) { node.append(.number(value)) }
  func encode(_ value: Int8) { node.append(.number(value)) }
  func encode(_ value: Int16) { node.append(.number(value)) }
  func encode(_ value: Int32) { node.append(.number(value)) }
  func encode(_ value: Int64) { node.append(.number(value)) }
  func encode(_ value: UInt) { node.append(.number(value)) }
  func encode(_ value: UInt8) { node.append(.number(value)) }
  func encode(_ value: UInt16) { node.append(.number(value)) }
  func encode(_ value: UInt32) { node.append(.number(value)) }
  func encode(_ value: UInt64) { node.append(.number(value)) }
  func encode(_ value: some Encodable) throws {
    node.append(try JSONTextEncoder.node(of: value))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { nested().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private func nested() -> JSONTextEncoder {
    let inner = JSONNode(.nothing)
    node.append(inner)
    return JSONTextEncoder(node: inner)
  }
}
