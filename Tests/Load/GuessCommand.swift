import ArgumentParser
import ProtocolTestClient
import Synchronization
import WalletCrypto
import WalletPlatform
import WalletProtocol
import WalletTransport

/// `guess`: an attacker with the hardware key guesses in parallel and tries to get one guess for
/// free.
struct GuessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guess", abstract: "Guess a PIN in parallel; count the guesses that were checked.")

  @OptionGroup var target: Target
  @Option(help: "Connections, spread over the replicas.") var connections = 64
  @Option(help: "PIN keys, made beforehand.") var guesses = 2000
  @Option(help: "Attempts that the provider's policy allows in the time of the run.")
  var allowed: Int

  func run() throws {
    let provider = try target.provider()
    let addresses = try target.addresses(provider)
    let setUp = ProviderConnection(provider)
    let wallet = try ProtocolWallet.confirmed(over: setUp)
    let keys = try (0..<guesses).map { _ in try Ed25519.SigningKey(seed: .random(count: 32)) }
    let race = GuessRace(wallet: wallet, keys: keys)
    onThreads(connections) { number in
      let connection = ProviderConnection(
        provider, address: addresses[number % addresses.count])
      race.guess(over: connection)
    }
    let seen = race.seen
    try seen.report(guesses: guesses)
    try check(seen)
    // The block holds at each replica, for the right PIN too.
    var after = race.wallet
    for address in addresses {
      let connection = ProviderConnection(provider, address: address)
      let answer = try after.rightPin(over: connection)
      guard answer.isUncountedBlock else {
        throw Violation(description: "\(address.url) answered \(answer) while blocked")
      }
    }
    print("the block holds at \(addresses.count) of \(addresses.count)")
  }

  private func check(_ seen: GuessRace.Seen) throws {
    if let failure = seen.failures.first { throw Violation(description: failure) }
    // An evaluation whose answer the provider never made, because a later number overtook it there,
    // was counted too. That may be all of few; the block shows that they were made.
    guard seen.evaluated <= allowed else {
      throw Violation(
        description: "\(seen.evaluated) guesses were evaluated, allowed are \(allowed)")
    }
    let checked = seen.attemptsLeft.count + seen.countedBlocks
    guard checked <= seen.evaluated else {
      throw Violation(
        description: "\(checked) guesses were checked, and \(seen.evaluated) evaluated")
    }
    guard seen.countedBlocks <= 1 else {
      throw Violation(description: "\(seen.countedBlocks) guesses were the last one")
    }
    guard seen.uncountedBlocks > 0 else {
      throw Violation(description: "no guess met the block")
    }
    // No two guesses saw the same number of attempts left: each was counted once.
    guard Set(seen.attemptsLeft).count == seen.attemptsLeft.count,
      seen.attemptsLeft.allSatisfy({ $0 < allowed })
    else { throw Violation(description: "attempts left: \(seen.attemptsLeft.sorted())") }
  }
}

extension ProtocolWallet {
  /// Checks the right PIN; returns the answer to the challenge if that is no challenge.
  fileprivate mutating func rightPin(
    over connection: ProviderConnection
  ) throws -> ProviderConnection.Answer {
    let answer = try connection.post(.challenge, try challengeRequest(.checkPin))
    guard case .signed(let outcome) = answer, let given = given(outcome) else { return answer }
    return try connection.post(.checkPin, try check(given))
  }
}

extension ProviderConnection.Answer {
  fileprivate var isUncountedBlock: Bool {
    switch self {
    case .signed(.blocked(_, counted: false)), .signed(.blockedPermanently(counted: false)): true
    default: false
    }
  }
}

/// Guesses of many threads for one wallet.
private final class GuessRace: Sendable {
  struct Seen {
    /// The attempts that the provider has begun.
    var evaluated = 0
    var attemptsLeft: [UInt32] = []
    var countedBlocks = 0
    var uncountedBlocks = 0
    var sequenceRefused = 0
    var problems: [ProblemKind: Int] = [:]
    var lost = 0
    var failures: [String] = []

    func report(guesses: Int) throws {
      let problems = problems.map { "\($0.key.rawValue) \($0.value)" }.sorted()
      print(
        "\(guesses) guesses: \(evaluated) evaluated, \(attemptsLeft.count + countedBlocks) checked, "
          + "\(uncountedBlocks) met the block, the others were refused; \(sequenceRefused) sequence numbers refused, \(lost) answers "
          + "lost, problems: \(problems.isEmpty ? "none" : problems.joined(separator: ", "))")
    }
  }

  private let keys: [Ed25519.SigningKey]
  private let nextKey = Atomic(0)
  private let state: Monitor<(wallet: ProtocolWallet, seen: Seen)>

  init(wallet: ProtocolWallet, keys: [Ed25519.SigningKey]) {
    self.keys = keys
    state = Monitor((wallet, Seen()))
  }

  var seen: Seen { state.withLock { $0.seen } }
  var wallet: ProtocolWallet { state.withLock { $0.wallet } }

  /// Takes guess after guess until none is left.
  func guess(over connection: ProviderConnection) {
    while true {
      let number = nextKey.wrappingAdd(1, ordering: .relaxed).oldValue
      guard number < keys.count else { return }
      do {
        try guess(keys[number], over: connection)
      } catch { state.withLock { $0.seen.failures.append("\(error)") } }
    }
  }

  /// One guess. What overtook it on the way may have taken its number, and a later attempt ends the
  /// one before.
  private func guess(_ key: Ed25519.SigningKey, over connection: ProviderConnection) throws {
    guard let given = try begin(over: connection) else { return }
    while true {
      var draft = numbered()
      let answer = try connection.post(.checkPin, try draft.check(given, with: key))
      note(answer)
      guard case .signed(.sequenceRefused) = answer else { return }
    }
  }

  /// Begins an attempt. Until the first guess meets the block, a number that was taken is replaced by
  /// another one.
  private func begin(over connection: ProviderConnection) throws -> GivenChallenge? {
    repeat {
      var draft = numbered()
      let asked = try connection.post(.challenge, try draft.challengeRequest(.checkPin))
      if case .signed(let outcome) = asked, let given = draft.given(outcome) {
        state.withLock { $0.seen.evaluated += 1 }
        return given
      }
      if note(asked) { return nil }
    } while state.withLock { $0.seen.uncountedBlocks == 0 }
    return nil
  }

  /// The wallet with a number that no other thread has.
  private func numbered() -> ProtocolWallet {
    state.withLock { state in
      let draft = state.wallet
      state.wallet.sequence += 1
      return draft
    }
  }

  /// Counts an answer; false where nothing was looked at.
  @discardableResult
  private func note(_ answer: ProviderConnection.Answer) -> Bool {
    state.withLock { state in
      switch answer {
      case .signed(.wrong(let left, finalRound: _)): state.seen.attemptsLeft.append(left)
      case .signed(.blocked(_, counted: true)), .signed(.blockedPermanently(counted: true)):
        state.seen.countedBlocks += 1
      case .signed(.blocked(_, counted: false)), .signed(.blockedPermanently(counted: false)):
        state.seen.uncountedBlocks += 1
      case .signed(.sequenceRefused):
        state.seen.sequenceRefused += 1
        return false
      case .signed(let outcome): state.seen.failures.append("a guess was answered \(outcome)")
      case .problem(let kind, status: _, retryAfter: _):
        state.seen.problems[kind, default: 0] += 1
        return false
      case .lost:
        state.seen.lost += 1
        return false
      }
      return true
    }
  }
}
