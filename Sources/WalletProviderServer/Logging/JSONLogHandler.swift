import Logging

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes each entry as one line of JSON to standard error: time (RFC 3339, UTC, milliseconds),
/// level, message, and metadata if there is any.
struct JSONLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var all = metadata
    all.merge(metadataProvider?.get() ?? [:]) { _, later in later }
    all.merge(event.metadata ?? [:]) { _, later in later }
    // The text of an error could contain anything, so only the name of its type is logged.
    if let error = event.error { all["error"] = .string(String(describing: type(of: error))) }
    StandardError.write(Self.line(event.level, event.message, all, at: Date()))
  }

  static func line(
    _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata, at time: Date
  ) -> [UInt8] {
    let entry = Entry(
      time: time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
      level: level.rawValue, message: message.description,
      metadata: metadata.isEmpty ? nil : metadata.mapValues(Value.init))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let encoded = try? encoder.encode(entry)
    return Array(encoded ?? Data()) + [UInt8(ascii: "\n")]
  }
}

private struct Entry: Encodable {
  var time: String
  var level: String
  var message: String
  var metadata: [String: Value]?
}

/// A metadata value in its natural JSON form.
private struct Value: Encodable {
  let value: Logger.Metadata.Value

  init(_ value: Logger.Metadata.Value) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch value {
    case .string(let text): try container.encode(text)
    case .stringConvertible(let number as Int): try container.encode(number)
    case .stringConvertible(let number as Int64): try container.encode(number)
    case .stringConvertible(let other): try container.encode(other.description)
    case .array(let values): try container.encode(values.map(Value.init))
    case .dictionary(let values): try container.encode(values.mapValues(Value.init))
    }
  }
}
