public import ArgumentParser
public import WalletProvider
import WalletProviderServer

/// `keys`: manages the provider's keys and their rotation.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Show and rotate the provider's keys without downtime.",
    discussion: """
      A rotation has four steps: rotate makes a key that is published and not used yet; promote \
      puts it into use once everyone knows it; reseal (sealing keys only) seals and authenticates \
      with it what the former one did; retire removes the former one. A retired use key still \
      opens until it is deleted. Restart the servers after each step that changes a file. The roles \
      are configuration-signing, result, certificate, issuer, issuer-authority, document-signer, \
      status-signer, encryption, use and sealing. Keys in variables are changed where the variables \
      are set. request, accept and certify are for an authority that is kept elsewhere.
      """,
    subcommands: [
      KeysListCommand.self, KeysRotateCommand.self, KeysPromoteCommand.self,
      KeysResealCommand.self, KeysRetireCommand.self, KeysDeleteCommand.self,
      KeysRequestCommand.self, KeysAcceptCommand.self, KeysCertifyCommand.self,
    ])
}

/// `keys list`: prints one line per key.
struct KeysListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Print role, id and state of every key; of sealing keys how many rows need them.",
    discussion: """
      States: current is in use, next waits for its promotion, former was in use once. All of them \
      are published, verify or open. A use key that is retired is not published and still opens. A \
      key that rows name and that is not here is missing; an authority of which only the \
      certificate is here is offline.
      """)

  @OptionGroup var context: KeyCommandContext

  func run() async throws {
    let opened = try await context.open()
    let keys = try opened.keys.keys()
    let counts = try await opened.resealing.counts()
    let rows = Dictionary(counts.map { ($0.sealingKey, $0.rows) }, uniquingKeysWith: +)
    for key in keys {
      var line = "\(key.role.rawValue) \(key.id) \(key.state.rawValue)"
      if let made = key.made { line += " made \(made)" }
      if key.isInEnvironment {
        let isRetired = key.state == .retired
        line += " from \(isRetired ? key.role.retiredVariable : key.role.environmentVariable)"
      }
      if let end = key.certifiedUntil { line += " certified until \(end)" }
      if key.role == .sealing { line += " rows \(rows[key.id] ?? 0)" }
      StandardOutput.print(line)
    }
    let known = Set(keys.filter { $0.role == .sealing }.map(\.id))
    for (id, count) in rows.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
      StandardOutput.print("\(KeyRole.sealing.rawValue) \(id) missing rows \(count)")
    }
  }
}

/// `keys rotate`: makes the next key of a role.
struct KeysRotateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Make the next key of a role; print its id.",
    discussion: "It is published when the servers are restarted, and not used before promote.")

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role.") var role: KeyRole

  func run() async throws {
    let opened = try await context.open()
    StandardOutput.print(try opened.keys.rotate(role, now: KeyCommandContext.now))
    opened.administered("keys-rotate")
  }
}

/// `keys promote`: puts the next key of a role into use.
struct KeysPromoteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote", abstract: "Put the next key of a role into use; print its id.",
    discussion: """
      Refused until the key has been published for a week: a wallet that does not know it could not \
      read answers. --now skips this check. The former key stays published. Restart the servers \
      afterwards; for a sealing key also before, because all of them must have it first.
      """)

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role.") var role: KeyRole
  @Flag(help: "Promote the key even if it was not published for long enough.") var now = false

  func run() async throws {
    let opened = try await context.open()
    StandardOutput.print(
      try opened.keys.promote(
        role, published: opened.configuration, now: KeyCommandContext.now, isUrgent: now))
    opened.administered("keys-promote")
  }
}

/// `keys reseal`: seals with the current key what former keys sealed.
struct KeysResealCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reseal", abstract: "Seal and authenticate rows with the current sealing key.",
    discussion: "Also works while servers run. Rows that are used are resealed automatically.")

  @OptionGroup var context: KeyCommandContext

  func run() async throws {
    let opened = try await context.open()
    let report = try await opened.resealing.run()
    StandardOutput.print("resealed: \(report.resealed)")
    opened.administered("keys-reseal")
    guard report.unreadable > 0 else { return }
    StandardOutput.print("unreadable: \(report.unreadable)")
    throw ExitCode.failure
  }
}

/// `keys retire`: removes a key.
struct KeysRetireCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retire", abstract: "Remove a former key, or a next key that is not needed.",
    discussion: """
      Refused for the current key, for a sealing key while a row needs it, and for as long as \
      somebody may need it: a week, 90 days for what signs PIDs and its authority, a day for sealing keys, within which \
      all servers must be restarted. A retired sealing key is moved to keys/sealing.retired, which \
      nothing reads: keep it with the backups of the database that it seals. A retired use key is \
      moved to keys/use.retired and still opens: wallets need it as long as they have copies of \
      cards that were made with it. Restart the servers afterwards.
      """)

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role.") var role: KeyRole
  @Argument(help: "The key's id, as list prints it; after -- where it begins with a hyphen.")
  var key: String
  @Flag(help: "Retire the key even if somebody may still need it.") var now = false

  func run() async throws {
    let opened = try await context.open()
    // Only sealing keys seal rows.
    let counts = role == .sealing ? try await opened.resealing.counts() : []
    let rows = counts.filter { $0.sealingKey == key }.map(\.rows).reduce(0, +)
    try opened.keys.retire(
      role, id: key, sealedRows: rows, published: opened.configuration, now: KeyCommandContext.now,
      isUrgent: now)
    opened.administered("keys-retire")
  }
}

/// `keys delete`: deletes a retired use key.
struct KeysDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a retired use key for good.",
    discussion: """
      Wallets can never present the copies of cards again that were made with the key, and have to \
      obtain them anew. The provider does not know how many there are, so this is refused without \
      --give-up-cards. Restart the servers afterwards.
      """)

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role: use.") var role: KeyRole
  @Argument(help: "The key's id, as list prints it; after -- where it begins with a hyphen.")
  var key: String
  @Flag(help: "Accept that copies of cards which need the key are lost.") var giveUpCards = false

  func run() async throws {
    let opened = try await context.open()
    try opened.keys.delete(role, id: key, givesUpCards: giveUpCards)
    opened.administered("keys-delete")
  }
}

extension KeyRole: ExpressibleByArgument {}
