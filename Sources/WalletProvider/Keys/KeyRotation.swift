import WalletSignatures
import WalletProtocol

/// Why a rotation step was refused. Nothing was changed.
public struct KeyRefusal: Error, CustomStringConvertible {
  /// A message for the operator; contains no key.
  public let description: String
}

/// A key as shown in a list.
public struct KeySummary: Sendable, Equatable {
  /// The state of a key. Current, next and former keys are published, and verify or open.
  public enum State: String, Sendable {
    /// In use: signs, seals, or is the one that wallets seal to.
    case current
    /// Waits to replace the current key.
    case next
    /// Was in use before.
    case former
    /// Still opens, and is not published any more.
    case retired
    /// Is kept elsewhere, and only its certificate is here.
    case offline
  }

  public let role: KeyRole
  public let id: String
  public let state: State
  /// RFC 3339; nil if not recorded.
  public let made: String?
  /// The last moment of the validity of its certificates (RFC 3339); nil if it has none.
  public var certifiedUntil: String?
  /// Whether the key comes from an environment variable, which no command can change.
  public let isInEnvironment: Bool
}

/// Changes the key files of a data directory. Running servers pick up the changes when they are
/// restarted.
///
/// A key is made, announced to everyone who must know it, put into use, and retired once nothing
/// needs it any more. This way no client meets a key it does not know. Any number of processes may
/// attempt a step at the same time: each step reads and replaces a file while it holds the lock of
/// the directory.
public struct KeyRotation: Sendable {
  let directory: String
  let source: KeySource
  let settings: ProviderSettings

  /// - Parameters:
  ///   - directory: a data directory that already has its keys.
  ///   - settings: have the names in new certificates.
  public init(
    directory: String, settings: ProviderSettings = ProviderSettings(),
    environment: KeyEnvironment = .process
  ) {
    self.directory = directory
    self.settings = settings
    source = KeySource(
      directory: directory + "/keys", environment: environment, makesMissing: false)
  }

  /// All keys, grouped by role, in their order.
  ///
  /// - Throws: `FileProblem`.
  public func keys() throws(FileProblem) -> [KeySummary] {
    var summaries: [KeySummary] = []
    for role in KeyRole.allCases {
      let certificates = try certificates(role)
      guard let list = try source.find(role) else {
        summaries += certificates.map { id, end in
          KeySummary(
            role: role, id: id, state: .offline, made: nil, certifiedUntil: RFC3339.text(end),
            isInEnvironment: false)
        }
        continue
      }
      for (index, entry) in list.entries.enumerated() {
        guard let id = role.keyID(entry.secret) else {
          throw FileProblem("\(source.name(role)) does not hold keys of this role")
        }
        summaries.append(
          KeySummary(
            role: role, id: id,
            state: index == 0 ? .current : index == list.next ? .next : .former,
            made: entry.made.map(RFC3339.text),
            certifiedUntil: certificates.first { $0.id == id }.map { RFC3339.text($0.end) },
            isInEnvironment: source.isInEnvironment(role)))
      }
      let held = Set(list.secrets)
      for entry in try source.findRetired(role) where !held.contains(entry.secret) {
        guard let id = role.keyID(entry.secret) else { continue }
        summaries.append(
          KeySummary(
            role: role, id: id, state: .retired, made: entry.made.map(RFC3339.text),
            isInEnvironment: source.isRetiredInEnvironment(role)))
      }
    }
    return summaries
  }

