import CWalletCore
import Foundation

/// The lines that the log callback of a host received.
final class HostLog: @unchecked Sendable {
  // Sendable: `text` is touched only with `lock` held.
  private let lock = NSLock()
  private var text = ""

  /// Never released, because the library may log until the process ends.
  var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  var lines: String { lock.withLock { text } }

  private func note(_ line: String) { lock.withLock { text += line + "\n" } }

  static let receive:
    @convention(c) @Sendable (
      UnsafeMutableRawPointer?, wallet_core_log_level, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Void = { context, level, subsystem, message in
      guard let context else { return }
      Unmanaged<HostLog>.fromOpaque(context).takeUnretainedValue().note(
        "\(level.rawValue) \(String(cString: subsystem)): \(String(cString: message))")
    }
}
