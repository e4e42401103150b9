import WalletProvider

/// The source of a setting.
enum SettingSource: Sendable, Equatable {
  case option
  case environment
  /// A configuration file.
  case file(path: String, line: Int)
}

/// A setting with the value that was given.
struct GivenSetting: Sendable, Equatable {
  let name: SettingName
  let text: String
  let source: SettingSource

  /// Where the value was set, for error messages.
  var location: String {
    switch source {
    case .option, .environment: "\(name.option) (\(name.environmentVariable))"
    case .file(let path, let line): "\(path) line \(line): \(name.rawValue)"
    }
  }

  /// The error that says that the value must be `wanted`. It does not repeat a secret.
  func refusal(_ wanted: String) -> SettingsError {
    let quote = name.setting.value.isSecret(text) ? "" : ", not \"\(text.prefix(60))\""
    return SettingsError("\(location) must be \(wanted)\(quote)")
  }
}

extension SettingSources {
  /// Runs `check`, and adds to its error where the settings in `names` were set.
  func naming<Value>(
    _ names: [SettingName], _ check: () throws(SettingsError) -> Value
  ) throws(SettingsError) -> Value {
    do { return try check() } catch {
      let locations = names.compactMap { given($0)?.location }
      throw locations.isEmpty
        ? error : SettingsError("\(error); see \(locations.joined(separator: ", "))")
    }
  }

  /// Runs `check`, and adds to its error where the settings of `section` were set.
  func naming<Value>(
    _ section: SettingSection, _ check: () throws(SettingsError) -> Value
  ) throws(SettingsError) -> Value {
    try naming(SettingName.allCases.filter { $0.setting.section == section }, check)
  }
}

extension SettingSources {
  /// Throws if some of the settings are given and others are not.
  func checkTogether(_ names: SettingName...) throws(SettingsError) {
    guard let given = names.lazy.compactMap({ given($0) }).first,
      let missing = names.first(where: { self.given($0) == nil })
    else { return }
    throw SettingsError(
      "\(given.location) needs \(missing.option) (\(missing.environmentVariable)) beside it")
  }
}

/// All values that were given: an option wins over the environment, which wins over the file.
struct SettingSources: Sendable {
  var options: [SettingName: String] = [:]
  var environment: [String: String] = [:]
  var file: SettingFile?

  /// The value of `name` with the highest precedence; nil if none was given.
  func given(_ name: SettingName) -> GivenSetting? {
    if let text = options[name] { return GivenSetting(name: name, text: text, source: .option) }
    if let text = environment[name.environmentVariable] {
      return GivenSetting(name: name, text: text, source: .environment)
    }
    guard let file, let entry = file.entries[name] else { return nil }
    return GivenSetting(
      name: name, text: entry.text, source: .file(path: file.path, line: entry.line))
  }
}

extension SettingSources {
  /// See `ServerSettings.read`.
  static func read(
    options: [SettingName: String], config: String?, standard: ServerSettings = .standard
  ) throws -> (settings: ServerSettings, sources: SettingSources) {
    try SettingEnvironment.checkNames(SettingEnvironment.process)
    var sources = SettingSources(options: options, environment: SettingEnvironment.process)
    sources.file = try SettingFile.find(
      option: config, data: options[.data], environment: sources.environment,
      standard: standard.data)
    return (try ServerSettings(sources, standard: standard), sources)
  }
}
