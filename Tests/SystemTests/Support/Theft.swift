import CSodium
import Foundation
import WalletCrypto
import WalletOPRF
import WalletProtocol

/// The things that an attacker holds, and what he makes of them without asking anybody. What he lacks
/// is left empty, so that each row of the theft table runs the same search.
struct Theft {
  private var phone: StolenDevice?
  private var providerRows: [StolenDatabase.Row] = []
  private var sealingKeys: [[UInt8]] = []
  private var encryptionKeys: [[UInt8]] = []
  private var evaluatorRows: [StolenDatabase.Row] = []
  private var evaluatorSecrets: [[UInt8]] = []
  /// Bodies of messages between wallet and provider.
  private var bodies: [[UInt8]] = []
  /// Everything else that can be read.
  private var values: [[UInt8]] = []

  // MARK: The things

  /// The storage of the phone, and its key store.
  mutating func takePhone(_ host: KillHost) throws { phone = try StolenDevice(of: host) }

  /// The provider's database: its files and every value in it.
  mutating func takeDatabase(of provider: TestProvider) throws {
    let database = try StolenDatabase(of: provider)
    providerRows += database.tables["wallet"] ?? []
    values += database.files + database.values
  }

  /// Every key of the provider, and everything else in its directory but databases and evaluator.
  mutating func takeKeys(of provider: TestProvider) throws {
    let keys = provider.data.appendingPathComponent("keys")
    for name in try FileManager.default.contentsOfDirectory(atPath: keys.path) {
      let text = try String(contentsOf: keys.appendingPathComponent(name), encoding: .utf8)
      let secrets = text.split(whereSeparator: \.isWhitespace).compactMap { Base64URL.decode($0) }
      values += secrets
      if name == "sealing.key" { sealingKeys += secrets }
      if name == "encryption.key" { encryptionKeys += secrets }
    }
    values.append(Array(try provider.clientConfiguration()))
  }

  mutating func takeEncryptionKey(of provider: TestProvider) throws {
    var all = Theft()
    try all.takeKeys(of: provider)
    encryptionKeys += all.encryptionKeys
    values += all.encryptionKeys
  }

  /// The evaluator's key and its database.
  mutating func takeEvaluator(of provider: TestProvider) throws {
    let evaluator = try StolenEvaluator(of: provider)
    evaluatorRows += evaluator.rows
    evaluatorSecrets.append(evaluator.secret)
    values += evaluator.rows.flatMap(\.values) + [evaluator.secret]
  }

  /// What went between wallet and provider, behind TLS.
  mutating func takeTraffic(_ exchanges: [ManInTheMiddle.Exchange]) {
    bodies += exchanges.flatMap { [$0.request, $0.answer] }.compactMap(Self.body)
  }

  /// What the provider has sent to the evaluator for this traffic, and what came back: the wallet's
  /// requests, its half of each evaluation, and the messages that the PIN key signed.
  mutating func takeWorkOfEvaluator(
    _ exchanges: [ManInTheMiddle.Exchange], of provider: TestProvider
  ) throws {
    var seen = Theft()
    seen.takeTraffic(exchanges)
    try seen.takeEncryptionKey(of: provider)
    for body in seen.bodies {
      if let envelope = try? WireJSON.decode(InstructionEnvelope.self, from: body) {
        if let sealed = seen.opened(envelope) {
          let inner = try WireJSON.decode(SealedInstruction.self, from: sealed)
          values += [Array(inner.signature.utf8)]
          values += [inner.pinPublicKey.flatMap { Base64URL.decode($0) }].compactMap { $0 }
        } else {
          values.append(body)
        }
      } else if case .challenge(_, _, let evaluation?, _)? = Self.outcome(body) {
        values.append(try WireJSON.encode(evaluation.evaluator))
      }
    }
  }

  static func body(_ message: [UInt8]) -> [UInt8]? {
    Data(message).range(of: Data("\r\n\r\n".utf8)).map { Array(message[$0.upperBound...]) }
  }

