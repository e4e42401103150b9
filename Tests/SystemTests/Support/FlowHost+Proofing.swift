import CWalletCore
import Foundation
import TestSupport
import XCTest

/// A card as a host reads it through the C header.
struct SeenCard: Equatable {
  var id: String
  var type: String
  var issuedAt: String
  var isExpired: Bool
  var claims: [String: String]

  init(_ event: OpaquePointer, _ index: Int) {
    func text(_ name: String) -> String {
      String(cString: wallet_core_event_card_text(event, index, name))
    }
    id = text("id")
    type = text("type")
    issuedAt = text("issued_at")
    isExpired = wallet_core_event_card_state(event, index) == WALLET_CORE_CARD_STATE_EXPIRED
    claims = [:]
    for claim in 0..<wallet_core_event_card_claim_count(event, index) {
      let name = String(cString: wallet_core_event_card_claim_name(event, index, claim))
      claims[name] = String(cString: wallet_core_event_card_claim_text(event, index, claim))
    }
  }
}

extension FlowHost {
  /// Answers a scanner with the content of a symbol.
  func scan(
    _ symbology: wallet_core_symbology, _ bytes: [UInt8], file: StaticString = #filePath,
    line: UInt = #line
  ) {
    XCTAssertEqual(
      wallet_core_choose_scanned(
        client, step?.serial ?? 0, symbology, bytes, bytes.count, nil), WALLET_CORE_OK,
      "a scan on \(String(describing: step))", file: file, line: line)
  }

  func scanCode(_ link: String) { scan(WALLET_CORE_SYMBOLOGY_QR_CODE, Array(link.utf8)) }

  func scanLicence(_ applicant: Applicant) {
    scan(WALLET_CORE_SYMBOLOGY_PDF417, applicant.barcode)
  }

  /// Goes from UC3.1 2b to the confirmation of the account.
  func claim(_ link: String) throws {
    choose("scan")
    try expect("UC3.1 3")
    scanCode(link)
    try expect("UC3.1 5c")
  }

  /// Goes from there to the submission.
  func submit(_ applicant: Applicant) throws {
    choose("scan-licence")
    try expect("UC3.1 6")
    scanLicence(applicant)
  }

  /// Goes from the dashboard, with its scanner, to the dashboard with another PID; a proofing that
  /// was already vetted needs no licence.
  func obtainAnotherPID(_ applicant: Applicant, _ link: String) throws {
    try scanAnotherCode(link)
    if try next().row == "UC3.1 5c" {
      try submit(applicant)
      try next()
    }
    if step?.row == "UC3.1 9c" {
      enter(pin)
      try next()
    }
    guard step?.row == "UC3.1 11" else {
      throw TestFailure("no PID, but \(String(describing: step))")
    }
    choose("continue")
    try expect("UC7.1 1.1")
  }

  /// Shows a code to the dashboard's scanner.
  func scanAnotherCode(_ link: String) throws {
    choose("scan")
    try expect("UC9.9 1.1")
    choose("granted")
    try expect("UC9.9 1.3")
    scanCode(link)
  }

  /// Goes from UC3.1 2b to the dashboard with a PID.
  func obtainPID(_ applicant: Applicant, _ link: String) throws {
    try claim(link)
    try submit(applicant)
    try expectPID()
    choose("continue")
    try expect("UC7.1 1.1")
  }

  /// Goes from the verdict to UC3.1 11: with the PIN, unless it was proved since the verdict.
  func expectPID() throws {
    if try next().row == "UC3.1 9c" {
      enter(pin)
      try next()
    }
    guard step?.row == "UC3.1 11" else {
      throw TestFailure("no PID, but \(String(describing: step))")
    }
  }

  /// Goes from the first start to UC3.1 2b, with a wallet without a PID.
  func walkToProofing(_ pin: String) throws {
    try walkToChoosePin()
    try setUp(pin)
    choose("next")
    try expect("UC3.1 2b")
  }
}

extension TestHost {
  /// Requests the cards. Returns them, or the status of the completion.
  func cards() throws -> Result<[SeenCard], StatusError> {
    let request = try begin(wallet_core_cards)
    let event = try nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    let status = wallet_core_event_status(event)
    guard status == 0 else { return .failure(StatusError(status)) }
    return .success(
      (0..<wallet_core_event_card_count(event)).map { SeenCard(event, $0) })
  }

  /// Requests a presentation of the PID. Returns its completion.
  func completionOfPresent(_ pin: String = "142032") throws -> Completion {
    try presented(["pid"], pin: pin).completion
  }

  /// Requests a presentation of claims at the top of a card. Returns it, or the status of the call
  /// or of the completion.
  func present(
    _ claims: [String], card: String = "pid", nonce: String = "n-1",
    audience: String = "https://verifier.example", pin: String = "142032"
  ) throws -> Result<String, StatusError> {
    let (completion, texts) = try presented(
      [card], paths: [claims.map { #"["\#($0)"]"# }], nonce: nonce, audience: audience, pin: pin)
    guard completion.status == 0 else { return .failure(StatusError(completion.status)) }
    XCTAssertEqual(completion.outcome, WALLET_CORE_PIN_OUTCOME_VALID)
    return .success(try XCTUnwrap(texts.first))
  }

  /// Requests presentations of cards, of each with the claims at its paths. A refusal at once is a
  /// completion too.
  func presented(
    _ cards: [String], paths: [[String]] = [], nonce: String = "n-1",
    audience: String = "https://verifier.example", pin: String
  ) throws -> (completion: Completion, texts: [String]) {
    let (status, request) = beginPresenting(
      cards, paths: paths, nonce: nonce, audience: audience, pin: pin)
    guard status == 0 else { return (Completion(status: status), []) }
    return try presentations(request)
  }

  /// Takes events until the completion of a request for presentations.
  func presentations(_ request: UInt64) throws -> (completion: Completion, texts: [String]) {
    let event = try nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    return (
      Completion(event),
      (0..<wallet_core_event_presentation_count(event)).map {
        String(cString: wallet_core_event_presentation(event, $0))
      }
    )
  }

  func beginPresenting(
    _ cards: [String], paths: [[String]] = [], nonce: String = "n-1",
    audience: String = "https://verifier.example", pin: String
  ) -> (status: wallet_core_status, request: UInt64) {
    var request: UInt64 = 0
    let texts = cards.enumerated().map { index, card in
      [strdup(card)] + (index < paths.count ? paths[index] : []).map { strdup($0) }
    }
    defer { texts.joined().forEach { free($0) } }
    let lists = texts.map { texts in
      let list = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
      _ = list.initialize(from: texts.map { UnsafePointer($0) })
      return list
    }
    let selections = lists.map { list in
      let selection = UnsafeMutablePointer<wallet_core_card_selection>.allocate(capacity: 1)
      selection.initialize(
        to: wallet_core_card_selection(
          struct_size: MemoryLayout<wallet_core_card_selection>.size, card: list[0],
          paths: UnsafePointer(list.baseAddress.map { $0 + 1 }), path_count: list.count - 1))
      return selection
    }
    defer {
      selections.forEach { $0.deallocate() }
      lists.forEach { $0.deallocate() }
    }
    let digits = Array(pin.utf8)
    let status = wallet_core_present(
      client, selections.map { UnsafePointer($0) }, selections.count, nonce, audience, digits,
      digits.count, &request, nil)
    return (status, request)
  }
}

/// A status that is not OK.
struct StatusError: Error, Equatable, CustomStringConvertible {
  let name: String
  init(_ status: wallet_core_status) { name = String(cString: wallet_core_status_name(status)) }
  var description: String { name }
}
