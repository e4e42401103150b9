/// The members of a JSON object written by a person. No member is silently ignored, and every error
/// names its location.
struct StrictMembers {
  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue _: Int) { nil }
  }

  private let location: String
  private let members: KeyedDecodingContainer<Name>

  /// - Throws: `SettingsError` if it is not an object or has a member that is not in `known`.
  init(_ decoder: any Decoder, location: String, known: [String]) throws {
    guard let members = try? decoder.container(keyedBy: Name.self) else {
      throw SettingsError("\(location) must be an object, {...}")
    }
    let unknown = members.allKeys.map(\.stringValue).filter { !known.contains($0) }.min()
    if let unknown {
      throw SettingsError(
        "\(location) has the unknown member \"\(unknown.prefix(60))\";"
          + " known are \(known.joined(separator: ", "))")
    }
    self.location = location
    self.members = members
  }

  /// Whether the member exists and is not null.
  func has(_ name: String) -> Bool { (try? members.decodeNil(forKey: Name(name))) == false }

  /// The member; nil if it is missing or null.
  ///
  /// - Throws: `SettingsError` that says what is `wanted`.
  func optional<Value: Decodable>(
    _: Value.Type, _ name: String, _ wanted: String
  ) throws -> Value? {
    guard has(name) else { return nil }
    do {
      return try members.decode(Value.self, forKey: Name(name))
    } catch let error as SettingsError { throw error } catch { throw refusal(name, wanted) }
  }

  /// The member, which is required.
  func required<Value: Decodable>(
    _: Value.Type, _ name: String, _ wanted: String
  ) throws -> Value {
    guard let value = try optional(Value.self, name, wanted) else { throw refusal(name, wanted) }
    return value
  }

  func refusal(_ name: String, _ wanted: String) -> SettingsError {
    SettingsError("\(location): \"\(name)\" must be \(wanted)")
  }
}
