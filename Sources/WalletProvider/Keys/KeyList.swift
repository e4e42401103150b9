import WalletProtocol

/// The keys of a role as stored in a file or variable, the current one first.
///
/// A key is 32 bytes as base64url, optionally followed by the time it was made and the time it
/// became the current key (RFC 3339). White space or commas separate them.
package struct KeyList: Equatable, RedactedDescription {
  package struct Entry: Equatable, RedactedDescription {
    var secret: [UInt8]
    /// Seconds since 1970; nil if not recorded.
    var made: Int64?
    /// When the key became the current one, in seconds since 1970; nil unless it replaced another
    /// key.
    var currentSince: Int64?

    /// The entry's line in a file.
    var line: String {
      let times = [made, currentSince].compactMap { $0 }.map(RFC3339.text)
      return ([Base64URL.encode(secret)] + times).joined(separator: " ") + "\n"
    }
  }

  /// What is wrong with a text; never contains any of the text.
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  /// The maximum number of keys. It is more than any rotation needs, and small because every app
  /// reads all keys.
  static let limit = 8
  /// The maximum number of retired keys of a role whose retired keys open. No app reads them.
  static let retiredLimit = 1000

  var entries: [Entry]

  /// The keys, the current one first.
  package var secrets: [[UInt8]] { entries.map(\.secret) }

  package init(parsing text: String) throws(Malformed) {
    try self.init(parsing: text, limit: Self.limit)
  }

  init(parsing text: String, limit: Int) throws(Malformed) {
    entries = []
    let words = text.split { $0.isWhitespace || $0 == "," }
    for (number, word) in words.enumerated() {
      if word.contains(":") {
        try note(time: word, number + 1)
        continue
      }
      guard let secret = Base64URL.decode(word), secret.count == 32 else {
        throw Malformed(description: "word \(number + 1) is not 32 bytes as base64url")
      }
      guard !entries.contains(where: { $0.secret == secret }) else {
        throw Malformed(description: "word \(number + 1) is a key that stands there already")
      }
      entries.append(Entry(secret: secret))
    }
    guard !entries.isEmpty else {
      throw Malformed(description: "there must be 32 bytes as base64url")
    }
    guard entries.count <= limit else {
      throw Malformed(description: "there are more than \(limit) keys")
    }
  }

  /// A new list of one key that has not been used yet.
  init(secret: [UInt8]) { entries = [Entry(secret: secret)] }

  /// The content of a key file: one line per key.
  package var text: String { entries.map(\.line).joined() }

  /// The index of the newest key if it waits to replace the current one.
  var next: Int? {
    guard let last = entries.indices.dropFirst().last, let made = entries[last].made,
      made > entries[0].made ?? .min
    else { return nil }
    return last
  }

  private mutating func note(time word: Substring, _ number: Int) throws(Malformed) {
    guard let time = RFC3339.seconds(String(word)), RFC3339.range.contains(time),
      let last = entries.indices.last, entries[last].currentSince == nil
    else { throw Malformed(description: "word \(number) is not a time of the key before it") }
    if entries[last].made == nil {
      entries[last].made = time
    } else {
      entries[last].currentSince = time
    }
  }
}
