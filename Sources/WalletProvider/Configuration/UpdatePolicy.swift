public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rules for app versions. They were validated, so that clients never get an invalid rule.
public struct UpdatePolicy: Sendable, Equatable {
  /// More than any policy needs, and few enough for one signed message.
  static let mostRules = 256

  /// The most severe rule that matches an app's version applies.
  public let rules: [UpdateRule]

  /// Every version may be used.
  public static let none = UpdatePolicy(checked: [])

  /// Parses `{"rules":[...]}` with the members of `UpdateRule`. `from` may also be RFC 3339 text,
  /// and `update_available` defaults to true.
  ///
  /// - Throws: `SettingsError` that names the rule and the problem.
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

  /// Reads the policy from the file at `path`; nil if there is no file.
  ///
  /// - Throws: `FileProblem` that names the file and the problem.
  public init?(file path: String) throws(FileProblem) {
    guard let content = try PrivateFile.read(path, secret: false) else { return nil }
    do { self = try UpdatePolicy(json: content) } catch {
      throw FileProblem("\(path) is not an update policy: \(error)")
    }
  }

  private init(checked rules: [UpdateRule]) { self.rules = rules }
}

/// The source of the current update policy.
public protocol UpdatePolicySource: Sendable {
  /// The policy for the next answer.
  var updatePolicy: UpdatePolicy { get async }
}

extension UpdatePolicy: UpdatePolicySource {
  public var updatePolicy: UpdatePolicy { self }
}
