import Foundation
import ProtocolTestClient
import TestSupport
import WalletCrypto
import WalletProtocol
import WalletTransport

/// One wallet from its registration to its end. Every answer must follow from those before it.
struct WalletLife {
  private static let attemptsPerRound = 10
  /// How long a request is repeated before the provider counts as one that does not recover.
  private static let patience = Duration.seconds(Patience.seconds)

  private let provider: KnownProvider
  private let addresses: [ProviderAddress]
  private let connections: [ProviderConnection]
  private let tally: LifeTally
  private var wallet: ProtocolWallet?
  /// Wrong PINs since the last right one.
  private var wrong = 0
  private var random: SeededGenerator
  /// An acknowledged PIN check, to be sent again later.
  private var past: (body: [UInt8], outcome: InstructionOutcome)?

  init(
    _ provider: KnownProvider, _ addresses: [ProviderAddress], _ tally: LifeTally, seed: UInt64
  ) {
    self.provider = provider
    self.addresses = addresses
    // With the timeout of an app. It is no deadline: what is not answered is sent again.
    connections = addresses.map { ProviderConnection(provider, address: $0) }
    self.tally = tally
    random = SeededGenerator(seed: seed)
  }

  mutating func live(_ plan: LifePlan) throws {
    try register()
    for _ in 0..<plan.checks where !plan.isOver {
      if plan.pause > 0 {
        let pause = Int.random(in: 0...plan.pause, using: &random)
        Thread.sleep(forTimeInterval: Double(pause) / 1000)
      }
      try check(
        isRight: wrong >= Self.attemptsPerRound - 2 || .random(in: 0..<10, using: &random) < 4)
      if Int.random(in: 0..<4, using: &random) == 0 { try repeatPast() }
    }
    // What was acknowledged is there, and counted.
    if wrong < Self.attemptsPerRound - 2 { try check(isRight: false) }
    try check(isRight: true)
    if Bool.random(using: &random) { try delete() }
  }

  private mutating func register() throws {
    guard let connection = connections.first else { return }
    var wallet = try ProtocolWallet(connection.provider)
    while self.wallet == nil {
      let given: GivenChallenge
      switch try insist(wallet.registrationRequest(), { try $0.openRegistration($1) }) {
      case .signed(let outcome):
        guard let made = wallet.given(outcome) else {
          throw Violation(description: "challenge of a registration: \(outcome)")
        }
        given = made
      case let other: throw Violation(description: "challenge of a registration: \(other)")
      }
      let body = try wallet.registration(given)
      switch try insist(.register, body) {
      case .signed(.registered(let certificate, _, _)):
        try wallet.accept(certificate: certificate)
        self.wallet = wallet
      case .problem(.challengeRefused, status: _, retryAfter: _):
        tally.count("challenges expired")
      case let other: throw Violation(description: "register: \(other)")
      }
    }
    let outcome = try instruct(.confirmRegistration) { wallet, given in
      try wallet.plain(.confirmRegistration, given)
    }
    guard outcome == .confirmed else { throw Violation(description: "confirm: \(outcome)") }
    tally.count("wallets")
  }

  private mutating func check(isRight: Bool) throws {
    var sent: [UInt8] = []
    let asked = Date()
    let outcome = try instruct(.checkPin) { wallet, given in
      let key = isRight ? nil : try Ed25519.SigningKey(seed: .random(count: 32))
      sent = try wallet.check(given, with: key)
      return sent
    }
    switch outcome {
    case .valid where isRight:
      wrong = 0
      tally.count("right PINs")
    case .wrong(let left, finalRound: _) where !isRight:
      wrong += 1
      tally.count("wrong PINs")
      guard Int(left) == Self.attemptsPerRound - wrong else {
        throw Violation(
          description: "\(wrong) wrong PINs were acknowledged, and \(left) attempts are left")
      }
    default: throw Violation(description: "a \(isRight ? "right" : "wrong") PIN: \(outcome)")
    }
    tally.answers?.add(asked: asked, answered: Date())
    past = (sent, outcome)
  }

