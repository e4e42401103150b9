/// The article on the settings, generated from their table.
package enum SettingArticle {
  /// The name of its file.
  package static let name = "settings.md"

  package static var text: String {
    var lines = [
      "# Settings of the provider", "",
      "Every setting of `wallet-provider`. Written by `make flows` from the table that the program reads.",
      "",
      "Each is a key of the configuration file, a variable of the environment and an option of `serve`,",
      "`check` and `config show`: `attempt-rounds`, `WALLET_PROVIDER_ATTEMPT_ROUNDS`, `--attempt-rounds`. An",
      "option wins over a variable, and a variable over the file. Durations are whole seconds. Lists are",
      "separated by commas, or are YAML lists. An option for true or false has no value: `--behind-proxy` or",
      "`--no-behind-proxy`. [Operations](operations.md#the-configuration-file) says how the file is found.",
    ]
    for section in SettingSection.allCases {
      lines += [
        "", "## \(section.rawValue)", "", "| key | takes | default | |", "|---|---|---|---|",
      ]
      for name in SettingName.allCases where name.setting.section == section {
        lines.append(row(name))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ name: SettingName) -> String {
    let setting = name.setting
    let standard = setting.standard ?? setting.standardText.map { "`\($0)`" } ?? "none"
    let takes = setting.value.wanted == SettingValue.notEmpty ? "a text" : setting.value.wanted
    return "| `\(name.rawValue)` | \(takes) | \(standard) | \(setting.summary) |"
  }
}
