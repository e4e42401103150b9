import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// UC3.1 through the C header, with a real provider: from the code to the card.
final class ProofingTests: XCTestCase {
  private let pin = "142032"
  private let applicant = Applicant()
  private var provider: TestProvider!
  private var flow: FlowHost!

  override func setUpWithError() throws {
    provider = try TestProvider()
    let host = try TestHost(configuration: provider.clientConfiguration())
    wallet_core_testing_advance_clock(0)
    try host.start()
    flow = FlowHost(host)
    try flow.walkToProofing(pin)
  }

  override func tearDown() {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    flow = nil
    provider = nil
  }

  private func unlock(to row: String) throws {
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.expect(row)
  }

  /// Restarts as after a kill of the process.
  private func restart(to row: String) throws {
    try flow.host.restart()
    try flow.launch()
    try unlock(to: row)
  }

  func testUC3_1_11APersonWithAnAccountEndsWithACard() throws {
    let account = try provider.openAccount(for: applicant)
    try flow.claim(account.link)
    XCTAssertTrue(flow.text("account_label").hasSuffix("@quill.example"))
    XCTAssertFalse(flow.text("account_label").contains("mail"))
    try flow.submit(applicant)
    try flow.expectPID()
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
    XCTAssertEqual(flow.number("has_pid"), 1)

    let card = try XCTUnwrap(flow.host.cards().get().first)
    XCTAssertEqual(card.id, "pid")
    XCTAssertEqual(card.claims["family_name"], applicant.familyName)
    XCTAssertEqual(card.claims["given_name"], applicant.givenName)
    XCTAssertEqual(card.claims["birthdate"], applicant.birthDate)
    XCTAssertEqual(card.claims["age_equal_or_over.18"], "true")
    XCTAssertEqual(card.claims["verification.account_match"], "true")
    XCTAssertEqual(card.claims["verification.issuing_source_match"], "false")
    XCTAssertFalse(card.isExpired)
  }

