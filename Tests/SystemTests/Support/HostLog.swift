import CWalletCore
import Foundation

/// What the log callback of a host received.
final class HostLog: @unchecked Sendable {
  // Sendable: `text` is touched only with `lock` held.
  private let lock = NSLock()
  private var text = ""

  /// Lives as long as the process, as the library may log until then.
  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  var lines: String { lock.withLock { text } }

  private func note(_ line: String) { lock.withLock { text += line + "\n" } }

  static let receive:
    @convention(c) @Sendable (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Void = { context, level, subsystem, message in
      guard let context else { return }
      Unmanaged<HostLog>.fromOpaque(context).takeUnretainedValue().note(
        "\(level) \(String(cString: subsystem)): \(String(cString: message))")
    }
}
