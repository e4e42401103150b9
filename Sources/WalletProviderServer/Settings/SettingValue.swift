import WalletProvider

/// A key path to a member of the settings.
typealias SettingMember<Value> = any WritableKeyPath<ServerSettings, Value> & Sendable

/// Which values a setting takes, and how they are read from text and written as text.
struct SettingValue: Sendable {
  /// What the text must be; follows "must be" in an error message.
  let wanted: String
  /// An example for the sample file; only for a setting without a default.
  var example: String?
  /// Whether the setting takes several values, separated by commas.
  var isList = false
  /// Whether an empty text is a valid value.
  var mayBeEmpty = false
  /// Whether a value must not be shown, such as a URL with a password.
  var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Stores a value, given as text, in the settings; false if the text is invalid.
  let read: @Sendable (inout ServerSettings, String) -> Bool
  /// The setting's value as text; nil if it has none.
  let write: @Sendable (ServerSettings) -> String?
}

extension SettingValue {
  /// The requirement for a setting that takes any text except an empty one.
  static let notEmpty = "not empty"

  static func text(_ member: SettingMember<String>) -> SettingValue {
    SettingValue(wanted: notEmpty) { settings, text in
      settings[keyPath: member] = text
      return true
    } write: {
      $0[keyPath: member]
    }
  }

  /// An optional text.
  ///
  /// - Parameter like: an example for the sample file.
  static func optional(
    _ member: SettingMember<String?>, like example: String
  ) -> SettingValue {
    SettingValue(wanted: notEmpty, example: example) { settings, text in
      settings[keyPath: member] = text
      return true
    } write: {
      $0[keyPath: member]
    }
  }

  /// An optional https:// URL of a host and a port.
  static func httpsURL(
    _ member: SettingMember<String?>, like example: String
  ) -> SettingValue {
    SettingValue(wanted: "a URL like \(example), without a path", example: example) {
      settings, text in
      guard let url = try? ProviderURL(text), !url.isLoopbackHTTP else { return false }
      settings[keyPath: member] = url.text
      return true
    } write: {
      $0[keyPath: member]
    }
  }

  /// An optional URL of the provider, with or without a path.
  static func publicURL(
    _ member: SettingMember<String?>, like example: String
  ) -> SettingValue {
    SettingValue(
      wanted: "a URL like \(example), or http:// with a host of this machine", example: example
    ) { settings, text in
      guard let url = try? PublicURL(text) else { return false }
      settings[keyPath: member] = url.text
      return true
    } write: {
      $0[keyPath: member]
    }
  }

  /// The URL of a database, which may contain a password.
  static func database(_ member: SettingMember<DatabaseURL?>) -> SettingValue {
    SettingValue(
      wanted: "a URL like postgresql://user@host:5432/name",
      example: "postgresql://wallet_provider@db.example.org/wallet_provider",
      isSecret: { text in
        // A text that is not a valid URL could contain anything, even a password.
        guard (try? DatabaseURL(text)) != nil else { return true }
        // User and password reach up to the last @. By the rules of URLs they could end earlier,
        // but an unescaped password may contain any character.
        let afterScheme = text.split(separator: ":", maxSplits: 1).last ?? ""
        let user = afterScheme.lastIndex(of: "@").map { afterScheme[..<$0] }
        return text.contains("password") || user?.contains(":") == true
      }
    ) { settings, text in
      guard let url = try? DatabaseURL(text) else { return false }
      settings[keyPath: member] = url
      return true
    } write: {
      $0[keyPath: member]?.text
    }
  }

  static func whole<Number: FixedWidthInteger & Sendable>(
    _ member: SettingMember<Number>, _ range: ClosedRange<Number>
  ) -> SettingValue {
    SettingValue(wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      settings, text in
      guard let number = Number(text), range.contains(number) else { return false }
      settings[keyPath: member] = number
      return true
    } write: {
      String($0[keyPath: member])
    }
  }

  /// An optional whole number.
  static func optionalWhole(
    _ member: SettingMember<Int?>, _ range: ClosedRange<Int>, like example: Int
  ) -> SettingValue {
    SettingValue(
      wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      example: String(example)
    ) { settings, text in
      guard let number = Int(text), range.contains(number) else { return false }
      settings[keyPath: member] = number
      return true
    } write: {
      $0[keyPath: member].map { String($0) }
    }
  }

  static func flag(_ member: SettingMember<Bool>) -> SettingValue {
    SettingValue(wanted: "true or false") { settings, text in
      guard let flag = Bool(text) else { return false }
      settings[keyPath: member] = flag
      return true
    } write: {
      String($0[keyPath: member])
    }
  }

