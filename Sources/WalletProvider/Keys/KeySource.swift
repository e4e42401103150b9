import WalletSignatures
import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a provider's keys come from. For each role this is the environment variable if it is set,
/// otherwise the key file. If the variable is set, the file is left untouched.
struct KeySource {
  /// The directory of the key files.
  let directory: String
  let environment: KeyEnvironment
  /// Whether missing keys are made.
  var makesMissing = true

  func path(_ role: KeyRole) -> String { "\(directory)/\(role.fileName)" }

  /// The name under which operators know the role's keys: the variable or the file path.
  func name(_ role: KeyRole) -> String {
    isInEnvironment(role) ? role.environmentVariable : path(role)
  }

  /// Whether the role's keys come from an environment variable.
  func isInEnvironment(_ role: KeyRole) -> Bool {
    environment.value(role.environmentVariable) != nil
  }

  /// The keys of a role; nil if there is neither a variable nor a file.
  ///
  /// - Throws: `FileProblem` that names the file or the variable, and contains nothing of its
  ///   content.
  func find(_ role: KeyRole) throws(FileProblem) -> KeyList? {
    if let text = environment.value(role.environmentVariable) {
      return try parse(text, name: name(role))
    }
    guard let content = try PrivateFile.read(path(role), secret: true) else { return nil }
    return try parse(String(decoding: content, as: UTF8.self), name: name(role))
  }

  /// The keys of a role. If there are none and `makesMissing` is true, they are made and written to
  /// disk.
  func findOrMake(_ role: KeyRole) throws(FileProblem) -> KeyList {
    if let found = try find(role) { return found }
    guard makesMissing else { throw missing(role) }
    let list = KeyList(secret: role.makeSecret().secret)
    try PrivateFile.createDirectory(directory)
    try PrivateFile.write(Array(list.text.utf8), to: path(role), replace: false)
    return list
  }

  private func missing(_ path: String) -> FileProblem {
    FileProblem("there is no key \(path), and this provider had one; restore it from a backup")
  }

  func missing(_ role: KeyRole) -> FileProblem {
    guard role == .use || KeyRole.certified.contains(role) else { return missing(path(role)) }
    return FileProblem(
      "there is no key \(path(role)); restore it from a backup. If a version without \(role.rawValue)"
        + " keys made this provider, start anew with a new directory")
  }

  /// Replaces the file of a role atomically: a reader finds either the old or the new list. Only
  /// one process may call this at a time.
  func replace(_ role: KeyRole, with list: KeyList) throws(FileProblem) {
    removeLeftovers(of: role)
    try PrivateFile.write(Array(list.text.utf8), to: path(role), replace: true)
  }

  /// Whether the role's retired keys come from an environment variable.
  func isRetiredInEnvironment(_ role: KeyRole) -> Bool {
    role.opensWhenRetired && environment.value(role.retiredVariable) != nil
  }

  /// The retired keys of a role that still open; none for a role whose retired keys do not.
  ///
  /// - Throws: `FileProblem`, like `find`.
  func findRetired(_ role: KeyRole) throws(FileProblem) -> [KeyList.Entry] {
    guard role.opensWhenRetired else { return [] }
    let (text, name): (String, String)
    if let value = environment.value(role.retiredVariable) {
      (text, name) = (value, role.retiredVariable)
    } else {
      name = retiredPath(role)
      guard let content = try PrivateFile.read(name, secret: true) else { return [] }
      text = String(decoding: content, as: UTF8.self)
    }
    // All of them may have been deleted.
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    return try parse(text, name: name, limit: KeyList.retiredLimit).entries
  }

  /// Replaces the file of a role's retired keys. Only one process may call this at a time.
  func replaceRetired(_ role: KeyRole, with entries: [KeyList.Entry]) throws(FileProblem) {
    removeLeftovers(of: role)
    let text = entries.map(\.line).joined()
    try PrivateFile.write(Array(text.utf8), to: retiredPath(role), replace: true)
  }

  private func retiredPath(_ role: KeyRole) -> String { "\(directory)/\(role.retiredFileName)" }

