import WalletProvider
import WalletSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The settings in this process's environment.
public enum SettingEnvironment {
  static let prefix = "WALLET_PROVIDER_"

  /// The environment variables whose names begin with `prefix`, except those of keys. On first use,
  /// variables that hold a secret are removed from the environment, and so is the password that
  /// libpq would read there: child processes do not inherit them, and `/proc/self/environ` no longer
  /// shows them. The process that started this one may still know them.
  ///
  /// The first use must come at the very beginning of a program, while no other thread can read the
  /// environment at the same time.
  public static let process: [String: String] = {
    _ = DatabaseEnvironment.password
    let settings = Dictionary(
      SettingName.allCases.map { ($0.environmentVariable, $0.setting.value) },
      uniquingKeysWith: { first, _ in first })
    let named = ProcessInfo.processInfo.environment.filter {
      $0.key.hasPrefix(prefix) && !$0.key.hasPrefix(KeyEnvironment.prefix)
    }
    for (name, text) in named where settings[name]?.isSecret(text) == true {
      // `take` also overwrites the bytes: if the variable were only removed, `/proc/self/environ`
      // would still show them.
      _ = ProcessEnvironment.take(name)
    }
    return named
  }()

  /// Throws if a variable's name begins with `prefix` but is not that of a setting. Key variables
  /// are checked elsewhere. If a mistyped name were ignored, a limit or the database would silently
  /// be the default one.
  static func checkNames(_ environment: [String: String]) throws(SettingsError) {
    let known =
      SettingName.allCases.map(\.environmentVariable) + [SettingFile.environmentVariable]
      + KeyEnvironment.certificateVariables
    let unknown = environment.keys.sorted().filter {
      $0.hasPrefix(prefix) && !$0.hasPrefix(KeyEnvironment.prefix) && !known.contains($0)
    }
    guard !unknown.isEmpty else { return }
    let messages = unknown.map { name in
      let nearest = known.map { ($0, distance(name, $0)) }.min { $0.1 < $1.1 }
      let hint = nearest.flatMap { $0.1 <= 3 ? ", did you mean \($0.0)?" : nil }
      return "the variable \(name.prefix(80)) is no setting\(hint ?? "")"
    }
    throw SettingsError(messages.joined(separator: "; "))
  }

  /// How many characters must be inserted, removed or replaced to make one text of the other.
  private static func distance(_ one: String, _ other: String) -> Int {
    let columns = Array(other.utf8)
    var row = Array(0...columns.count)
    for byte in one.utf8.prefix(100) {
      var next = [row[0] + 1]
      for (index, column) in columns.enumerated() {
        next.append(min(row[index] + (byte == column ? 0 : 1), row[index + 1] + 1, next[index] + 1))
      }
      row = next
    }
    return row[columns.count]
  }
}
