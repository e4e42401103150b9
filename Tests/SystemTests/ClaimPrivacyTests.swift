import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The personal data of a licence is only where it belongs. The tests search for it byte by byte
/// after a wallet's life from registration to wipe, with the logs of both sides at their most
/// verbose.
final class ClaimPrivacyTests: ProofingTestCase {
  private let log = HostLog()
  /// Every event's JSON, but the completions of cards and presentations.
  private var events = ""
  private var cards = ""
  private var errors = ""

  /// - Parameter format: of the provider's log.
  private func begin(_ format: String) throws -> URL {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let providerLog = try Scratch.directory("log").appendingPathComponent("provider.log")
    try newProvider(settings: ["log-level": "trace", "log-format": format], log: providerLog)
    let host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    host.log = log
    host.onEvent = { [unowned self] event in
      let json = String(cString: wallet_core_event_json(event, nil))
      let isShown =
        wallet_core_event_card_count(event) > 0
        || wallet_core_event_presentation_count(event) > 0
      if isShown { cards += json + "\n" } else { events += json + "\n" }
      if let error = wallet_core_event_error(event) { note(error) }
    }
    try host.start()
    flow = FlowHost(host)
    try flow.walkToProofing(pin)
    return providerLog
  }

  private func note(_ error: OpaquePointer) {
    errors += String(cString: wallet_core_error_message(error, nil)) + "\n"
    errors += String(cString: wallet_core_error_data(error, nil)) + "\n"
  }

  /// Makes a call that the library refuses, and notes its error.
  private func refuse(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> wallet_core_status) {
    var error: OpaquePointer?
    XCTAssertNotEqual(call(&error), 0)
    guard let error else { return XCTFail("no error") }
    note(error)
    wallet_core_error_free(error)
  }

  private func refuseLicence() {
    let barcode = applicant.barcode
    refuse { error in
      wallet_core_choose_scanned(
        flow.client, flow.step?.serial ?? 0, WALLET_CORE_SYMBOLOGY_PDF417, barcode,
        barcode.count, error)
    }
  }

  /// A licence that ends the proofing, with a reference for support.
  private func fail(_ link: String) throws {
    var expired = applicant
    expired.expiryDate = "2025-01-31"
    try flow.claim(link)
    try flow.submit(expired)
    try flow.expect("UC3.1 8a")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
  }

