import WalletProvider

/// Where a setting was said.
enum SettingSource: Sendable, Equatable {
  case option
  case environment
}

/// A setting as it was given.
struct GivenSetting: Sendable, Equatable {
  let name: SettingName
  let text: String
  let source: SettingSource

  /// That it is not `wanted`. A secret is not repeated.
  func refusal(_ wanted: String) -> SettingsError {
    let quote = name.setting.value.isSecret(text) ? "" : ", not \"\(text.prefix(60))\""
    return SettingsError(
      "\(name.option) (\(name.environmentVariable)) must be \(wanted)\(quote)")
  }
}

/// All that was said of the settings, the strongest source first.
struct SettingSources: Sendable {
  let options: [SettingName: String]
  let environment: [String: String]

  /// What holds for `name`; nil where nobody said anything.
  func given(_ name: SettingName) -> GivenSetting? {
    if let text = options[name] { return GivenSetting(name: name, text: text, source: .option) }
    if let text = environment[name.environmentVariable] {
      return GivenSetting(name: name, text: text, source: .environment)
    }
    return nil
  }
}
