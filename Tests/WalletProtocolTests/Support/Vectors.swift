import Foundation

/// The known answers of Tests/Vectors.
enum Vectors {
  static func load<Answer: Decodable>(
    _ name: String, as: Answer.Type, file: String = #filePath
  ) throws -> [Answer] {
    var tests = URL(fileURLWithPath: file)
    for _ in 0..<2 { tests.deleteLastPathComponent() }
    let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/\(name).json"))
    return try JSONDecoder().decode([Answer].self, from: data)
  }

  static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }
}
