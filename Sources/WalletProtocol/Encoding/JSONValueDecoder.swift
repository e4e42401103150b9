/// Decodes types from a JSON value that was read before, so that no text is read twice.
struct JSONValueDecoder: Decoder {
  let value: JSONValue

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<Value: Decodable>(_: Value.Type, from value: JSONValue) throws -> Value {
    // Arrays of bytes are long in what is stored; one call for each element would cost the most.
    if Value.self == [UInt8].self, let bytes = try value.bytes() as? Value { return bytes }
    return try Value(from: JSONValueDecoder(value: value))
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.object else { throw DecodingError.unfit }
    return KeyedDecodingContainer(JSONMembers<Key>(members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw DecodingError.unfit }
    return JSONElements(elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension DecodingError {
  /// Says nothing of the content, which may be secret, nor of its place: nobody is told of it.
  fileprivate static let unfit = DecodingError.dataCorrupted(
    Context(codingPath: [], debugDescription: "not the content of this type"))
}

extension JSONValue {
  fileprivate func text() throws -> String {
    guard let string else { throw DecodingError.unfit }
    return string
  }

  fileprivate func flag() throws -> Bool {
    guard case .boolean(let flag) = self else { throw DecodingError.unfit }
    return flag
  }

  fileprivate func number<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    guard let integer, let number = Number(exactly: integer) else { throw DecodingError.unfit }
    return number
  }

  /// No message has a fraction, see `JSONProfile.own`.
  fileprivate func fraction<Number: BinaryFloatingPoint>(_: Number.Type) throws -> Number {
    throw DecodingError.unfit
  }

  fileprivate func bytes() throws -> [UInt8] {
    guard let array else { throw DecodingError.unfit }
    return try array.map { try $0.number(UInt8.self) }
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }
  func decode(_: Bool.Type) throws -> Bool { try value.flag() }
  func decode(_: String.Type) throws -> String { try value.text() }
  func decode(_: Double.Type) throws -> Double { try value.fraction(Double.self) }
  func decode(_: Float.Type) throws -> Float { try value.fraction(Float.self) }
  func decode(_: Int.Type) throws -> Int { try value.number(Int.self) }
  func decode(_: Int8.Type) throws -> Int8 { try value.number(Int8.self) }
  func decode(_: Int16.Type) throws -> Int16 { try value.number(Int16.self) }
  func decode(_: Int32.Type) throws -> Int32 { try value.number(Int32.self) }
  func decode(_: Int64.Type) throws -> Int64 { try value.number(Int64.self) }
  func decode(_: UInt.Type) throws -> UInt { try value.number(UInt.self) }
  func decode(_: UInt8.Type) throws -> UInt8 { try value.number(UInt8.self) }
  func decode(_: UInt16.Type) throws -> UInt16 { try value.number(UInt16.self) }
  func decode(_: UInt32.Type) throws -> UInt32 { try value.number(UInt32.self) }
  func decode(_: UInt64.Type) throws -> UInt64 { try value.number(UInt64.self) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Self.decode(type, from: value)
  }
}

/// The members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  private func value(_ key: Key) throws -> JSONValue {
    guard let value = members[key.stringValue] else { throw DecodingError.unfit }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }
  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try value(key).flag() }
  func decode(_: String.Type, forKey key: Key) throws -> String { try value(key).text() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key).fraction(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).fraction(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).number(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).number(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).number(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).number(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).number(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).number(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).number(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key).number(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key).number(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key).number(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try JSONValueDecoder.decode(type, from: value(key))
  }

  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    guard let value = members[key.stringValue], value != .null else { return nil }
    return try value.text()
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let value = members[key.stringValue], value != .null else { return nil }
    return try JSONValueDecoder.decode(type, from: value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try JSONValueDecoder(value: value(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try JSONValueDecoder(value: value(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let value = members["super"] else { throw DecodingError.unfit }
    return JSONValueDecoder(value: value)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    JSONValueDecoder(value: try value(key))
  }
}

/// The elements of an array, one after the other.
private struct JSONElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]

  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  init(elements: [JSONValue]) { self.elements = elements }

  /// The next element. It stays the next one if it is not what was asked for.
  private mutating func next<Value>(_ read: (JSONValue) throws -> Value) throws -> Value {
    guard !isAtEnd else { throw DecodingError.unfit }
    let value = try read(elements[currentIndex])
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw DecodingError.unfit }
    guard elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_: Bool.Type) throws -> Bool { try next { try $0.flag() } }
  mutating func decode(_: String.Type) throws -> String { try next { try $0.text() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.fraction(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.fraction(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.number(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.number(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.number(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.number(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.number(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.number(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.number(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.number(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.number(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.number(type) } }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try JSONValueDecoder.decode(type, from: $0) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try JSONValueDecoder(value: $0).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try JSONValueDecoder(value: $0).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { JSONValueDecoder(value: $0) } }
}
