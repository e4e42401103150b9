public import WalletProtocol
import WalletSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keys that are given in environment variables, for a server without key files.
public struct KeyEnvironment: Sendable, RedactedDescription {
  /// The common prefix of the variables' names.
  public static let prefix = "WALLET_PROVIDER_KEY_"
  /// The public half of the offline configuration-signing key; not secret.
  static let offlinePublicKey = prefix + "CONFIGURATION_SIGNING_OFFLINE_PUBLIC"

  private let values: [String: String]

  /// - Parameter values: the values by variable name; other variables are ignored.
  public init(_ values: [String: String] = [:]) {
    self.values = values.filter {
      $0.key.hasPrefix(Self.prefix) || Self.certificateVariables.contains($0.key)
    }
  }

  /// The variables that hold certificates, which are not secret.
  public static let certificateVariables = Set(KeyRole.allCases.compactMap(\.certificateVariable))

  /// The key variables of this process. They are removed from its environment on first use: child
  /// processes do not inherit them, and `/proc/self/environ` no longer shows them. The process that
  /// started this one may still know them.
  ///
  /// The first use must come at the very beginning of a program, while no other thread can read the
  /// environment at the same time.
  public static let process = KeyEnvironment(takingFromProcess: ())

  private init(takingFromProcess: Void) {
    var values: [String: String] = [:]
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix(Self.prefix) {
      // `take` also overwrites the bytes: if the variable were only removed, `/proc/self/environ`
      // would still show them.
      values[name] = ProcessEnvironment.take(name)
    }
    for name in Self.certificateVariables { values[name] = ProcessEnvironment.value(name) }
    self.values = values
  }

  /// The value of a variable; nil if it is not set.
  func value(_ name: String) -> String? { values[name] }

  /// Throws if a variable begins with `prefix` and names no key. If a mistyped name were ignored,
  /// the server would silently make a new key.
  func checkNames() throws(FileProblem) {
    let known = Set(
      KeyRole.allCases.map(\.environmentVariable) + [Self.offlinePublicKey]
        + KeyRole.allCases.filter(\.opensWhenRetired).map(\.retiredVariable))
    if let unknown = values.keys.sorted()
      .first(where: { $0.hasPrefix(Self.prefix) && !known.contains($0) })
    {
      throw FileProblem(
        "\(unknown) names no key; there are \(known.sorted().joined(separator: ", "))")
    }
  }
}