  /// Makes a key that will replace the current one.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: The key's id.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func rotate(_ role: KeyRole, now: Int64) throws -> String {
    let id = try change(role) { list in
      if let next = list.next, let id = role.keyID(list.entries[next].secret) {
        throw KeyRefusal(
          description: "the \(role.rawValue) key \(id) waits already; promote it or retire it first"
        )
      }
      guard list.entries.count < KeyList.limit else {
        throw KeyRefusal(
          description: "there are \(KeyList.limit) \(role.rawValue) keys; retire one first")
      }
      let (secret, id) = role.makeSecret()
      // The new key's time must be later than that of the current key, even if the clock went back:
      // a later time is what marks a key as the next one.
      let made = max(now, (list.entries[0].made ?? 0) + 1)
      list.entries.append(KeyList.Entry(secret: secret, made: made))
      return id
    }
    if role.certificateVariable != nil { try certify(now: now) }
    return id
  }

  /// Puts the next key into use.
  ///
  /// - Parameters:
  ///   - published: the configuration that is published at present.
  ///   - now: seconds since 1970.
  ///   - isUrgent: true to promote the key even though not every client may know it yet.
  /// - Returns: The key's id.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func promote(
    _ role: KeyRole, published: PublishedConfiguration, now: Int64, isUrgent: Bool = false
  ) throws -> String {
    try change(role) { list in
      guard let next = list.next, let made = list.entries[next].made,
        let id = role.keyID(list.entries[next].secret)
      else {
        throw KeyRefusal(
          description: "no \(role.rawValue) key waits; make one with: keys rotate \(role.rawValue)")
      }
      try checkCertificate(of: id, role, published, isUrgent: isUrgent)
      if !isUrgent {
        try Self.checkAnnouncement(of: id, role, made: made, published, now: now)
      }
      var entry = list.entries.remove(at: next)
      entry.currentSince = now
      list.entries.insert(entry, at: 0)
      return id
    }
  }

  /// Removes a key permanently, but for two roles. A sealing key is kept, in
  /// `keys/sealing.retired`, because a row or a backup sealed with it may still turn up; no key is
  /// loaded from that file. A use key is moved to `keys/use.retired` and still opens.
  ///
  /// - Parameters:
  ///   - sealedRows: the number of database rows that depend on the key.
  ///   - published: the configuration that is published at present.
  ///   - now: seconds since 1970.
  ///   - isUrgent: true to retire the key even though it may still be needed. A key that rows need
  ///     is never removed.
  /// - Throws: `FileProblem`, `KeyRefusal`.
  public func retire(
    _ role: KeyRole, id: String, sealedRows: Int, published: PublishedConfiguration, now: Int64,
    isUrgent: Bool = false
  ) throws {
    try change(role) { list in
      guard let index = list.entries.firstIndex(where: { role.keyID($0.secret) == id }) else {
        throw KeyRefusal(description: "there is no \(role.rawValue) key \(id.prefix(16))")
      }
      guard index > 0 else {
        throw KeyRefusal(description: "\(id) is the current \(role.rawValue) key; promote another")
      }
      guard sealedRows == 0 else {
        throw KeyRefusal(
          description: "\(sealedRows) rows still need \(id); reseal them with: keys reseal")
      }
      guard role != .configurationSigning || published.signingKeyID != id else {
        throw KeyRefusal(
          description:
            "\(id) signed the published configuration; start a server, which will sign it again")
      }
      if role == .issuerAuthority { try checkIsUnused(id) }
      if index != list.next, !isUrgent {
        let since = list.entries[0].currentSince ?? list.entries[0].made ?? now
        try Self.check(
          since + role.retention, now,
          role == .sealing
            ? "a server started before the promotion may still seal with \(id); restart all servers first"
            : "somebody may still need the \(role.rawValue) key \(id)")
      }
      if role.opensWhenRetired {
        try checkRetiredCanChange(role)
        guard try source.findRetired(role).count < KeyList.retiredLimit else {
          throw KeyRefusal(
            description: "there are \(KeyList.retiredLimit) retired \(role.rawValue) keys; delete"
              + " one first")
        }
      }
      let entry = list.entries.remove(at: index)
      // The key is written to the retired file before it is removed from the key file. If the
      // process is killed in between, it is in both.
      if role.keepsRetired { try source.keepRetired(entry, of: role) }
      if role == .issuerAuthority { try removeAuthority(id) }
    }
  }

  private static func checkAnnouncement(
    of id: String, _ role: KeyRole, made: Int64, _ published: PublishedConfiguration, now: Int64
  ) throws {
    guard role != .configurationSigning else {
      throw KeyRefusal(
        description: "apps know the key \(id) only by an update that has it built in;"
          + " once every app has that update, run the command again with --now")
    }
    guard !role.isInConfiguration || published.claims.keys(role).contains(where: { $0.id == id })
    else {
      throw KeyRefusal(
        description: "the \(role.rawValue) key \(id) is not published yet; start the servers again")
    }
    try check(made + role.announcement, now, "not every wallet may know the key \(id) yet")
  }

  private static func check(_ time: Int64, _ now: Int64, _ reason: String) throws(KeyRefusal) {
    guard now < time else { return }
    throw KeyRefusal(
      description: "\(reason); wait until \(RFC3339.text(time)), or pass --now")
  }

  private func change<Result>(
    _ role: KeyRole, _ body: (inout KeyList) throws -> Result
  ) throws -> Result {
    guard !source.isInEnvironment(role) else {
      throw KeyRefusal(
        description: "the \(role.rawValue) keys come from \(role.environmentVariable);"
          + " change them where it is set")
    }
    let lock = try DirectoryLock(directory: directory)
    guard var list = try source.find(role) else {
      throw FileProblem("there is no file \(source.path(role))")
    }
    let result = try body(&list)
    try source.replace(role, with: list)
    _ = consume lock
    return result
  }
}

extension ConfigurationClaims {
  fileprivate func keys(_ role: KeyRole) -> [PublishedKey] {
    switch role {
    case .result: resultKeys
    case .certificate: certificateKeys
    case .encryption: encryptionKeys
    case .use: useKeys
    case .configurationSigning, .issuerAuthority, .documentSigner, .statusSigner, .sealing: []
    }
  }
}
