import WalletProvider

/// A key path to a member of the settings.
typealias SettingMember<Value> = any WritableKeyPath<ServerSettings, Value> & Sendable

/// The values that a setting takes, as text from any source.
struct SettingValue: Sendable {
  /// What the text must be; follows "must be" in an error message.
  let wanted: String
  /// The value in a sample if there is no default.
  var example: String?
  /// Whether it takes several values, separated by commas.
  var isList = false
  /// Whether an empty text is a valid value.
  var mayBeEmpty = false
  /// Whether a text must not be shown.
  var isSecret: @Sendable (String) -> Bool = { _ in false }
  /// Stores the text in its member; false if the text is invalid.
  let read: @Sendable (inout ServerSettings, String) -> Bool
  /// The member as text; nil if it has no value.
  let write: @Sendable (ServerSettings) -> String?
}

extension SettingValue {
  /// The requirement for a text that may be anything.
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

  /// The URL of a database, which may contain a password.
  static func database(_ member: SettingMember<DatabaseURL?>) -> SettingValue {
    SettingValue(
      wanted: "a URL like postgresql://user@host:5432/name",
      example: "postgresql://wallet_provider@db.example.org/wallet_provider",
      isSecret: { text in
        // A text that is not a valid URL could contain anything.
        guard (try? DatabaseURL(text)) != nil else { return true }
        // Up to the last @, because a password may contain characters that end it by the rules of
        // URLs.
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
