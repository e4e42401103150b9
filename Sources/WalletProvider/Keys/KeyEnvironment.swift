public import WalletProtocol
import WalletSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys that come in variables of the environment, for a server without files.
public struct KeyEnvironment: Sendable, RedactedDescription {
  /// What the names of all such variables begin with.
  public static let prefix = "WALLET_PROVIDER_KEY_"
  /// The public half of the offline configuration-signing key; no secret.
  static let offlinePublicKey = prefix + "CONFIGURATION_SIGNING_OFFLINE_PUBLIC"

  private let values: [String: String]

  /// - Parameter values: by the names of the variables.
  public init(_ values: [String: String] = [:]) {
    self.values = values.filter { $0.key.hasPrefix(Self.prefix) }
  }

  /// The variables of this process. They are taken out of its environment at the first use: what is
  /// started from here does not get them, and `/proc/self/environ` no longer shows them. Whoever
  /// started this process may still know them.
  ///
  /// The first use belongs to the very beginning of a program, before it has threads that might read
  /// the environment at the same time.
  public static let process = KeyEnvironment(takingFromProcess: ())

  private init(takingFromProcess: Void) {
    var values: [String: String] = [:]
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix(Self.prefix) {
      // Removed alone, the bytes would stay where the kernel shows them; this overwrites them too.
      values[name] = ProcessEnvironment.take(name)
    }
    self.values = values
  }

  /// The content of a variable; nil where it is not set.
  func value(_ name: String) -> String? { values[name] }

  /// Refuses variables that no role reads: a server whose variable is mistyped would make itself
  /// another key.
  func checkNames() throws(FileProblem) {
    let known = Set(KeyRole.allCases.map(\.environmentVariable) + [Self.offlinePublicKey])
    if let unknown = values.keys.sorted().first(where: { !known.contains($0) }) {
      throw FileProblem(
        "\(unknown) names no key; there are \(known.sorted().joined(separator: ", "))")
    }
  }
}
