import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Formats settings as the lines of a configuration file.
struct SettingText {
  /// A file with every setting as a comment that shows its default.
  static var sample: String {
    var lines = [
      "# Settings of wallet-provider. A line like \"#port: 8740\" shows the default; remove the # to set",
      "# a value. A variable of the environment wins over this file, an option over both:",
      "# attempt-rounds is WALLET_PROVIDER_ATTEMPT_ROUNDS and --attempt-rounds. Durations are whole",
      "# seconds. A file that holds a secret must have mode 0600.",
    ]
    for section in SettingSection.allCases {
      lines += ["", "## \(section.rawValue)"]
      for name in SettingName.allCases where name.setting.section == section {
        lines += [""] + sample(name)
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func sample(_ name: SettingName) -> [String] {
    let setting = name.setting
    var comment = setting.summary
    if setting.value.wanted.contains("one of ") || setting.value.wanted.contains("some of ") {
      comment += " It is \(setting.value.wanted)."
    }
    let standard = setting.standardText
    if standard == nil { comment += " Default: \(setting.standard ?? "none"); for example:" }
    return wrapped(comment) + ["#" + line(name, standard ?? setting.value.example ?? "")]
  }

  /// Wraps `text` into comment lines.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + word.count < 96 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append("# " + word)
      }
    }
    return lines
  }

  /// All effective settings, each with its source. Secrets are masked.
  static func all(_ settings: ServerSettings, _ sources: SettingSources) -> String {
    var lines: [String] = []
    for section in SettingSection.allCases {
      lines += (lines.isEmpty ? [] : [""]) + ["## \(section.rawValue)"]
      for name in SettingName.allCases where name.setting.section == section {
        let source = source(sources.given(name)?.source, name)
        guard let text = name.setting.value.write(settings) else {
          lines.append("#\(name.rawValue):  # none")
          continue
        }
        let shown = name.setting.value.isSecret(text) ? "\"***\"" : nil
        lines.append(
          (shown.map { "\(name.rawValue): \($0)" } ?? line(name, text)) + "  # \(source)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func source(_ source: SettingSource?, _ name: SettingName) -> String {
    switch source {
    case .option: name.option
    case .environment: name.environmentVariable
    case .file(let path, let line): "\(path) line \(line)"
    case nil: name.setting.standard.map { "default: \($0)" } ?? "default"
    }
  }

  private static func line(_ name: SettingName, _ text: String) -> String {
    guard name.setting.value.isList else { return "\(name.rawValue): \(scalar(text))" }
    let parts = text.split(separator: ",").map { scalar(String($0)) }
    return "\(name.rawValue): [\(parts.joined(separator: ", "))]"
  }

  /// The text as a YAML value. It is plain if no YAML reader could misinterpret it; otherwise it is
  /// quoted as JSON, which is also YAML.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { $0 != UInt8(ascii: "-") } ?? false
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    let isNull = ["null", "Null", "NULL"].contains(text)
    if isPlain && !isNull { return text }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