  private static func outcome(_ body: [UInt8]) -> InstructionOutcome? {
    (try? WireJSON.decode(InstructionAnswer.self, from: body))
      .flatMap { try? SignedMessage(parsing: $0.result) }
      .flatMap { try? $0.unverifiedContent(InstructionResultClaims.self) }?.outcome
  }

  /// The messages of the PIN key that he can read in the traffic.
  var pinMessages: [SealedInstruction] {
    bodies.compactMap { try? WireJSON.decode(InstructionEnvelope.self, from: $0) }
      .compactMap(opened)
      .compactMap { try? WireJSON.decode(SealedInstruction.self, from: $0) }
  }

  /// The sealed payload of a request; nil if he has no key for it.
  private func opened(_ envelope: InstructionEnvelope) -> [UInt8]? {
    guard let box = Base64URL.decode(envelope.payload), box.count > crypto_box_sealbytes() else {
      return nil
    }
    for secret in encryptionKeys {
      var publicKey = [UInt8](repeating: 0, count: SealedBox.keyLength)
      var message = [UInt8](repeating: 0, count: box.count - crypto_box_sealbytes())
      guard crypto_scalarmult_base(&publicKey, secret) == 0,
        crypto_box_seal_open(&message, box, UInt64(box.count), publicKey, secret) == 0
      else { continue }
      return message
    }
    return nil
  }

  // MARK: The search

  /// Those of the PINs that anything he holds confirms.
  func confirmed(_ pins: [String]) throws -> [String] {
    let search = try search()
    return try pins.filter { try search.confirms($0) }
  }

  /// Opens everything that he has a key for.
  func search() throws -> Search {
    var loot = phone ?? StolenDevice()
    var halves: (evaluator: [[UInt8]], provider: [[UInt8]]) = ([], [])
    var shares: [[UInt8]] = []
    values.forEach { loot.take($0) }
    for body in bodies {
      loot.take(body)
      guard let envelope = try? WireJSON.decode(InstructionEnvelope.self, from: body) else {
        continue
      }
      opened(envelope).map { loot.take($0) }
    }
    for row in providerRows {
      for key in sealingKeys {
        SealedColumn.pinKey(row, key: key).map { loot.take($0) }
        for half in [SealedColumn.half(row, key: key)].compactMap({ $0 }) {
          halves.provider.append(half)
          loot.take(half)
        }
        for share in [SealedColumn.share(row, key: key)].compactMap({ $0 }) {
          shares.append(share)
          loot.take(share)
        }
      }
    }
    for row in evaluatorRows {
      for secret in evaluatorSecrets {
        guard let content = StolenEvaluator.content(row, secret) else { continue }
        halves.evaluator += StolenEvaluator.halves(content)
        Self.bytes(in: try JSONSerialization.jsonObject(with: Data(content)))
          .forEach { loot.take($0) }
        loot.take(content)
      }
    }
    return try Search(
      loot: loot, evaluatorHalves: halves.evaluator, providerHalves: halves.provider,
      shares: shares)
  }

  /// The lists of bytes in a JSON value, and the bytes of texts in base64url.
  private static func bytes(in value: Any) -> [[UInt8]] {
    switch value {
    case let list as [Int]: [list.map { UInt8(truncatingIfNeeded: $0) }]
    case let list as [Any]: list.flatMap(bytes)
    case let members as [String: Any]: members.values.flatMap(bytes)
    case let text as String: Base64URL.decode(text).map { [$0] } ?? []
    default: []
    }
  }

  /// Whether he knows a half of the key: of the evaluator, of the provider.
  var knownHalves: (evaluator: Bool, provider: Bool) {
    get throws {
      let search = try search()
      return (!search.evaluatorHalves.isEmpty, !search.providerHalves.isEmpty)
    }
  }
}

extension Theft {
  /// The search of one attacker for the right PIN.
  struct Search {
    let loot: StolenDevice
    fileprivate(set) var evaluatorHalves: [[UInt8]]
    fileprivate(set) var providerHalves: [[UInt8]]
    private let shares: [[UInt8]]
    /// Every value of 32 bytes that he can read.
    private let candidates: Set<[UInt8]>

