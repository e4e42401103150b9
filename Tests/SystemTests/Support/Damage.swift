import Foundation
import TestSupport

/// Damages a value of a wallet that does not run.
///
/// - Parameter value: `TABLE/NAME`.
func damage(_ value: String, in storage: URL) throws {
  let program = Process()
  program.executableURL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Scenarios/damage.py")
  program.arguments = [storage.path, value]
  try program.run()
  program.waitUntilExit()
  guard program.terminationStatus == 0 else { throw TestFailure("\(value) was not damaged") }
}
