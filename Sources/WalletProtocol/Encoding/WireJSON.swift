#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON as it travels: UTF-8, `snake_case` members, sorted, no pretty printing.
public enum WireJSON {
  /// The bytes of `value`.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// The value in `bytes`; the reason of a refusal is not carried, it could quote the content.
  public static func decode<Value: Decodable>(
    _: Value.Type, from bytes: [UInt8]
  ) throws(WireError) -> Value {
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else {
      throw .contentMalformed
    }
    return value
  }
}
