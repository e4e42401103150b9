public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the provider says of app versions: rules that were checked, so that no client has to guess
/// what one of them means.
public struct UpdatePolicy: Sendable, Equatable {
  /// More than a policy ever needs, and few enough for one signed message.
  static let mostRules = 256

  /// The most severe one that matches an app's version holds.
  public let rules: [UpdateRule]

  /// Every version may be used.
  public static let none = UpdatePolicy(checked: [])

  /// Reads `{"rules":[...]}` with the members of `UpdateRule`; `from` may be RFC 3339 text too, and
  /// `update_available` is true where it is not named.
  ///
  /// - Throws: `SettingsError` that names the rule and what is wrong with it.
  public init(json: [UInt8]) throws(SettingsError) {
    let document: UpdatePolicyDocument
    do {
      document = try JSONDecoder().decode(UpdatePolicyDocument.self, from: Data(json))
    } catch let error as SettingsError {
      throw error
    } catch { throw SettingsError("it is not JSON") }
    guard document.rules.count <= Self.mostRules else {
      throw SettingsError("there are more than \(Self.mostRules) rules")
    }
    self.init(checked: document.rules)
  }

  /// The policy in the file at `path`; nil when there is none.
  ///
  /// - Throws: `FileProblem` that names the file and what is wrong with it.
  public init?(file path: String) throws(FileProblem) {
    guard let content = try PrivateFile.read(path, secret: false) else { return nil }
    do { self = try UpdatePolicy(json: content) } catch {
      throw FileProblem("\(path) is not an update policy: \(error)")
    }
  }

  private init(checked rules: [UpdateRule]) { self.rules = rules }
}

/// Where the update policy of the moment comes from.
public protocol UpdatePolicySource: Sendable {
  /// The policy that the next answer says.
  var updatePolicy: UpdatePolicy { get async }
}

extension UpdatePolicy: UpdatePolicySource {
  public var updatePolicy: UpdatePolicy { self }
}
