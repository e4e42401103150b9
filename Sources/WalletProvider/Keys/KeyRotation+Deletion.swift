extension KeyRotation {
  /// Deletes a retired key that would still open what wallets have sealed to it.
  ///
  /// - Parameter givesUpCards: true to delete the key although copies of cards may need it. Nothing
  ///   tells the provider whether there are any: it keeps no record of them.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func delete(_ role: KeyRole, id: String, givesUpCards: Bool) throws {
    let name = role.rawValue
    guard role.opensWhenRetired else {
      throw KeyRefusal(
        description: "only retired \(KeyRole.use.rawValue) keys are deleted by a command; no"
          + " retired \(name) key opens anything")
    }
    try checkRetiredCanChange(role)
    let lock = try DirectoryLock(directory: directory)
    var entries = try source.findRetired(role)
    guard let index = entries.firstIndex(where: { role.keyID($0.secret) == id }) else {
      throw KeyRefusal(
        description: "there is no retired \(name) key \(id.prefix(16)); others have to be retired"
          + " first")
    }
    guard givesUpCards else {
      throw KeyRefusal(
        description: "wallets could never present the copies of cards again that need \(id), and"
          + " would have to obtain them anew; pass --give-up-cards if that is wanted")
    }
    entries.remove(at: index)
    try source.replaceRetired(role, with: entries)
    _ = consume lock
  }

  /// Throws if the retired keys of a role come from a variable, which no command can change.
  func checkRetiredCanChange(_ role: KeyRole) throws(KeyRefusal) {
    guard !source.isRetiredInEnvironment(role) else {
      throw KeyRefusal(
        description: "the retired \(role.rawValue) keys come from \(role.retiredVariable);"
          + " change them where it is set")
    }
  }
}
