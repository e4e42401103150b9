import Foundation
import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// Sealed and hashed values in the database while the sealing key changes.
class ResealingTests: StoreTestCase {
  /// - Parameter isKnown: whether the servers were restarted before the new key came into use.
  private func rotateSealing(_ bed: KeyTestBed, isKnown: Bool = true) throws {
    let rotation = KeyRotation(directory: bed.harness.path)
    _ = try rotation.rotate(.sealing, now: 1_700_000_000)
    if isKnown { try bed.harness.restart() }
    _ = try rotation.promote(
      .sealing, published: bed.harness.directory.configuration, now: 1_700_000_000,
      isUrgent: true)
  }

  private func counts(_ bed: KeyTestBed) async throws -> [String: [StoredTable: Int]] {
    let counts = try await bed.store.transaction { try $0.sealedRowCounts() }
    return Dictionary(grouping: counts, by: \.sealingKey).mapValues { counts in
      Dictionary(uniqueKeysWithValues: counts.map { ($0.table, $0.rows) })
    }
  }

  /// The counts without challenges, which live for minutes and are used once.
  private func used(_ counts: [StoredTable: Int]?) -> [StoredTable: Int]? {
    counts?.filter { $0.key != .challenge } ?? [:]
  }

  private func onlyKey(_ bed: KeyTestBed) async throws -> String {
    let keys = try await counts(bed).keys
    XCTAssertEqual(keys.count, 1)
    return try XCTUnwrap(keys.first)
  }

  func testResealsEveryRowWithItsNextUse() async throws {
    let bed = try KeyTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let session = try await wallet.newSession()
    let former = try await onlyKey(bed)
    try rotateSealing(bed)
    let (provider, _) = try bed.startedProvider()
    // An instruction without a PIN is sufficient: the whole row is resealed.
    _ = try await wallet.send(
      wallet.prepareChallenge(.checkPin),
      to: provider)
    var rows = try await counts(bed)
    // The next use of the others is still to come.
    XCTAssertEqual(used(rows[former]), [.account: 1, .code: 1, .session: 1])
    let status = try await wallet.submit(try TestPerson.claims(), session.id, to: provider)
    XCTAssertEqual(status.state, .proofed)
    rows = try await counts(bed)
    XCTAssertEqual(used(rows[former]), [:])
    XCTAssertEqual(
      used(rows.first { $0.key != former }?.value),
      [.wallet: 1, .account: 1, .code: 1, .session: 1, .document: 1, .secret: 3])
  }

  func testAChallengeOfARegistrationOutlivesARotation() async throws {
    let bed = try KeyTestBed()
    let wallet = TestWallet(bed.harness)
    let former = try await wallet.registrationChallenge()
    try rotateSealing(bed)
    let (provider, _) = try bed.startedProvider()
    let outcome = try await wallet.send(
      wallet.preparePin(.register, pin: "123654", challenge: former), to: provider)
    try wallet.accept(outcome)
  }

  func testServerWithoutTheKeyOfARowLeavesTheRowUnchanged() async throws {
    let bed = try KeyTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    try rotateSealing(bed, isKnown: false)
    let (provider, _) = try bed.startedProvider()
    let id = wallet.id
    let challenge = try await wallet.challenge(for: .checkPin)
    _ = try await wallet.challenge(for: .pinState, at: provider)
    let before = try await bed.store.transaction { try $0.wallet(id: id) }
    // The harness's provider has only the former key.
    let request = try wallet.preparePin(.checkPin, pin: "123654", challenge: challenge)
    do {
      _ = try await wallet.send(request)
      XCTFail("was answered")
    } catch { XCTAssertTrue(error is StoreFailure, "\(error)") }
    let after = try await bed.store.transaction { try $0.wallet(id: id) }
    XCTAssertEqual(after, before)
    guard case .valid = try await wallet.send(request, to: provider) else {
      return XCTFail("not valid")
    }
  }