  /// Goes from the claim to the PID, with licences that fail in each way.
  private func proof(_ link: String) throws {
    refuseLicence()
    try flow.claim(link)
    refuseLicence()
    flow.choose("scan-licence")
    var damaged = applicant
    damaged.birthDate = "1988-02-30"
    var stranger = applicant
    stranger.givenName = "PHINEAS"
    try flow.expect("UC3.1 6")
    flow.scan(WALLET_CORE_SYMBOLOGY_QR_CODE, applicant.barcode)
    try flow.expect("UC3.1 8b")
    flow.choose("scan-again")
    for bytes in [damaged.barcode, Array(applicant.barcode.dropLast(200))] {
      try flow.expect("UC3.1 6")
      flow.scan(WALLET_CORE_SYMBOLOGY_PDF417, bytes)
      try flow.expect("UC3.1 8b")
      flow.choose("scan-again")
    }
    try flow.expect("UC3.1 6")
    flow.scanLicence(stranger)
    try flow.expect("UC3.1 10b")
    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_ANSWER_LOST), -1)
    flow.scanLicence(applicant)
    try flow.expect("UC3.1 10b")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.choose("try-again")
    try flow.expectPID()
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
  }

  private func use() throws {
    XCTAssertEqual(try flow.host.cards().get().count, 1)
    _ = try flow.host.present(["family_name", "given_name", "birthdate"]).get()
    XCTAssertThrowsError(try flow.host.present([applicant.familyName]).get())
    lock()
    try flow.expect("UC2.3 1.3")
    XCTAssertThrowsError(try flow.host.present(["birthdate"]).get())
    try unlockAgain()
  }

  private func unlockAgain() throws {
    flow.enter(pin)
    try flow.expect("UC7.1 1.1")
  }

  /// Checks the search itself: it must find each form if it is planted in the bytes.
  private func assertFindsWhatIsThere(_ search: SecretSearch, in bytes: [UInt8]) {
    XCTAssertEqual(search.missed(in: bytes), [])
  }

  func testNoClaimIsInAnyLogErrorEventOrFile() throws {
    try assertNoClaimIsAnywhere("text", sign: "route=issue_pid")
  }

  func testNoClaimIsInAProvidersLogOfJSON() throws {
    try assertNoClaimIsAnywhere("json", sign: #""route":"issue_pid""#)
  }

  /// - Parameter sign: A text that the provider's log must have, so that there is something to
  ///   search.
  private func assertNoClaimIsAnywhere(_ format: String, sign: String) throws {
    let providerLog = try begin(format)
    let account = try account()
    let wallet = String(try provider.run(["wallet", "list"]).prefix { $0 != " " })
    XCTAssertEqual(wallet.count, 22)
    try fail(account.link)
    try proof(account.link)
    try use()

    // The birth date also as the licence spells it.
    let search = SecretSearch(applicant.secrets + ["03091988", "PHINEAS"])
    let elsewhere = SecretSearch(applicant.elsewhere)
    let storage = flow.host.storage
    XCTAssertEqual(try search.found(inFilesOf: storage), [], "the wallet's files")
    XCTAssertTrue(
      try SecretSearch.files(of: storage).contains { $0.lastPathComponent == "wallet.db-wal" })
    XCTAssertEqual(try search.found(inFilesOf: provider.data), [], "the provider's files")
    XCTAssertTrue(
      try SecretSearch.files(of: provider.data).contains { $0.lastPathComponent.hasSuffix("-wal") })
    for directory in [storage, provider.data] {
      for file in try SecretSearch.files(of: directory) {
        assertFindsWhatIsThere(elsewhere, in: Array(try Data(contentsOf: file)))
      }
    }

    let wipe = try flow.host.begin(wallet_core_wipe)
    XCTAssertEqual(try flow.host.complete(wipe), .done)
    XCTAssertEqual(try search.found(inFilesOf: storage), [], "the files after the wipe")

    let logged = try String(contentsOf: providerLog, encoding: .utf8)
    // The logs have what they must have, so there was something to search.
    XCTAssertTrue(logged.contains(sign), logged)
    XCTAssertTrue(log.lines.contains("doc.expired, reference"), log.lines)
    XCTAssertTrue(events.contains("proof.not_matched"))
    XCTAssertTrue(events.contains("account_label"))
    XCTAssertTrue(errors.contains("no claim at one of the paths"), errors)
    XCTAssertEqual(SecretSearch([applicant.familyName]).found(in: cards).isEmpty, false)
    for (name, text) in [
      ("the log", log.lines), ("the events", events), ("the errors", errors),
      ("the provider's log", logged),
    ] {
      XCTAssertEqual(search.found(in: text), [], name)
      assertFindsWhatIsThere(search, in: Array(text.utf8))
    }
    XCTAssertEqual(elsewhere.found(in: cards), [], "data that must not leave the parser")
    assertFindsWhatIsThere(elsewhere, in: Array(cards.utf8))
    XCTAssertFalse(log.lines.contains(account.id))
    for secret in [account.id, wallet, pin, provider.data.path] {
      XCTAssertFalse(logged.contains(secret), "\(secret) in the provider's log")
    }
    XCTAssertFalse(log.lines.contains("#v=1"))
    print(
      "searched: \(search.forms.count) forms in \(log.lines.utf8.count) bytes of log,",
      "\(events.utf8.count) of events, \(logged.utf8.count) of the provider's log")
  }
}
