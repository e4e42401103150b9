import ProtocolTestClient
import WalletCrypto
import WalletProtocol
import XCTest

/// The row of the theft table in which somebody has the phone and is the provider: he answers the
/// wallet, and asks the evaluator, what he likes.
final class LyingProviderTests: TheftTestCase {
  private func everythingButTheEvaluator() throws -> Theft {
    try theft {
      try $0.takePhone(host)
      try $0.takeDatabase(of: provider)
      try $0.takeKeys(of: provider)
      $0.takeTraffic(traffic)
    }
  }

  func testPhoneAndProviderThatLies() throws {
    let copy = try ProviderDatabases(of: provider, ["wallet-provider.sqlite"])
    defer { copy.remove() }
    let theft = try everythingButTheEvaluator()
    var liar = try LyingProvider(theft, of: provider)
    let right = try PinGuess(pin, try XCTUnwrap(theft.search().loot.registration))
    let guesses = try wrongGuesses(allowed + 2)
    func attempts() throws -> Int { try StolenEvaluator(of: provider).attempts(liar.key) }
    for number in 0..<3 { XCTAssertEqual(try liar.evaluate(guesses[number]), .wrong) }
    XCTAssertEqual(try attempts(), 3)

    // The same request again gives the same answer.
    let blinded = try guesses[3].blinded().element
    let request = try liar.challenge(blinded)
    let first = try liar.ask(.evaluate(request: request))
    guard case .evaluated(let evaluation, let standing) = first else {
      return XCTFail("\(first)")
    }
    XCTAssertEqual(standing.attempts, 4)
    for _ in 1...3 { XCTAssertEqual(try liar.ask(.evaluate(request: request)), first) }
    XCTAssertEqual(try attempts(), 4)

    // No message that he signs or has seen takes an attempt back.
    let own = try Ed25519.SigningKey(seed: .random(count: 32))
    let signed = try liar.message(evaluation, blinded, by: own)
    for message in theft.pinMessages.map(\.signature) + [signed] {
      XCTAssertEqual(try liar.ask(.prove(key: liar.key, message: message)), .refused)
    }
    for publicKey in [own.publicKey, liar.publicKey] {
      let adoption = PinKeyAdoption(
        signature: request.signature, message: signed, publicKey: Base64URL.encode(publicKey),
        opening: Base64URL.encode([UInt8](repeating: 0, count: 32)))
      XCTAssertEqual(try liar.ask(.adopt(key: liar.key, adoption: adoption)), .refused)
    }
    XCTAssertEqual(try liar.ask(.commit(key: liar.key)), .done, "it is in force")
    XCTAssertEqual(try liar.ask(.cancel(key: liar.key)), .refused)
    XCTAssertEqual(try liar.ask(.cancel(key: "another")), .done)
    XCTAssertEqual(try liar.ask(.delete(key: "another")), .done)
    XCTAssertEqual(try attempts(), 4)

    // No other request is evaluated: an old number, another instruction, another hardware key.
    let stranger = InstructionDraft(
      configuration: liar.draft.configuration,
      hardwareKey: try Ed25519.SigningKey(seed: .random(count: 32)))
    let element = try right.blinded().element
    let old = try liar.ask(.evaluate(request: liar.challenge(element, sequence: 1)))
    guard case .sequenceRefused = old else { return XCTFail("\(old)") }
    for request in [
      try liar.challenge(element, by: stranger), try liar.challenge(element, for: .register),
      try liar.challenge(element, for: .preparePinChange),
    ] {
      XCTAssertEqual(try liar.ask(.evaluate(request: request)), .refused)
    }
    XCTAssertEqual(
      try liar.ask(.evaluate(request: liar.challenge(element, key: "another"))), .unknownKey)
    XCTAssertEqual(try attempts(), 4)

    // New keys for the same hardware key are not the wallet's, however many he opens.
    for guess in [right, guesses[0]] { XCTAssertEqual(try liar.open(guess), .wrong) }
    XCTAssertEqual(try attempts(), 4)

    // He puts his own database back, and lies to himself: only the evaluator's count is asked.
    try copy.putBack(provider)
    XCTAssertEqual(try counted().provider, 0)
    var left = guesses[4...]
    var evaluated = 4
    while let guess = left.popFirst() {
      let outcome = try liar.evaluate(guess)
      guard case .blocked(let standing) = outcome else {
        XCTAssertEqual(outcome, .wrong)
        evaluated += 1
        continue
      }
      XCTAssertEqual(try liar.ask(.commit(key: liar.key)), .done)
      if standing.isBlockedPermanently { break }
      guard case .blocked(let same) = try liar.evaluate(right) else { return XCTFail("evaluated") }
      XCTAssertEqual(same.attempts, standing.attempts, "the block does not depend on the PIN")
      try copy.putBack(provider)
      try provider.advanceClock(milliseconds: Int(try XCTUnwrap(standing.blockedMilliseconds)))
      left = [guess] + left
    }
    XCTAssertEqual(evaluated, allowed)
    guard case .blocked(let last) = try liar.evaluate(right) else { return XCTFail("evaluated") }
    XCTAssertTrue(last.isBlockedPermanently)
    XCTAssertEqual(try attempts(), allowed)

    // To delete the key ends all: it is never made again.
    XCTAssertEqual(try liar.ask(.delete(key: liar.key)), .done)
    XCTAssertEqual(
      try liar.ask(.evaluate(request: liar.challenge(element))), .unknownKey)
    XCTAssertEqual(try liar.open(right), .wrong)
  }