  func testCardsAndPresentationsNeedAnUnlockedWallet() throws {
    XCTAssertEqual(try flow.host.cards().get(), [])
    XCTAssertEqual(try flow.host.present([]), .failure(StatusError(-70)))
    try flow.obtainPID(applicant, provider.openAccount(for: applicant).link)
    let text = try flow.host.present(["birthdate"]).get()
    XCTAssertEqual(text.split(separator: "~").count, 3)
    XCTAssertEqual(
      try flow.host.present(["nationality"]),
      .failure(StatusError(WALLET_CORE_ERROR_INVALID_ARGUMENT)))
    XCTAssertEqual(
      try flow.host.present([], card: "licence"),
      .failure(StatusError(WALLET_CORE_ERROR_CARD_UNKNOWN)))
    flow.choose("lock")
    try flow.expect("UC2.3 1.3")
    XCTAssertEqual(
      wallet_core_cards(flow.client, nil, nil), WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(
      try flow.host.present(["birthdate"]), .failure(StatusError(WALLET_CORE_ERROR_LOCKED)))
    try unlock2(to: "UC7.1 1.1")
    XCTAssertEqual(try flow.host.cards().get().count, 1)
  }

  func testCardsThatWereNotTakenBeforeALockAreNotDeliveredAfterIt() throws {
    try flow.obtainPID(applicant, provider.openAccount(for: applicant).link)
    let request = try flow.host.begin(wallet_core_cards)
    // Completions come in order: this one shows that the former one is in its queue.
    var (other, marker) = (wallet_core_client(), UInt64(0))
    XCTAssertEqual(wallet_core_client_attach("other", 0, &other, nil), WALLET_CORE_OK)
    defer { wallet_core_client_detach(other, nil) }
    XCTAssertEqual(wallet_core_cards(other, &marker, nil), WALLET_CORE_OK)
    var found: UInt64 = 0
    while found != marker {
      var event: OpaquePointer?
      XCTAssertEqual(
        wallet_core_client_next_event(other, Patience.milliseconds, &event, nil), WALLET_CORE_OK)
      guard let event else { return }
      found = wallet_core_event_request(event)
      wallet_core_event_free(event)
    }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(wallet_core_event_card_count(event), 0)
  }

  private func unlock2(to row: String) throws {
    flow.enter(pin)
    try flow.expect(row)
  }

  func testForgottenPINWipeAndAPIDAgain() throws {
    let account = try provider.openAccount(for: applicant)
    try flow.obtainPID(applicant, account.link)
    flow.choose("lock")
    try flow.expect("UC2.3 1.3")
    flow.choose("forgot-pin")
    try flow.expect("UC2.3 6.1")
    flow.choose("delete-wallet")
    try flow.expect("UC9.4 1.1")
    flow.choose("confirm-delete")
    try flow.expect("UC1.1 1.1")
    flow.choose("skip")
    try flow.expect("UC1.1 1.4")
    flow.choose("next")
    try flow.expect("UC2.1 1.1")
    try flow.setUp(pin)
    flow.choose("next")
    try flow.expect("UC3.1 2b")
    try flow.obtainPID(applicant, provider.newCode(for: account).link)
    XCTAssertEqual(try flow.host.cards().get().count, 1)
  }

  func testUC3_1_1cAFullDiskIsTheReportedReason() throws {
    flow.choose("later")
    try flow.expect("UC7.1 1.1")
    var limit = rlimit()
    XCTAssertEqual(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit), 0)
    var none = limit
    none.rlim_cur = 0
    signal(SIGXFSZ, SIG_IGN)
    XCTAssertEqual(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &none), 0)
    flow.choose("obtain-pid")
    let step = try? flow.expect("UC3.1 2a")
    XCTAssertEqual(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit), 0)
    XCTAssertEqual(step?.name, "proofing-unavailable")
    XCTAssertEqual(flow.text("reasons"), "init.storage")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
  }

  func testUC3_1_1cAFailedWriteIsNotBlamedOnTheProvider() throws {
    flow.choose("later")
    try flow.expect("UC7.1 1.1")
    // Blocks the policy's file, and nothing else.
    let file = flow.host.storage.appendingPathComponent("update-policy.json")
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(
      at: file.appendingPathComponent("obstacle"), withIntermediateDirectories: true)
    _ = try provider.control("/clock", ["advance_ms": 2_000])
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2a")
    XCTAssertEqual(flow.text("reasons"), "init.storage")
    try FileManager.default.removeItem(at: file)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
  }

  // MARK: Locks, kills

  func testUC3_1_6ALockWipesWhatWasReadAndComesBackAsTheQuestionForTheAccount() throws {
    try flow.claim(provider.openAccount(for: applicant).link)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try unlock(to: "UC3.1 5c")
    XCTAssertTrue(flow.text("account_label").hasSuffix("@quill.example"))
    try flow.submit(applicant)
    try flow.expectPID()
  }

  func testUC3_1_1eAClaimOutlivesTheProcess() throws {
    try flow.claim(provider.openAccount(for: applicant).link)
    try restart(to: "UC3.1 5c")
    XCTAssertTrue(flow.text("account_label").hasSuffix("@quill.example"))
    try flow.submit(applicant)
    try flow.expectPID()
  }

  func testALapsedClaimIsReportedAndStartsAgain() throws {
    try flow.claim(provider.openAccount(for: applicant).link)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
    try provider.advanceClock(milliseconds: 24 * 3_600_000)
    flow.advanceClock(24 * 3_600_000)
    flow.enter(pin)
    let step = try flow.expect("UC3.1 2b")
    XCTAssertEqual(step.notices, ["session-lost"])
  }

  // MARK: Codes

  func testUC3_1_5bCodesThatAreNotOursDamagedUnknownOrUsedAskForAnother() throws {
    let account = try provider.openAccount(for: applicant)
    let host = "https://127.0.0.1/b#v=1&n="
    let cases: [(String, String)] = [
      ("https://elsewhere.example/b#v=1&n=AAAA", "code.not_ours"),
      (host + "AAAA", "code.malformed"),
      (host + String(repeating: "A", count: 43), "code.expired"),
    ]
    flow.choose("scan")
    for (code, failure) in cases {
      try flow.expect("UC3.1 3")
      flow.scanCode(code)
      try flow.expect("UC3.1 5b")
      XCTAssertEqual(flow.text("failure"), failure)
      flow.choose("scan-again")
    }
    try flow.expect("UC3.1 3")
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5c")
  }

  func testUC3_1_5cNotMyAccountReturnsTheCode() throws {
    let account = try provider.openAccount(for: applicant)
    try flow.claim(account.link)
    flow.choose("not-my-account")
    try flow.expect("UC3.1 5b")
    XCTAssertEqual(flow.text("failure"), "code.released")
    flow.choose("scan-again")
    try flow.expect("UC3.1 3")
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5c")
  }

  func testUC3_1_4WithoutNetworkTheSameCodeIsTriedAgain() throws {
    let account = try provider.openAccount(for: applicant)
    flow.choose("scan")
    try flow.expect("UC3.1 3")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5b")
    XCTAssertEqual(flow.text("failure"), "code.network")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.choose("try-again")
    try flow.expect("UC3.1 5c")
  }

  // MARK: Licences

  func testUC3_1_8bWhatCannotBeReadCountsAndEndsWhenTheAttemptsAreSpent() throws {
    try flow.claim(provider.openAccount(for: applicant).link)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    flow.scan(WALLET_CORE_SYMBOLOGY_QR_CODE, applicant.barcode)
    try flow.expect("UC3.1 8b")
    XCTAssertEqual(flow.text("failure"), "doc.wrong_barcode")
    XCTAssertNil(flow.number("attempts_left"))
    var damaged = applicant
    damaged.birthDate = "1988-02-30"
    var seen: [Int64?] = []
    while flow.step?.row == "UC3.1 8b" {
      flow.choose("scan-again")
      try flow.expect("UC3.1 6")
      flow.scanLicence(damaged)
      try flow.next()
      seen.append(flow.number("attempts_left"))
    }
    XCTAssertEqual(flow.step?.row, "UC3.1 8a")
    XCTAssertEqual(flow.text("failure"), "attempts_exhausted")
    XCTAssertFalse(flow.text("reference").isEmpty)
    XCTAssertEqual(seen, [nil, nil, 2, 1, nil])
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
  }

  func testUC3_1_8aAnExpiredLicenceEndsTheProofing() throws {
    var expired = applicant
    expired.expiryDate = "2025-01-31"
    try flow.claim(provider.openAccount(for: applicant).link)
    try flow.submit(expired)
    try flow.expect("UC3.1 8a")
    XCTAssertEqual(flow.text("failure"), "doc.expired")
    XCTAssertFalse(flow.text("reference").isEmpty)
  }

  // MARK: Verdicts

  func testUC3_1_10bAStrangersLicenceIsNotMatchedAndTheOwnersIs() throws {
    try flow.claim(provider.openAccount(for: applicant).link)
    var stranger = Applicant()
    stranger.givenName = "PHINEAS"
    try flow.submit(stranger)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.not_matched")
    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expectPID()
  }

  func testUC3_1_10bALicenceOfAnotherAccountIsRefusedLikeOneThatDoesNotMatch() throws {
    try flow.obtainPID(applicant, provider.openAccount(for: applicant).link)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let other = FlowHost(try TestHost(configuration: provider.clientConfiguration()))
    try other.host.start()
    flow = other
    try flow.walkToProofing(pin)
    try flow.claim(provider.openAccount(for: applicant, label: "twin@quill.example").link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.not_matched")
    XCTAssertTrue(flow.text("reference").isEmpty)
  }

  func testUC3_1_10bALostAnswerIsAskedForAgainWithoutARescan() throws {
    let account = try provider.openAccount(for: applicant)
    try flow.claim(account.link)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_ANSWER_LOST), -1)
    flow.scanLicence(applicant)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.network")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.choose("try-again")
    try flow.expectPID()
  }
}
