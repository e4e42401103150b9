import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// Every request is checked when its turn comes and once more at its point of no return, and
/// reports what happened.
final class RequestGateTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  private let cancelled = WALLET_CORE_ERROR_CANCELLED
  private let notRegistered = WALLET_CORE_ERROR_NOT_REGISTERED

  // MARK: Wipe

  func testACancelledWipeDeletesNothing() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    var cancelledWipes = 0
    for round in 0..<12 {
      if !host.isRegistered { XCTAssertEqual(try host.register("142032"), .done) }
      let wipe = try host.begin(wallet_core_wipe)
      XCTAssertEqual(wallet_core_cancel(host.client, wipe, nil), WALLET_CORE_OK)
      let completion = try host.complete(wipe)
      // A wipe that had begun is completed, and says so.
      XCTAssertTrue([0, cancelled].contains(completion.status), "\(completion)")
      XCTAssertEqual(host.isRegistered, completion.status == cancelled, "round \(round)")
      XCTAssertTrue(host.isLocked, "round \(round)")
      if completion.status == cancelled { cancelledWipes += 1 }
    }
    XCTAssertGreaterThan(cancelledWipes, 0, "no wipe was cancelled in time")
    if host.isRegistered { XCTAssertEqual(try host.unlock("142032"), .valid) }
  }

  /// Begins wipes and ends their client at once by `end`. Checks that those which had not begun to
  /// delete have deleted nothing, and that all others have deleted the wallet.
  private func assertAWipeMayEndWithItsClient(
    line: UInt = #line, _ end: () throws -> Void
  ) throws {
    XCTAssertEqual(try host.register("142032"), .done, line: line)
    var survived = 0
    for round in 0..<12 {
      if !host.isRegistered { XCTAssertEqual(try host.register("142032"), .done, line: line) }
      _ = try host.begin(wallet_core_wipe)
      try end()
      // Runs behind the wipe.
      _ = try host.disableBiometrics()
      XCTAssertTrue(host.isLocked, "round \(round)", line: line)
      survived += host.isRegistered ? 1 : 0
      XCTAssertEqual(host.keys.keyCount, host.isRegistered ? 2 : 0, "round \(round)", line: line)
    }
    XCTAssertGreaterThan(survived, 0, "no client ended before its wipe began", line: line)
    if host.isRegistered { XCTAssertEqual(try host.unlock("142032"), .valid, line: line) }
  }

  func testAWipeOfAnAbandonedClientDeletesNothing() throws {
    try assertAWipeMayEndWithItsClient {
      XCTAssertEqual(wallet_core_client_abandon(host.client), WALLET_CORE_OK)
      try host.attach()
    }
  }

  func testAWipeOfADetachedClientDeletesNothing() throws {
    try assertAWipeMayEndWithItsClient {
      XCTAssertEqual(wallet_core_client_detach(host.client, nil), WALLET_CORE_OK)
      try host.attach()
    }
  }

  func testAWipeOfAClientThatWasTakenOverDeletesNothing() throws {
    try assertAWipeMayEndWithItsClient {
      let former = host.client
      try host.attach()
      XCTAssertNotEqual(host.client, former)
      XCTAssertEqual(
        wallet_core_wipe(former, nil, nil), WALLET_CORE_ERROR_CLIENT_DETACHED)
    }
  }

  func testOfTwoWipesNoneIsWithdrawn() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    let first = try host.begin(wallet_core_wipe)
    let second = try host.begin(wallet_core_wipe)
    XCTAssertEqual(try host.complete(first), .done)
    XCTAssertEqual(try host.complete(second), .done)
    XCTAssertFalse(host.isRegistered)
  }

  // MARK: Registration

  func testARegistrationThatALockMeetsIsReportedAndTheWalletIsLocked() throws {
    let held = HeldAnswer("/v2/registrations")
    middle.answer(with: held.rewrite)
    let registration = try host.begin(wallet_core_register, "142032")
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(registration), .done)
    XCTAssertTrue(host.isRegistered)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  /// The provider or the network is mute before the registration, after it has happened, or during
  /// the confirmation. The next registration continues it, with any PIN.
  func testALockEndsARegistrationThatTheProviderDoesNotAnswer() throws {
    for path in ["/v2/registrations/challenge", "/v2/registrations"] {
      let held = HeldAnswer(path, isCut: true)
      middle.answer(with: held.rewrite)
      let registration = try host.begin(wallet_core_register, "142032")
      try held.waitUntilHeld()
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      wallet_core_testing_advance_clock(5_000)
      XCTAssertEqual(try host.complete(registration).status, cancelled, path)
      held.letGo()
      middle.answer(with: nil)
      XCTAssertFalse(host.isRegistered, path)
      XCTAssertTrue(host.isLocked, path)
    }
    XCTAssertEqual(try host.register("246813"), .done)
    XCTAssertEqual(try host.unlock("246813"), .valid)
    let counts = try provider.control("/counts")
    XCTAssertEqual(counts["confirmed"] as? Int, 1)
    XCTAssertEqual(counts["pending"] as? Int, 0)
  }

  func testALockBeforeItsTurnLimitsARegistrationToo() throws {
    let held = HeldAnswer("/v2/registrations/challenge", isCut: true)
    middle.answer(with: held.rewrite)
    let first = try host.begin(wallet_core_register, "142032")
    try held.waitUntilHeld()
    let second = try host.begin(wallet_core_register, "246813")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    wallet_core_testing_advance_clock(5_000)
    XCTAssertEqual(try host.complete(first).status, cancelled)
    held.letGo()
    // The provider answers this one in time.
    XCTAssertEqual(try host.complete(second), .done)
    XCTAssertTrue(host.isLocked)
  }

  func testALockEndsTheConfirmationOfARegistrationThatHappened() throws {
    let held = HeldAnswer("/v2/instructions/confirm_registration", isCut: true)
    middle.answer(with: held.rewrite)
    let registration = try host.begin(wallet_core_register, "142032")
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    wallet_core_testing_advance_clock(5_000)
    XCTAssertEqual(try host.complete(registration), .done)
    held.letGo()
    XCTAssertTrue(host.isRegistered)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  /// The confirmation is noted as still open, so little time is spent on it: a refresh that was begun
  /// before has 30 seconds for its answer and still waits.
  func testAMuteProviderDelaysARegistrationThatHappenedOnlyBriefly() throws {
    XCTAssertEqual(try host.refresh(), .done)
    let policy = HeldAnswer(Route.updatePolicy)
    let confirmation = HeldAnswer(Route.instruction(.confirmRegistration))
    let again = HeldAnswer(Route.instruction(.confirmRegistration))
    middle.answer {
      policy.rewrite($0) ?? confirmation.rewrite($0) ?? again.rewrite($0)
    }
    defer { for held in [policy, confirmation, again] { held.letGo() } }
    let refresh = try host.begin(wallet_core_refresh)
    try policy.waitUntilHeld()
    let registration = try host.begin(wallet_core_register, "142032")
    try confirmation.waitUntilHeld()
    let event = try host.nextEvent {
      [refresh, registration].contains(wallet_core_event_request($0))
    }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_request(event), registration, "the refresh ended first")
    XCTAssertEqual(Completion(event), .done)
    XCTAssertFalse(host.isLocked)
    // The next request with the wallet confirms it.
    for held in [policy, confirmation, again] { held.letGo() }
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try provider.control("/counts")["confirmed"] as? Int, 1)
  }

  func testARegistrationRightBehindAWipeIsReported() throws {
    for round in 0..<12 {
      let wipe = try host.begin(wallet_core_wipe)
      let registration = try host.begin(wallet_core_register, "142032")
      XCTAssertEqual(try host.complete(wipe), .done, "round \(round)")
      XCTAssertEqual(try host.complete(registration), .done, "round \(round)")
      XCTAssertTrue(host.isRegistered, "round \(round)")
    }
  }

  func testRequestsWithoutAWalletSaySo() throws {
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(host.beginChange("142032", to: "246813").status, notRegistered)
    let pin = Array("142032".utf8)
    XCTAssertEqual(
      wallet_core_enable_biometric_unlock(host.client, pin, pin.count, nil, nil), notRegistered)
    XCTAssertEqual(wallet_core_cards(host.client, nil, nil), notRegistered)
    XCTAssertEqual(try host.unlock("142032").status, notRegistered)
    XCTAssertEqual(try host.checkPin("142032").status, notRegistered)
    XCTAssertEqual(try host.wipe(), .done)
  }

  /// As long as the storage path is not known, it is not known either whether there is a wallet.
  func testRequestsBeforeTheStoragePathIsKnownSayWhetherThereIsAWallet() throws {
    let locked = WALLET_CORE_ERROR_LOCKED
    for expected in [notRegistered, locked] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      let keys = SoftwareKeys(storagePath: host.storage.path)
      host = try TestHost(
        configuration: provider.clientConfiguration(url: middle.url), storage: host.storage,
        keys: expected == locked ? host.keys : keys)
      host.keys.setStoragePath(host.storage.path)
      XCTAssertEqual(host.initialize(givingPath: false), 0)
      try host.attach()
      let change = host.beginChange("142032", to: "246813")
      XCTAssertEqual(change.status, 0)
      let cards = try host.begin(wallet_core_cards)
      let enabling = try host.begin(wallet_core_enable_biometric_unlock, "142032")
      XCTAssertEqual(host.keys.connect(), 0)
      let completions = try host.complete(all: change.request, cards, enabling)
      XCTAssertEqual(completions.map(\.status), [expected, expected, expected])
      if expected == notRegistered { try register() }
    }
  }

  // MARK: Blocks

  func testABlockThatACheckReachesLocksTheOpenWallet() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    for left: Int32 in [3, 2, 1] {
      XCTAssertEqual(try host.checkPin("142033"), .wrong(left))
      XCTAssertFalse(host.isLocked)
    }
    XCTAssertEqual(try host.checkPin("142033"), .blocked(60_000))
    XCTAssertTrue(host.isLocked)
  }

  func testABlockThatAnUnlockReachesLocksTheOpenWallet() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    for left: Int32 in [3, 2, 1] { XCTAssertEqual(try host.unlock("142033"), .wrong(left)) }
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(try host.unlock("142033"), .blocked(60_000))
    XCTAssertTrue(host.isLocked)
  }

  // MARK: The flows

  func testUC2_3_1_1cTheFlowsAskForNoPinOfAWalletThatARequestUnlocked() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    let flows = FlowHost(host)
    try flows.launch()
    let step = try flows.next()
    XCTAssertTrue(step.row.hasPrefix("UC3.1"), "\(step)")
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flows.expect("UC2.3 1.3")
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testAnOpeningByResumeAsksForNoPinOfAWalletThatARequestUnlocked() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    let flows = FlowHost(host)
    // No flow is in progress, so this is a launch.
    flows.open(WALLET_CORE_STARTUP_RESUME)
    try flows.expect("UC1.2 2.1")
    flows.advanceClock(1000)
    XCTAssertTrue(try flows.next().row.hasPrefix("UC3.1"))
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flows.expect("UC2.3 1.3")
    XCTAssertEqual(try host.unlock("142032"), .valid)
    flows.open(WALLET_CORE_STARTUP_RESUME)
    XCTAssertTrue(try flows.next().row.hasPrefix("UC3.1"))
    XCTAssertFalse(host.isLocked)
  }

  func testAnUnlockDuringTheSplashIsNotAskedForAgain() throws {
    try register()
    let flows = FlowHost(host)
    flows.open()
    try flows.expect("UC1.2 2.1")
    XCTAssertEqual(try host.unlock("142032"), .valid)
    flows.advanceClock(1000)
    XCTAssertTrue(try flows.next().row.hasPrefix("UC3.1"))
  }

  /// The key that a scan of the flows found to be gone is not the one that a request made later.
  func testUC2_3_1_3BiometricsThatARequestEnabledAnewSurviveTheNextUnlockOfTheFlows() throws {
    host.keys.hasBiometrics = true
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try host.enableBiometrics("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    host.keys.prompts.expect(.refused(WALLET_CORE_BRIDGE_KEY_INVALIDATED))
    let flows = FlowHost(host)
    try flows.launch()
    try flows.expect("UC2.3 1.3")
    XCTAssertTrue(host.isBiometric, "only a PIN shows that the user is the owner")
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.enableBiometrics("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    _ = try flows.next { $0.row != "UC2.3 1.3" }
    flows.enter("142032")
    let step = try flows.next()
    XCTAssertTrue(step.row.hasPrefix("UC3.1"), "\(step)")
    XCTAssertEqual(step.notices, [])
    XCTAssertTrue(host.isBiometric)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  // MARK: The wipe's note

  func testADamagedNoteOfAWipeNeitherDeletesNorHinders() throws {
    try register()
    for note in [
      Data(count: 4097), Data("{}".utf8), Data(#"{"wipe":{},"checksum":"AAAA"}"#.utf8), Data(),
    ] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      try note.write(to: host.storage.appendingPathComponent("wipe.json"))
      try host.start()
      XCTAssertTrue(host.isRegistered, "\(note.count) bytes")
      XCTAssertEqual(try host.unlock("142032"), .valid, "\(note.count) bytes")
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    }
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try Data(count: 4097).write(to: host.storage.appendingPathComponent("wipe.json"))
    try host.start()
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register("142032"), .done)
  }
}
