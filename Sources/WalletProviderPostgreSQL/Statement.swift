import WalletProvider

/// One statement with its values. There are few different SQL texts, and each is prepared once per
/// connection.
struct Statement {
  let sql: String
  let values: [StoredValue]

  init(_ sql: String, _ values: [StoredValue] = []) {
    self.sql = sql
    self.values = values
  }

  static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  static let commit = Statement("COMMIT")
  static let rollback = Statement("ROLLBACK")
}

/// The values of a statement in libpq's form: texts and bytes as they are, with their lengths;
/// numbers and flags as text.
struct EncodedValues {
  private var buffer: [UInt8] = []
  private var offsets: [Int?] = []
  private(set) var lengths: [Int32] = []
  private(set) var formats: [Int32] = []

  init(_ values: [StoredValue]) {
    for value in values {
      switch value {
      case .null:
        offsets.append(nil)
        lengths.append(0)
        formats.append(0)
      case .integer(let number): append(Array(String(number).utf8), format: 0)
      case .flag(let flag): append([UInt8(ascii: flag ? "t" : "f")], format: 0)
      case .text(let text): append(Array(text.utf8), format: 1)
      case .bytes(let bytes): append(bytes, format: 1)
      }
    }
  }

  private mutating func append(_ bytes: [UInt8], format: Int32) {
    offsets.append(buffer.count)
    lengths.append(Int32(clamping: bytes.count))
    formats.append(format)
    // libpq expects text to end with a zero byte.
    buffer += bytes + [0]
  }

  /// Calls `body` with pointers to the values; NULL stands for null. The pointers are valid only
  /// during the call.
  func withPointers<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    buffer.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: CChar.self).baseAddress
      return body(offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } })
    }
  }
}
