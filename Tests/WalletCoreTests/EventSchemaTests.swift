import Foundation
import XCTest

/// The JSON of events conforms to the installed schema.
final class EventSchemaTests: XCTestCase {
  func testTheSchemaDescribesEveryEvent() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let events = FileManager.default.temporaryDirectory
      .appendingPathComponent("wallet-core-events-\(UUID().uuidString)")
    try Data(textsOfEveryEvent().map { $0 + "\n" }.joined().utf8).write(to: events)
    defer { try? FileManager.default.removeItem(at: events) }

    let validator = Process()
    validator.executableURL = root.appendingPathComponent("Tests/ABI/schema.py")
    validator.arguments = [
      root.appendingPathComponent("Include/wallet_core_events.schema.json").path,
      "configuration", "lock_state", "version_state", "completion", "step", "cards_changed",
    ]
    validator.standardInput = try FileHandle(forReadingFrom: events)
    let output = Pipe()
    validator.standardOutput = output
    validator.standardError = output
    try validator.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    validator.waitUntilExit()
    XCTAssertEqual(validator.terminationStatus, 0, String(decoding: said, as: UTF8.self))
  }
}
