import WalletProtocol

/// Bytes in what the evaluator stores, as base64url text. A list of numbers, which earlier versions
/// wrote and which is still read, is three times as long and takes many times the time.
@propertyWrapper
struct StoredBytes: Sendable, Equatable, Codable {
  var wrappedValue: [UInt8]

  init(wrappedValue: [UInt8]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let content = try decoder.singleValueContainer()
    guard let text = try? content.decode(String.self) else {
      wrappedValue = try content.decode([UInt8].self)
      return
    }
    guard let bytes = Base64URL.decode(text) else { throw WireError.contentMalformed }
    wrappedValue = bytes
  }

  func encode(to encoder: any Encoder) throws {
    var content = encoder.singleValueContainer()
    try content.encode(Base64URL.encode(wrappedValue))
  }
}

/// The same for bytes that may be missing.
@propertyWrapper
struct OptionalStoredBytes: Sendable, Equatable {
  var wrappedValue: [UInt8]?

  init(wrappedValue: [UInt8]?) { self.wrappedValue = wrappedValue }
}

extension OptionalStoredBytes: Codable {
  init(from decoder: any Decoder) throws {
    wrappedValue = try StoredBytes(from: decoder).wrappedValue
  }

  func encode(to encoder: any Encoder) throws {
    if let wrappedValue { try StoredBytes(wrappedValue: wrappedValue).encode(to: encoder) }
  }
}

// The compiler's own code for a `Codable` type calls these: a missing member is nil, and nil leaves
// the member out.

extension KeyedDecodingContainer {
  func decode(_: OptionalStoredBytes.Type, forKey key: Key) throws -> OptionalStoredBytes {
    let bytes = try decodeIfPresent(StoredBytes.self, forKey: key)
    return OptionalStoredBytes(wrappedValue: bytes?.wrappedValue)
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ value: OptionalStoredBytes, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue.map { StoredBytes(wrappedValue: $0) }, forKey: key)
  }
}
