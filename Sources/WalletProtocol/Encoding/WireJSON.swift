#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON of messages: UTF-8, `snake_case` members, sorted, no pretty printing.
public enum WireJSON {
  /// Returns the JSON of `value`.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// Returns the value in `bytes`, which must be one strict JSON text: UTF-8 without a byte order
  /// mark, no object with two members of one name, and whole numbers of 64 bits in their one
  /// spelling. So no two readers see different content under one signature. The error gives no
  /// reason, because a reason could quote the content.
  public static func decode<Value: Decodable>(
    _: Value.Type, from bytes: [UInt8]
  ) throws(WireError) -> Value {
    let content = try JSONReader.read(bytes)
    do { return try JSONValueDecoder.decode(Value.self, from: content) } catch {
      throw .contentMalformed
    }
  }
}