  /// A provider that lies and guesses right is counted too, and then told.
  func testTheLyingProviderKnowsARightGuessThatIsCounted() throws {
    let theft = try everythingButTheEvaluator()
    var liar = try LyingProvider(theft, of: provider)
    let right = try PinGuess(pin, try XCTUnwrap(theft.search().loot.registration))
    XCTAssertEqual(try liar.evaluate(try wrongGuesses(1)[0]), .wrong)
    XCTAssertEqual(try liar.evaluate(right), .right)
    XCTAssertEqual(try StolenEvaluator(of: provider).attempts(liar.key), 2)
  }

  /// With a key of his own for the PIN key of a change, he could take back each guess at it.
  func testAThiefCannotAdoptAKeyOfHisOwnInAChange() throws {
    let theft = try everythingButTheEvaluator()
    var liar = try LyingProvider(theft, of: provider)
    let right = try PinGuess(pin, try XCTUnwrap(theft.search().loot.registration))
    let made = try liar.beginChange(right)
    let own = try Ed25519.SigningKey(seed: .random(count: 32))
    let adoption = try liar.adoption(of: own, made, signer: own)
    XCTAssertEqual(try liar.ask(.adopt(key: made.half.key, adoption: adoption)), .refused)
    var bare = adoption
    bare.payload = nil
    XCTAssertEqual(try liar.ask(.adopt(key: made.half.key, adoption: bare)), .refused)
    let element = try right.blinded().element
    XCTAssertEqual(
      try liar.ask(.evaluate(request: liar.challenge(element, key: made.half.key))), .refused)
    XCTAssertEqual(try liar.ask(.commit(key: made.half.key)), .refused)
    // Nothing else is wrong with his adoption: with the signature of the PIN key in force it is taken.
    let authorised = try liar.adoption(of: own, made, signer: liar.pinKey(right))
    guard case .adopted = try liar.ask(.adopt(key: made.half.key, adoption: authorised)) else {
      return XCTFail("refused for another reason")
    }
  }

  /// Whatever else he answers, and if he answers nothing, the phone has no salt: nothing can be guessed
  /// with what he has kept of the attempt.
  func testOnlyTheEvaluatorsReceiptCompletesARegistration() throws {
    let stolen = try StolenResultKey(of: provider)
    let seen = middle.all(Route.registrations)
    let other = try XCTUnwrap(seen.last.flatMap(Self.receipt))
    let forgeries: [@Sendable (String) -> String?] = [
      { _ in "" }, { _ in other },
      { receipt in
        let content = try? SignedMessage(parsing: receipt).unverifiedContent(EvaluatorReceipt.self)
        return content.flatMap {
          try? SignedMessage.sign($0, type: .evaluatorReceipt, signer: stolen.key)
        }
      },
      // No answer at all.
      { _ in nil },
    ]
    for (number, forge) in forgeries.enumerated() {
      let owner = try KillHost(configuration: provider.clientConfiguration(url: middle.url))
      defer { owner.remove() }
      middle.answer { exchange in
        guard exchange.path == Route.registrations,
          case .registered(let certificate, let share, let receipt)? =
            StolenResultKey.claims(exchange)?.outcome
        else { return nil }
        guard let forged = forge(receipt) else { return ManInTheMiddle.http(503, "{}") }
        return stolen.resign(exchange) {
          $0.outcome = .registered(certificate: certificate, share: share, receipt: forged)
        }
      }
      let report = try owner.run(.register(pin))
      XCTAssertNotEqual(report.completions.first, .done, "\(number)")
      let registration = try XCTUnwrap(try StolenDevice(of: owner).registration, "\(number)")
      XCTAssertNil(registration["salt"], "\(number)")
      XCTAssertNil(registration["certificate"], "\(number)")
      middle.answer(with: nil)
      XCTAssertEqual(
        try owner.run(.register(pin), .unlock(pin)).completions, [.done, .valid], "\(number)")
    }
  }

  private static func receipt(_ exchange: ManInTheMiddle.Exchange) -> String? {
    guard case .registered(_, _, let receipt) = StolenResultKey.claims(exchange)?.outcome else {
      return nil
    }
    return receipt
  }
}
