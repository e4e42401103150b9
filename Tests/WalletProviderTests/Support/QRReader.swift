import Foundation
import XCTest

/// Reads QR codes with ZXing, independently of the code that makes them.
enum QRReader {
  static func read(_ path: String) throws -> String {
    let result = try Program.run("/usr/bin/env", ["ZXingReader", path])
    let line = try XCTUnwrap(
      result.output.split(separator: "\n").first { $0.hasPrefix("Text:") }, result.errors)
    return line.dropFirst("Text:".count).trimmingCharacters(in: .whitespaces)
      .trimmingCharacters(in: ["\""])
  }
}