    init(
      loot: StolenDevice, evaluatorHalves: [[UInt8]], providerHalves: [[UInt8]],
      shares: [[UInt8]]
    ) throws {
      self.loot = loot
      self.shares = shares
      candidates = Set(loot.readable.filter { $0.count == 32 })
      let repeated = Self.halvesOfRepeatedNonces(loot)
      self.evaluatorHalves = evaluatorHalves + repeated
      self.providerHalves = providerHalves + repeated
    }

    /// Whether anything confirms the guess.
    func confirms(_ pin: String) throws -> Bool {
      try parameters.contains { try confirms(PinGuess(pin, $0)) }
    }

    /// The salts and the work of the PIN key. Without a phone he tries every value as long as a salt.
    private var parameters: [[String: Any]] {
      if let registration = loot.registration {
        return [registration] + (loot.pinChange.map { [$0] } ?? [])
      }
      let values = Set(loot.readable.filter { $0.count == 16 }).map { Base64URL.encode($0) }
      let salts = [Base64URL.encode([UInt8](repeating: 0, count: 16))] + values.sorted()
      return salts.prefix(8).map {
        ["salt": $0, "passes": UInt64(3), "memoryBytes": 64 * 1024 * 1024]
      }
    }

    private func confirms(_ guess: PinGuess) throws -> Bool {
      if try guess.isVerified(by: loot) { return true }
      let blinded = try guess.blinded()
      var known: [[[UInt8]]] = []
      for first in [[]] + evaluatorHalves.map({ [$0] }) {
        for second in [[]] + providerHalves.map({ [$0] }) { known.append(first + second) }
      }
      for halves in known {
        if try confirms(guess, blinded.secrets(halves: halves)) { return true }
      }
      // Anything as long as a half may be one that is not known as such.
      for value in candidates {
        for halves in known {
          guard let key = try? blinded.key(halves: halves + [value]) else { continue }
          if candidates.contains(key.publicKey) { return true }
        }
      }
      return false
    }

    /// Whether anything shows that these are the wallet's.
    func confirms(_ guess: PinGuess, _ secrets: PinSecrets) throws -> Bool {
      if try guess.isVerified(by: loot, key: secrets.key) { return true }
      return try shares.contains {
        try loot.opens(with: secrets.wrappingKey(with: Secret(copying: $0)).disclosed())
      }
    }

    /// Two proofs with the same random number reveal the half that they are about.
    private static func halvesOfRepeatedNonces(_ loot: StolenDevice) -> [[UInt8]] {
      let publicValues = Set(loot.readable.filter { $0.count == 32 })
      let proofs = Array(Set(loot.readable.filter { $0.count == 64 }))
      var halves: [[UInt8]] = []
      for (index, first) in proofs.enumerated() {
        for second in proofs[..<index] {
          // The response is the random number minus the challenge times the half.
          let challenges = minus(Array(second.prefix(32)), Array(first.prefix(32)))
          let responses = minus(Array(first.suffix(32)), Array(second.suffix(32)))
          var inverse = [UInt8](repeating: 0, count: 32)
          var half = inverse
          var publicValue = inverse
          guard crypto_core_ristretto255_scalar_invert(&inverse, challenges) == 0 else { continue }
          crypto_core_ristretto255_scalar_mul(&half, responses, inverse)
          guard crypto_scalarmult_ristretto255_base(&publicValue, half) == 0 else { continue }
          if publicValues.contains(publicValue) { halves.append(half) }
        }
      }
      return halves
    }

    private static func minus(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
      var difference = [UInt8](repeating: 0, count: 32)
      crypto_core_ristretto255_scalar_sub(&difference, first, second)
      return difference
    }

    /// Takes something more that can be read.
    func with(_ values: [[UInt8]], knowingHalves: Bool = true) throws -> Search {
      var loot = loot
      values.forEach { loot.take($0) }
      return try Search(
        loot: loot, evaluatorHalves: knowingHalves ? evaluatorHalves : [],
        providerHalves: knowingHalves ? providerHalves : [], shares: shares)
    }
  }
}
