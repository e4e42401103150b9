import WalletProvider

/// Personal data that a command reads from a file or from standard input. As an argument, other
/// users of the machine could read it.
enum PrivateInput {
  /// The maximum length of standard input, in bytes.
  private static let longest = 64 * 1024

  /// The content of the file at `path`, which only its owner may read; "-" is standard input.
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