  func testResealsAllRowsInBatches() async throws {
    let bed = try KeyTestBed()
    var wallets: [TestWallet] = []
    for _ in 1...7 { wallets.append(try await TestWallet.confirmed(bed.harness)) }
    let verdict = SwitchedVerdict(.pending)
    let pending = Provider(
      identity: bed.harness.directory.identity, store: bed.store,
      evaluator: bed.harness.evaluator, settings: bed.harness.settings,
      vetting: SimulatedVetting(verdict, else: AccountVetting(settings: .forDemonstration)))
    var sessions: [ProofingSession] = []
    for wallet in wallets.prefix(3) {
      let session = try await wallet.newSession()
      sessions.append(session)
      let status = try await wallet.submit(try TestPerson.claims(), session.id, to: pending)
      XCTAssertEqual(status.state, .pending)
    }
    let page = try await bed.harness.accounts.createPage(try TestPerson.person())
    let former = try await onlyKey(bed)
    let before = try await counts(bed)
    try rotateSealing(bed)
    let (provider, directory) = try bed.startedProvider()
    let resealing = Resealing(identity: directory.identity, store: bed.store)
    let report = try await resealing.run(batch: 2)
    XCTAssertEqual(report.resealed, before[former]?.values.reduce(0, +))
    XCTAssertEqual(report.unreadable, 0)
    let rows = try await counts(bed)
    XCTAssertNil(rows[former])
    XCTAssertEqual(rows.values.first, before[former])
    XCTAssertEqual(
      used(rows.values.first),
      [.wallet: 7, .account: 4, .code: 4, .session: 3, .page: 1, .secret: 3])
    for wallet in wallets {
      for (pin, isRight) in [("271828", false), ("123654", true)] {
        let challenge = try await wallet.challenge(for: .checkPin)
        let outcome = try await wallet.send(
          wallet.preparePin(.checkPin, pin: pin, challenge: challenge), to: provider)
        if case .valid = outcome { XCTAssertTrue(isRight) } else { XCTAssertFalse(isRight) }
      }
    }
    let status = try await wallets[0].status(sessions[0].id, of: provider)
    XCTAssertEqual(status.state, .proofed)
    let shown = try await AccountAdministration(
      identity: directory.identity, store: bed.store, settings: ProofingSettings()
    ).page(page)
    XCTAssertNotNil(shown?.code)
  }

  func testPinChangeContinuesWhileTheSealingKeyChanges() async throws {
    // Step by step, with a rotation before each step, both with and without resealing in between.
    for isResealed in [false, true] {
      let bed = try KeyTestBed()
      let wallet = try await TestWallet.confirmed(bed.harness)
      func rotatedProvider() async throws -> Provider {
        try rotateSealing(bed)
        let (provider, directory) = try bed.startedProvider()
        guard isResealed else { return provider }
        let report = try await Resealing(
          identity: directory.identity, store: bed.store
        ).run()
        XCTAssertEqual(report.unreadable, 0)
        return provider
      }
      func check(_ pin: String, _ provider: Provider) async throws -> Bool {
        let outcome = try await wallet.check(pin, at: provider)
        if case .valid = outcome { return true }
        return false
      }
      var provider = try await rotatedProvider()
      let change = TestWallet.newChange()
      let begun = try await wallet.beginChange(
        from: "123654", to: "271828", change: change, at: provider)
      guard case .valid = begun else { return XCTFail("\(begun)") }
      provider = try await rotatedProvider()
      let prepared = try await wallet.send(
        wallet.prepareChange(
          from: "123654", to: "271828", change: change,
          challenge: try await wallet.challenge(for: .preparePinChange, at: provider)),
        to: provider)
      guard case .valid = prepared else { return XCTFail("\(prepared)") }
      provider = try await rotatedProvider()
      // The use of the new PIN would commit the change.
      for (pin, isRight) in [("123654", true), ("314159", false)] {
        let isValid = try await check(pin, provider)
        XCTAssertEqual(isValid, isRight, pin)
      }
      provider = try await rotatedProvider()
      let committed = try await wallet.commitChange(change, at: provider)
      XCTAssertEqual(committed, .pinChangeCommitted)
      provider = try await rotatedProvider()
      for (pin, isRight) in [("123654", false), ("271828", true)] {
        let isValid = try await check(pin, provider)
        XCTAssertEqual(isValid, isRight, pin)
      }
    }
  }

