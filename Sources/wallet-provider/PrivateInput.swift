import WalletProvider

/// Personal data that is handed to a command without being an argument, which other users of the
/// machine could read.
enum PrivateInput {
  /// The maximum length of standard input, in bytes.
  private static let longest = 64 * 1024

  /// The content of a file that only its owner may read; - is standard input.
  static func read(_ path: String) throws -> [UInt8] {
    guard path == "-" else {
      guard let content = try PrivateFile.read(path, secret: true) else {
        throw FileProblem("there is no file \(path)")
      }
      return content
    }
    var text = ""
    while let line = readLine(strippingNewline: false), text.utf8.count < longest { text += line }
    return Array(text.utf8)
  }
}
