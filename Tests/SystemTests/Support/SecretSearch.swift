import Foundation
import TestSupport

/// Searches for texts byte by byte, in all the forms in which software may write them.
struct SecretSearch {
  /// A form of a text in a file.
  struct Form {
    let name: String
    let bytes: [UInt8]
  }

  let forms: [Form]

  init(_ secrets: [String]) { forms = secrets.flatMap(Self.forms) }

  /// The names of the forms that are in `bytes`.
  func found(in bytes: [UInt8]) -> [String] {
    forms.filter { bytes.holds($0.bytes) }.map(\.name)
  }

  /// The names of the forms that are not found although they are added to `bytes`.
  func missed(in bytes: [UInt8]) -> [String] {
    let planted = bytes + forms.flatMap { $0.bytes + [0] } + bytes.prefix(100)
    let found = Set(found(in: planted))
    return forms.map(\.name).filter { !found.contains($0) }
  }

  func found(in text: String) -> [String] { found(in: Array(text.utf8)) }

  /// The names of the forms in the files of `directory`, with the files' names.
  func found(inFilesOf directory: URL) throws -> [String] {
    try Self.files(of: directory).flatMap { file in
      found(in: Array(try Data(contentsOf: file))).map { "\($0) in \(file.lastPathComponent)" }
    }
  }

  static func files(of directory: URL) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: directory.path).map {
      directory.appendingPathComponent($0)
    }
    .filter { !$0.hasDirectoryPath && (try? Data(contentsOf: $0)) != nil }
  }

  private static func forms(of secret: String) -> [Form] {
    let spellings = Set([
      secret, secret.uppercased(), secret.lowercased(), secret.capitalized,
    ])
    return spellings.sorted().flatMap { text -> [Form] in
      let bytes = Array(text.utf8)
      let hex = bytes.map { String(format: "%02x", $0) }.joined()
      return [
        Form(name: "\(text) in UTF-8", bytes: bytes),
        Form(name: "\(text) in UTF-16", bytes: bytes.flatMap { [$0, 0] }),
        Form(name: "\(text) in UTF-16BE", bytes: bytes.flatMap { [0, $0] }),
        Form(name: "\(text) in hex", bytes: Array(hex.utf8)),
        Form(name: "\(text) in capital hex", bytes: Array(hex.uppercased().utf8)),
      ] + base64(text, bytes)
    }
  }

  /// The base64 characters that do not depend on the bytes before and after, at each of three
  /// offsets.
  private static func base64(_ text: String, _ bytes: [UInt8]) -> [Form] {
    (0..<3).flatMap { offset -> [Form] in
      let padded = [UInt8](repeating: 0, count: offset) + bytes
      let encoded = Array(Data(padded).base64EncodedString().utf8.prefix { $0 != 0x3D })
      let kept = encoded.dropFirst((offset * 8 + 5) / 6).dropLast(padded.count % 3 == 0 ? 0 : 1)
      let url = kept.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
      return [
        Form(name: "\(text) in base64 (\(offset))", bytes: Array(kept)),
        Form(name: "\(text) in base64url (\(offset))", bytes: url),
      ]
    }
  }
}
