import WalletProvider
import Yams

/// A configuration file: YAML whose keys are the names of settings.
struct SettingFile: Sendable, Equatable {
  /// The name of the file in a data directory.
  static let name = "wallet-provider.yaml"
  /// The variable that names the file if `--config` does not.
  static let environmentVariable = "WALLET_PROVIDER_CONFIG"

  /// A value with the line number of its key, from 1.
  struct Entry: Sendable, Equatable {
    let text: String
    let line: Int
  }

  /// The path as it was given.
  let path: String
  let entries: [SettingName: Entry]

  /// Reads the file named by the option or the variable, otherwise the one in the data directory if
  /// it exists.
  ///
  /// - Parameters:
  ///   - option: the value of `--config`.
  ///   - data: the value of `--data`.
  ///   - standard: the data directory if nothing names one.
  /// - Throws: `FileProblem` for an unusable file, `SettingsError` for an invalid setting in it;
  ///   both name the file.
  static func find(
    option: String?, data: String?, environment: [String: String],
    standard: String = ServerSettings.standard.data
  ) throws -> SettingFile? {
    if let path = option ?? environment[environmentVariable] {
      guard let file = try SettingFile(path: path) else {
        throw FileProblem("there is no configuration file \(path)")
      }
      return file
    }
    let directory =
      data ?? environment[SettingName.data.environmentVariable] ?? standard
    guard !directory.isEmpty, let file = try SettingFile(path: "\(directory)/\(name)") else {
      return nil
    }
    if let entry = file.entries[.data], entry.text != directory {
      throw file.refusal(
        entry.line, "data must be \(directory), where the file was found, or be left out")
    }
    return file
  }

  /// Reads `path`; nil if there is no such file.
  init?(path: String) throws {
    guard let content = try PrivateFile.read(path, secret: false) else { return nil }
    guard let yaml = String(validating: content, as: UTF8.self) else {
      throw SettingsError("\(path) is not UTF-8 text")
    }
    self.path = path
    entries = try Self.entries(of: yaml, path: path)
    if let secret = entries.first(where: { $0.key.setting.value.isSecret($0.value.text) }) {
      do {
        _ = try PrivateFile.read(path, secret: true)
      } catch {
        throw FileProblem("\(error), or move \(secret.key.rawValue) out of it")
      }
    }
  }

  private static func entries(
    of yaml: String, path: String
  ) throws(SettingsError) -> [SettingName: Entry] {
    let root: Node?
    do { root = try compose(yaml: yaml) } catch { throw refusal(error, path: path) }
    guard let root else { return [:] }
    guard let mapping = root.mapping else {
      throw refusal(path, root.mark?.line, "not a list of settings, like port: 8740")
    }
    var entries: [SettingName: Entry] = [:]
    for (key, value) in mapping {
      let line = key.mark?.line ?? 1
      guard let text = key.scalar?.string, let name = SettingName(rawValue: text) else {
        let shown = key.scalar.map { "\"\($0.string.prefix(60))\"" } ?? "a key that is no text"
        throw refusal(path, line, "\(shown) is not a setting")
      }
      guard let text = Self.text(value, isList: name.setting.value.isList) else {
        throw refusal(
          path, line,
          "\(name.rawValue) must be a single value"
            + (name.setting.value.isList ? " or a list of values" : ""))
      }
      entries[name] = Entry(text: text, line: line)
    }
    return entries
  }

  /// The value as the text of an option; nil for a value that no option can have.
  private static func text(_ value: Node, isList: Bool) -> String? {
    if let sequence = value.sequence {
      guard isList else { return nil }
      let parts = sequence.map { $0.scalar?.string }
      guard parts.allSatisfy({ $0?.contains(",") == false && $0 != "" }) else { return nil }
      return parts.compactMap { $0 }.joined(separator: ",")
    }
    guard let scalar = value.scalar else { return nil }
    let isNull = scalar.style == .plain && ["~", "null", "Null", "NULL"].contains(scalar.string)
    return isNull ? "" : scalar.string
  }

  private func refusal(_ line: Int, _ reason: String) -> SettingsError {
    Self.refusal(path, line, reason)
  }

  private static func refusal(_ path: String, _ line: Int?, _ reason: String) -> SettingsError {
    SettingsError("\(path)\(line.map { " line \($0)" } ?? ""): \(reason)")
  }

  /// The YAML reader's own message is left out if it could quote the file.
  private static func refusal(_ error: any Error, path: String) -> SettingsError {
    switch error {
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      let key = keys.first.map { $0.prefix(60) } ?? ""
      return refusal(path, context.mark.line, "\(key) is there more than once")
    case YamlError.scanner(_, let problem, let mark, _),
      YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      return refusal(path, mark.line, "not YAML: \(problem)")
    default: return refusal(path, nil, "not YAML")
    }
  }
}
