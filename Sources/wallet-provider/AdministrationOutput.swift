import ArgumentParser
import WalletProviderServer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The output format of a command.
struct OutputFormat: ParsableArguments {
  @Flag(help: "Print JSON for programs.") var json = false

  /// Prints `value` as one line of JSON, or `text`.
  func print(_ value: some Encodable, or text: () -> String) throws {
    guard json else { return StandardOutput.print(text()) }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    StandardOutput.print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}

/// The part of a list that is printed.
struct PageOptions: ParsableArguments {
  @Option(help: "Start after this id.") var after: String?
  @Option(help: "Print at most this many, 1 to 100000.") var limit = 100

  func checkedLimit() throws -> Int {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit must be 1 to 100000")
    }
    return limit
  }

  /// If the list may be longer, prints to standard error how to continue it.
  func noteRest(last id: String?, count: Int) {
    guard count == limit, let id else { return }
    // A row whose key is no id ("row:…") cannot be named.
    StandardError.print(
      id.contains(":")
        ? "there may be more: use a higher --limit" : "there may be more: --after=\(id)")
  }
}

/// The errors for a wallet or an account that does not exist.
enum NotFound {
  static let wallet = ValidationError("there is no such wallet")
  static let account = ValidationError("there is no such account")
}