  func testCountsAndSkipsUnreadableRowsWhenResealing() async throws {
    let bed = try KeyTestBed()
    let wallets = [
      try await TestWallet.confirmed(bed.harness), try await TestWallet.confirmed(bed.harness),
    ]
    let first = try XCTUnwrap(wallets.map(\.id).min())
    try await bed.harness.store.transaction { rows in
      var wallet = try XCTUnwrap(try rows.wallet(id: first))
      wallet.sealedShare[20] ^= 1
      try rows.update(wallet)
    }
    try rotateSealing(bed)
    let (_, directory) = try bed.startedProvider()
    // Another table has a row that the provider did not write.
    try bed.harness.storeLocation.execute("UPDATE challenge SET purpose = 'x' WHERE number = 1")
    let resealing = Resealing(identity: directory.identity, store: bed.store)
    let before = try await counts(bed)
    let former = try XCTUnwrap(before.keys.first)
    let all = before[former]?.values.reduce(0, +) ?? 0
    let report = try await resealing.run(batch: 1)
    XCTAssertEqual(report.resealed, all - 2)
    XCTAssertEqual(report.unreadable, 2)
    let left = try await counts(bed)[former]
    XCTAssertEqual(left, [.wallet: 1, .challenge: 1])
  }

  func testFindsAUsedDocumentWhicheverKeySeals() async throws {
    let bed = try KeyTestBed()
    let first = try await TestWallet.confirmed(bed.harness)
    let second = try await TestWallet.confirmed(bed.harness)
    let session = try await first.newSession()
    let key = [UInt8](repeating: 7, count: 16)
    let status = try await first.submit(try TestPerson.claims(), session.id, key: key)
    XCTAssertEqual(status.state, .proofed)
    try rotateSealing(bed)
    let (_, directory) = try bed.startedProvider()
    _ = try await Resealing(identity: directory.identity, store: bed.store).run()
    let rotation = KeyRotation(directory: bed.harness.path)
    let former = try XCTUnwrap(
      try rotation.keys().first { $0.role == .sealing && $0.state == .former })
    try rotation.retire(
      .sealing, id: former.id, sealedRows: 0, published: directory.configuration,
      now: 1_700_000_000, isUrgent: true)
    let (alone, lastDirectory) = try bed.startedProvider()
    try bed.harness.restart()
    // A resend is still distinguished from other evidence.
    let again = try await first.submit(try TestPerson.claims(), session.id, key: key, to: alone)
    XCTAssertEqual(again.state, .proofed)
    let other = try await first.prepareSubmission(
      try TestPerson.claims(number: "D7654321"), session.id, key: key)
    let kind = await problem { try await first.send(other, to: alone) }
    XCTAssertEqual(kind, .instructionRefused)
    // The document is refused for another account.
    let code = try await AccountAdministration(
      identity: lastDirectory.identity, store: bed.store, settings: ProofingSettings()
    ).create(try TestPerson.person())
    guard case .claimed(let claimed) = try await second.claim(code, to: alone) else {
      return XCTFail("not claimed")
    }
    let refused = try await second.submit(try TestPerson.claims(), claimed.id, to: alone)
    XCTAssertEqual(refused.state, .resubmit)
  }

  func testPIDOfAFormerSignerVerifiesAfterAChangeOfTheSigner() async throws {
    let bed = try KeyTestBed()
    let wallet = try await TestWallet.confirmed(bed.harness)
    let session = try await wallet.proofedSession()
    let key = TestHardwareKey.makeP256()
    let before = try await wallet.issue(session.id, pidKey: key)
    func leaf(_ outcome: InstructionOutcome) throws -> [UInt8]? {
      try Credential(parsing: wallet.verified(outcome).compact).chain.first
    }
    let former = try XCTUnwrap(leaf(before))
    let rotation = KeyRotation(directory: bed.harness.path)
    _ = try rotation.rotate(.documentSigner, now: 1_700_000_000)
    _ = try rotation.promote(
      .documentSigner, published: bed.harness.directory.configuration, now: 1_700_000_000,
      isUrgent: true)
    let (provider, directory) = try bed.startedProvider()
    bed.harness.learn(directory.configuration.claims)
    let challenge = try await wallet.challenge(for: .issuePID)
    let after = try await wallet.send(
      wallet.prepareSealed(
        .issuePID, wallet.issuance(session.id, pidKey: key, challenge: challenge),
        challenge: challenge), to: provider)
    XCTAssertNotEqual(try leaf(after), former)
    XCTAssertEqual(try leaf(before), former, "the authority is the same")
  }

