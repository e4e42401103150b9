import Foundation
import Synchronization
import TestSupport

/// A program that reads and prints JSON, an object a line, until its input ends.
final class LineProcess {
  private let process = Process()
  private let input = Pipe()
  private let printed = Printed()

  init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    (process.standardInput, process.standardOutput) = (input, output)
    output.fileHandleForReading.readabilityHandler = { [printed] handle in
      let data = handle.availableData
      guard !data.isEmpty else { return handle.readabilityHandler = nil }
      printed.add(data)
    }
    try process.start()
  }

  func stop() {
    input.fileHandleForWriting.closeFile()
    process.waitUntilExit()
  }

  func send(_ object: [String: Any]) throws {
    var line = try JSONSerialization.data(withJSONObject: object)
    line.append(UInt8(ascii: "\n"))
    try input.fileHandleForWriting.write(contentsOf: line)
  }

  /// Waits for the first line with the member `name`, and removes it.
  func take(_ name: String, line: UInt = #line) throws -> [String: Any] {
    var found: [String: Any]?
    let isThere = eventually {
      found = printed.take(name)
      return found != nil
    }
    guard isThere, let found else { throw TestFailure("no line \(name) (line \(line))") }
    return found
  }

  /// Whether a line with the member `name` has come.
  func has(_ name: String) -> Bool { printed.has(name) }
}

/// The lines that a process has printed and nobody has taken.
private final class Printed: Sendable {
  private let state = Mutex<(rest: Data, lines: [Data])>((Data(), []))

  func add(_ data: Data) {
    state.withLock { state in
      state.rest += data
      while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(Data(state.rest[state.rest.startIndex..<end]))
        state.rest = Data(state.rest[state.rest.index(after: end)...])
      }
    }
  }

  func take(_ name: String) -> [String: Any]? {
    let line = state.withLock { state in
      state.lines.firstIndex { Self.object($0)?[name] != nil }.map { state.lines.remove(at: $0) }
    }
    return line.flatMap(Self.object)
  }

  func has(_ name: String) -> Bool {
    state.withLock { state in state.lines.contains { Self.object($0)?[name] != nil } }
  }

  private static func object(_ line: Data) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: line)) as? [String: Any]
  }
}