  /// Sends the same bytes again, to two replicas at once: no PIN is checked, and the answer is the
  /// one before.
  private mutating func repeatPast() throws {
    guard let past else { return }
    let answers = AnswerBox()
    let (provider, addresses) = (provider, addresses)
    let pair = (0..<2).map { _ in Int.random(in: addresses.indices, using: &random) }
    onThreads(2) { place in
      let connection = ProviderConnection(provider, address: addresses[pair[place]])
      if let answer = try? connection.post(.checkPin, past.body) { answers.add(answer) }
    }
    for answer in answers.all {
      switch answer {
      case .signed(let outcome):
        tally.count("repeated requests")
        guard outcome == past.outcome else {
          throw Violation(description: "repeated: \(outcome), before: \(past.outcome)")
        }
      // The challenge has expired.
      case .problem(.challengeRefused, status: _, retryAfter: _): self.past = nil
      case .problem(.unavailable, status: _, retryAfter: _), .lost: break
      case .problem(let kind, status: _, retryAfter: _):
        throw Violation(description: "repeated: \(kind.rawValue)")
      }
    }
  }

  private mutating func delete() throws {
    let outcome = try instruct(.deleteWallet) { wallet, given in
      try wallet.plain(.deleteWallet, given)
    }
    // The answer that was lost is gone with the wallet.
    guard outcome == .deleted || outcome == .unknownWallet else {
      throw Violation(description: "delete: \(outcome)")
    }
    tally.count("deleted wallets")
    guard var wallet,
      case .signed(.unknownWallet) = try insist(
        .challenge, try wallet.challengeRequest(.checkPin))
    else { throw Violation(description: "a deleted wallet is there") }
  }

  /// A challenge and its use, with as much patience as it takes.
  private mutating func instruct(
    _ name: InstructionName, _ body: (inout ProtocolWallet, GivenChallenge) throws -> [UInt8]
  ) throws -> InstructionOutcome {
    guard var wallet else { throw Violation(description: "no wallet") }
    defer { self.wallet = wallet }
    while true {
      let request = try wallet.challengeRequest(name)
      let given: GivenChallenge
      switch try insist(.challenge, request) {
      case .signed(.sequenceRefused(let current))
      where current == wallet.sequence && !name.isAttempt:
        // It was made, and its answer lost. Only the answer to an attempt at the PIN is kept.
        tally.count("challenges made anew")
        continue
      case .signed(let outcome):
        guard let made = wallet.given(outcome) else {
          throw Violation(description: "challenge: \(outcome)")
        }
        given = made
      case let other: throw Violation(description: "challenge: \(other)")
      }
      switch try insist(name, try body(&wallet, given)) {
      case .signed(let outcome): return outcome
      case let other: throw Violation(description: "\(name.rawValue): \(other)")
      }
    }
  }

  /// Sends the same bytes to one replica after the other until one answers.
  private mutating func insist(
    _ name: InstructionName, _ body: [UInt8]
  ) throws -> ProviderConnection.Answer {
    try insist(body) { try $0.post(name, $1) }
  }

  private mutating func insist(
    _ body: [UInt8],
    _ send: (ProviderConnection, [UInt8]) throws -> ProviderConnection.Answer
  ) throws -> ProviderConnection.Answer {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < Self.patience {
      guard let connection = connections.randomElement(using: &random) else { break }
      let answer = try send(connection, body)
      switch answer {
      case .problem(.unavailable, status: _, retryAfter: _), .lost: try wait(answer)
      default: return answer
      }
    }
    throw Violation(description: "a request was not answered for two minutes")
  }

  private mutating func wait(_ answer: ProviderConnection.Answer?) throws {
    switch answer {
    case .lost: tally.count("lost answers")
    case .problem(.unavailable, status: _, retryAfter: let seconds):
      guard seconds != nil else { throw Violation(description: "503 without Retry-After") }
      tally.count("503")
    default: throw Violation(description: "\(String(describing: answer))")
    }
    Thread.sleep(forTimeInterval: .random(in: 0.02...0.3, using: &random))
  }
}
