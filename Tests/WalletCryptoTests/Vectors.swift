import Foundation
import WalletCrypto
import XCTest

/// Bytes written in hexadecimal in the files of known answers.
struct Hex: Decodable {
  let bytes: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self))
    bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
      guard let byte = UInt8(String(digits[index..<index + 2]), radix: 16) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
      }
      return byte
    }
  }
}

/// The known answers of Tests/Vectors.
enum Vectors {
  static func load<Answer: Decodable>(
    _ name: String, as _: Answer.Type, file: String = #filePath
  ) throws -> [Answer] {
    let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/\(name).json"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let answers = try decoder.decode([Answer].self, from: data)
    XCTAssertFalse(answers.isEmpty)
    return answers
  }
}

extension Secret {
  convenience init(text: String) throws { try self.init(copying: Array(text.utf8)) }
}

extension Pin {
  init(text: String) throws {
    try self = Array(text.utf8).withUnsafeBytes { try Pin(copying: $0) }
  }
}
