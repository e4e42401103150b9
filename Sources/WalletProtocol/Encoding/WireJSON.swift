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

  /// Returns the value in `bytes`. The error gives no reason, because a reason could quote the
  /// content.
  public static func decode<Value: Decodable>(
    _: Value.Type, from bytes: [UInt8]
  ) throws(WireError) -> Value {
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(bytes)) else {
      throw .contentMalformed
    }
    return value
  }
}