  func testEnforcesTheTimesOfARotation() throws {
    let bed = try KeyTestBed()
    let rotation = KeyRotation(directory: bed.harness.path)
    let (day, start) = (Int64(86_400), Int64(1_700_000_000))
    let next = try rotation.rotate(.documentSigner, now: start)
    let published = try bed.startedProvider().directory.configuration
    XCTAssertThrowsError(
      try rotation.promote(.documentSigner, published: published, now: start + day - 1))
    XCTAssertEqual(
      try rotation.promote(.documentSigner, published: published, now: start + day), next)
    let former = try XCTUnwrap(
      try rotation.keys().first { $0.role == .documentSigner && $0.state == .former }?.id)
    let end = start + 91 * day
    XCTAssertThrowsError(
      try rotation.retire(
        .documentSigner, id: former, sealedRows: 0, published: published, now: end - 1)
    ) { XCTAssertTrue("\($0)".contains("wait until 2024-02-13T22:13:20Z"), "\($0)") }
    // A clock that went back makes no difference: a key that was made then is still the next one.
    let later = try rotation.rotate(.documentSigner, now: start - 5 * day)
    XCTAssertEqual(
      try rotation.keys().filter { $0.role == .documentSigner }.map(\.state),
      [.current, .former, .next])
    // A next key that is not needed can be retired at once.
    try rotation.retire(
      .documentSigner, id: later, sealedRows: 0, published: published, now: start - 5 * day)
    try rotation.retire(.documentSigner, id: former, sealedRows: 0, published: published, now: end)
    XCTAssertEqual(try rotation.keys().filter { $0.role == .documentSigner }.map(\.id), [next])
  }

  func testSealingKeyStaysForADayAndIsArchivedWhenRetired() throws {
    let bed = try KeyTestBed()
    let rotation = KeyRotation(directory: bed.harness.path)
    let published = bed.harness.directory.configuration
    let (ring, retired) = (
      bed.harness.path + "/keys/sealing.key", bed.harness.path + "/keys/sealing.retired"
    )
    func lines(_ file: String) throws -> [String] {
      try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
    var kept: [String] = []
    for start in [Int64(1_700_000_000), 1_710_000_000] {
      _ = try rotation.rotate(.sealing, now: start)
      _ = try rotation.promote(.sealing, published: published, now: start)
      let former = try XCTUnwrap(
        try rotation.keys().first { $0.role == .sealing && $0.state == .former }?.id)
      let line = try lines(ring)[1]
      func retire(_ now: Int64) throws {
        try rotation.retire(.sealing, id: former, sealedRows: 0, published: published, now: now)
      }
      // A server started before the promotion may still run and seal with it.
      XCTAssertThrowsError(try retire(start + 86_399)) {
        XCTAssertTrue("\($0)".contains("restart all servers first"), "\($0)")
      }
      let before = try lines(ring)
      try retire(start + 86_400)
      XCTAssertFalse(try lines(ring).contains(line))
      kept.append(line)
      XCTAssertEqual(try lines(retired), kept)
      XCTAssertEqual(
        try FileManager.default.attributesOfItem(atPath: retired)[.posixPermissions] as? Int, 0o600)
      // After a kill before the key left the ring, it is not archived twice.
      try PrivateFile.write(
        Array((before.joined(separator: "\n") + "\n").utf8), to: ring, replace: true)
      try retire(start + 86_400)
      XCTAssertEqual(try lines(retired), kept)
    }
    // Nothing reads the file; its second line is restored as a former key.
    let current = try lines(ring)
    try PrivateFile.write(
      Array((current + [kept[1]]).joined(separator: "\n").utf8), to: ring, replace: true)
    XCTAssertEqual(
      try rotation.keys().filter { $0.role == .sealing }.map(\.state), [.current, .former])
  }

  func testMakesTheSecretsOnce() async throws {
    let bed = try KeyTestBed()
    try await bed.harness.provider.prepareSecrets()
    let name = "wallet-provider document"
    let first = try await bed.harness.store.transaction { try $0.secret(name: name) }
    try await bed.harness.provider.prepareSecrets()
    let second = try await bed.harness.store.transaction { try $0.secret(name: name) }
    XCTAssertNotNil(first)
    XCTAssertEqual(first, second)
  }
}