  /// Whole seconds, stored as milliseconds.
  static func seconds(
    _ member: SettingMember<Int64>, _ range: ClosedRange<Int64>
  ) -> SettingValue {
    SettingValue(
      wanted: "a whole number of seconds from \(range.lowerBound) to \(range.upperBound)"
    ) { settings, text in
      guard let duration = milliseconds(text, range) else { return false }
      settings[keyPath: member] = duration
      return true
    } write: {
      String($0[keyPath: member] / 1000)
    }
  }

  /// Whole seconds up to 366 days, stored as milliseconds.
  static func seconds(
    _ member: SettingMember<Int64>, _ range: PartialRangeFrom<Int64>
  ) -> SettingValue { seconds(member, range.lowerBound...longestSeconds) }

  /// Whole mebibytes, stored as bytes.
  static func mebibytes(
    _ member: SettingMember<Int64>, _ range: ClosedRange<Int64>
  ) -> SettingValue {
    let mebibyte: Int64 = 1024 * 1024
    return SettingValue(
      wanted: "a whole number of MiB from \(range.lowerBound) to \(range.upperBound)"
    ) { settings, text in
      guard let number = Int64(text), range.contains(number) else { return false }
      settings[keyPath: member] = number * mebibyte
      return true
    } write: {
      String($0[keyPath: member] / mebibyte)
    }
  }

  /// Whole seconds above zero, separated by commas, stored as milliseconds.
  static func secondsList(_ member: SettingMember<[Int64]>) -> SettingValue {
    SettingValue(
      wanted: "seconds with commas between, like 60,300,3600", isList: true, mayBeEmpty: true
    ) { settings, text in
      var durations: [Int64] = []
      for part in text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let duration = milliseconds(part, 1...longestSeconds) else { return false }
        durations.append(duration)
      }
      settings[keyPath: member] = durations
      return true
    } write: {
      $0[keyPath: member].map { String($0 / 1000) }.joined(separator: ",")
    }
  }

  static func list(_ member: SettingMember<[String]>, like example: String) -> SettingValue {
    SettingValue(wanted: "texts with commas between", example: example, isList: true) {
      settings, text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      settings[keyPath: member] = parts.map(String.init)
      return true
    } write: { settings in
      let parts = settings[keyPath: member]
      return parts.isEmpty ? nil : parts.joined(separator: ",")
    }
  }

  /// IP addresses and networks, separated by commas.
  static func addresses(_ member: SettingMember<[AddressRange]>) -> SettingValue {
    SettingValue(wanted: "addresses or networks with commas between", isList: true) {
      settings, text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let ranges = parts.compactMap { AddressRange(String($0)) }
      guard ranges.count == parts.count else { return false }
      settings[keyPath: member] = ranges
      return true
    } write: {
      $0[keyPath: member].map(\.text).joined(separator: ",")
    }
  }

  /// One value of an enumeration.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ member: SettingMember<Choice>
  ) -> SettingValue {
    SettingValue(wanted: "one of " + known(Choice.self)) { settings, text in
      guard let choice = Choice(rawValue: text) else { return false }
      settings[keyPath: member] = choice
      return true
    } write: {
      $0[keyPath: member].rawValue
    }
  }

  /// One value of an enumeration, or none.
  static func optionalChoice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ member: SettingMember<Choice?>
  ) -> SettingValue {
    SettingValue(
      wanted: "one of " + known(Choice.self), example: Choice.allCases.first?.rawValue
    ) { settings, text in
      guard let choice = Choice(rawValue: text) else { return false }
      settings[keyPath: member] = choice
      return true
    } write: {
      $0[keyPath: member]?.rawValue
    }
  }

  /// Some values of an enumeration, separated by commas.
  static func choices<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ member: SettingMember<[Choice]>
  ) -> SettingValue {
    SettingValue(wanted: "some of " + known(Choice.self), isList: true) { settings, text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let choices = parts.compactMap { Choice(rawValue: String($0)) }
      guard choices.count == parts.count else { return false }
      settings[keyPath: member] = choices
      return true
    } write: {
      $0[keyPath: member].map(\.rawValue).joined(separator: ",")
    }
  }

  private static func known<Choice: RawRepresentable<String> & CaseIterable>(
    _: Choice.Type
  ) -> String { Choice.allCases.map(\.rawValue).joined(separator: ", ") }

  private static let longestSeconds = ProviderSettings.longestDuration / 1000

  private static func milliseconds(
    _ text: some StringProtocol, _ range: ClosedRange<Int64>
  ) -> Int64? {
    guard let seconds = Int64(text), range.contains(seconds) else { return nil }
    return seconds * 1000
  }
}