  /// Appends a key to the role's file of retired keys, unless it is there already. Only one process
  /// may call this at a time.
  func keepRetired(_ entry: KeyList.Entry, of role: KeyRole) throws(FileProblem) {
    let path = retiredPath(role)
    var text = String(decoding: try PrivateFile.read(path, secret: true) ?? [], as: UTF8.self)
    guard
      !text.split(whereSeparator: \.isWhitespace).contains(where: {
        Base64URL.decode($0) == entry.secret
      })
    else { return }
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    removeLeftovers(of: role)
    try PrivateFile.write(Array((text + entry.line).utf8), to: path, replace: true)
  }

  /// Removes temporary files of a process that was killed while writing: they hold keys.
  private func removeLeftovers(of role: KeyRole) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let files = [role.fileName, role.retiredFileName]
    for name in names
    where name.hasSuffix(".new") && files.contains(where: { name.hasPrefix($0 + ".") }) {
      try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")
    }
  }

  /// The public half of the offline configuration-signing key.
  ///
  /// The `.pub` file alone is sufficient, so the private half can be kept elsewhere. If neither
  /// file exists, a new key is made.
  func offlinePublicKey() throws(FileProblem) -> [UInt8] {
    let name = KeyRole.configurationSigning.rawValue + "-offline"
    let publicPath = "\(directory)/\(name).pub"
    if let text = environment.value(KeyEnvironment.offlinePublicKey) {
      return try onlyKey(text, name: KeyEnvironment.offlinePublicKey)
    }
    let privatePath = "\(directory)/\(name).key"
    if let content = try PrivateFile.read(publicPath, secret: false) {
      // If the private half is still here, others must not be able to read it.
      _ = try PrivateFile.read(privatePath, secret: true)
      return try onlyKey(String(decoding: content, as: UTF8.self), name: publicPath)
    }
    guard !isInEnvironment(.configurationSigning) else {
      throw FileProblem(
        "\(KeyRole.configurationSigning.environmentVariable) needs \(KeyEnvironment.offlinePublicKey)"
          + " or \(publicPath) beside it")
    }
    guard makesMissing else { throw missing(publicPath) }
    return try makeOfflineKey(privatePath, publicPath)
  }

  /// Throws if one key has two roles, because what it signs in one role could pass for a message of
  /// the other. The offline key may also be a configuration-signing key, but nothing else.
  ///
  /// - Parameter offline: the public half of the offline key.
  func checkRolesAreApart(offline: [UInt8]) throws(FileProblem) {
    var seen: [[UInt8]: KeyRole] = [:]
    for role in KeyRole.allCases {
      for entry in try (find(role)?.entries ?? []) + findRetired(role) {
        // A command that was killed may leave a retired key in both files of its role.
        if let other = seen.updateValue(role, forKey: entry.secret), other != role {
          throw FileProblem("\(name(other)) and \(name(role)) hold the same key")
        }
        if role.isEd25519, role != .configurationSigning,
          (try? Ed25519Signer(seed: entry.secret))?.publicKey == offline
        {
          throw FileProblem("\(name(role)) holds the offline key, which only signs configurations")
        }
      }
    }
  }

  private func makeOfflineKey(
    _ privatePath: String, _ publicPath: String
  ) throws(FileProblem) -> [UInt8] {
    let seed: [UInt8]
    if let content = try PrivateFile.read(privatePath, secret: true) {
      seed = try onlyKey(String(decoding: content, as: UTF8.self), name: privatePath)
    } else {
      seed = SecureRandom.bytes(32)
      try PrivateFile.write(
        Array(KeyList(secret: seed).text.utf8), to: privatePath, replace: false)
    }
    guard let publicKey = (try? Ed25519Signer(seed: seed))?.publicKey else {
      throw FileProblem("\(privatePath) does not hold a key")
    }
    try PrivateFile.write(
      Array(KeyList(secret: publicKey).text.utf8), to: publicPath, replace: false)
    return publicKey
  }

  private func onlyKey(_ text: String, name: String) throws(FileProblem) -> [UInt8] {
    let list = try parse(text, name: name)
    guard list.entries.count == 1 else { throw FileProblem("\(name) must hold one key") }
    return list.entries[0].secret
  }

  private func parse(
    _ text: String, name: String, limit: Int = KeyList.limit
  ) throws(FileProblem) -> KeyList {
    do {
      return try KeyList(parsing: text, limit: limit)
    } catch { throw FileProblem("\(name) does not hold keys: \(error)") }
  }
}
