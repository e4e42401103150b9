import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A stress run with one wallet.
final class ProofingStress {
  private unowned let test: ProofingTestCase
  private var random: SeededGenerator
  private(set) var faults: [String] = []
  private(set) var story: [String] = []
  private(set) var rows: Set<String> = []
  private(set) var moves = 0
  private(set) var steps = 0
  private(set) var pids = 0
  private(set) var protected = 0
  private var passed: Int64 = 0

  private var step: SeenStep
  private var applicant = Applicant()
  private var account = ""
  private var link = ""
  private var attempts: (claims: Int, left: Int64)?
  /// The choice that was taken last, until its step has come.
  private var awaited: String?

  init(_ test: ProofingTestCase, seed: UInt64) {
    self.test = test
    random = SeededGenerator(seed: seed)
    step = test.flow.step!
  }

  private var flow: FlowHost { test.flow }
  private func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

  // MARK: Moves

  func move() throws {
    moves += 1
    switch roll(100) {
    case ..<55: try goOn(isGood: false)
    case ..<72: act(step.actions.randomElement(using: &random))
    case ..<77: tell("lock") { XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK) }
    case ..<80: try sleep()
    case ..<84: try pass(Int.random(in: 1...400, using: &random))
    case ..<85: try pass(61 * 60)
    case ..<91: spoilNetwork()
    case ..<95: try simulateVerdict()
    case ..<98: insist()
    default: try restart()
    }
    try settle()
  }

  /// Goes from any state to a PID, without further faults.
  func finish() throws {
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try test.simulateVerdict(nil)
    // Enough time that the limits of attempts at codes, licences and accounts are over.
    try pass(16 * 60)
    try newApplicant()
    try settle()
    for _ in 0..<80 {
      if hasPID { return noteCard() }
      try goOn(isGood: true)
      if step.row == "UC3.1 5a" { try pass(16 * 60) }
      // An earlier wallet of this person was deleted without a network, so the provider waits.
      if step.row == "UC3.1 10c" { try pass(25 * 60 * 60) }
      try settle()
    }
    faults.append("no PID in the end: \(step) \(flow.text("failure")) \(flow.text("reasons"))")
  }

  private var hasPID: Bool { step.row == "UC7.1 1.1" && flow.number("has_pid") == 1 }

  private func noteCard() {
    pids += 1
    let cards = try? flow.host.cards().get()
    if cards?.count != 1 { faults.append("\(cards?.count ?? -1) cards") }
    let keys = flow.host.keys
    // Those of the wallet, and those of the copies; those that were given up go in the background. Ten
    // more were prepared for a PID whose proofing has ended before it came; the next PID takes them.
    if !eventually({ keys.keyCount == 12 || keys.keyCount == 22 }) {
      faults.append("\(keys.keyCount) platform keys with a PID")
    }
  }

  private func tell(_ what: String, _ body: () -> Void) {
    story.append(what)
    body()
  }

  private func sleep() throws {
    story.append("background")
    flow.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    try pass(roll(2) == 0 ? 1 : 400)
    flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
  }

  /// Moves the clocks of both sides.
  private func pass(_ seconds: Int) throws {
    story.append("\(seconds) s")
    try test.provider.advanceClock(milliseconds: seconds * 1000)
    flow.advanceClock(Int64(seconds) * 1000)
    wallet_core_testing_advance_calendar(Int64(seconds))
    passed += Int64(seconds)
  }

  /// Moves the device's calendar back, for later tests.
  func end() {
    wallet_core_testing_advance_calendar(-passed)
    passed = 0
  }

  private func spoilNetwork() {
    let fault = 1 + roll(3)
    tell("network \(fault)") {
      wallet_core_testing_set_network_fault(Int32(fault), Int32(1 + roll(4)))
    }
  }

  private func simulateVerdict() throws {
    let verdicts = [nil, nil, "pending", "declined", "unavailable"]
    let verdict = verdicts[roll(verdicts.count)]
    story.append("verdict \(verdict ?? "over")")
    try test.simulateVerdict(verdict)
  }

  /// Makes a double tap, and taps of an engine that is gone.
  private func insist() {
    // The next serial may be that of a step that has just come.
    for serial in [0, step.serial &+ 1_000, step.serial &- 1, .max] {
      for action in ["continue", "scanned", "enter", "exit"] {
        if flow.status(of: action, serial: serial) == 0 {
          faults.append("\(action) was taken for the serial \(serial), at \(step)")
        }
      }
    }
  }

  private func restart() throws {
    story.append("restart")
    try flow.host.restart()
    flow.open()
  }

  // MARK: The user

  private static let ways = [
    "continue", "scan-licence", "try-again", "scan-again", "scan-another", "obtain-pid", "scan",
    "skip", "next", "ok", "close", "done", "exit", "cancel", "back",
  ]

  /// Makes the next choice of a user who wants a PID.
  private func goOn(isGood: Bool) throws {
    if step.isPassing || step.row == "UC1.2 2.1" { return try pass(1) }
    if step.kind == WALLET_CORE_STEP_END { return flow.open() }
    if hasPID { return act("remove-data") }
    if step.actions.contains("confirm-delete") { return act("confirm-delete") }
    if step.actions.contains("enter") { return act("enter") }
    // While there is a claim a code is refused there; `obtain-pid` continues the claim.
    if isGood, step.row == "UC9.9 1.3" { return act("back") }
    if step.actions.contains("scanned") { return try scan(isGood: isGood) }
    act(Self.ways.first(where: step.actions.contains) ?? step.actions.first)
  }

  private func act(_ action: String?) {
    guard let action else { return }
    if action == "scanned" {
      do { try scan(isGood: false) } catch { faults.append("\(error)") }
      return
    }
    story.append("\(step.row) \(action)")
    // The flow may have moved on by itself: then the choice is stale, which is the only allowed
    // failure.
    let status = flow.status(of: action, pin: action == "enter" ? test.pin : nil)
    note(status, of: action)
  }

  private func note(_ status: wallet_core_status, of action: String) {
    awaited = status == 0 ? action : nil
    if status != 0, status != WALLET_CORE_ERROR_STALE_STEP {
      faults.append("\(action) on \(step): \(StatusError(status))")
    }
  }

  private func newApplicant() throws {
    applicant = Applicant()
    let made = try test.provider.control(
      "/accounts",
      [
        "label": "mail@quill.example", "family_name": applicant.familyName,
        "given_name": applicant.givenName, "birth_date": applicant.birthDate,
      ])
    account = made["account"] as? String ?? ""
    link = made["qr"] as? String ?? ""
  }

  private func newCode() throws {
    let made = try test.provider.control("/accounts/\(account)/codes", [:])
    link = made["qr"] as? String ?? ""
  }

  private func scan(isGood: Bool) throws {
    let isCode = step.row != "UC3.1 6"
    if link.isEmpty { try newApplicant() } else if isCode, roll(2) == 0 { try newCode() }
    var stranger = applicant
    stranger.givenName = "PHINEAS"
    var damaged = applicant
    damaged.birthDate = "1988-02-30"
    let noise = (0..<(1 + roll(600))).map { _ in UInt8(roll(256)) }
    let bad: [[UInt8]] = [
      noise, Array(link.utf8.dropLast(5)), Array("https://elsewhere.example/b#v=1&n=AAAA".utf8),
      stranger.barcode, damaged.barcode, Array(applicant.barcode.prefix(1 + roll(300))),
    ]
    let good = isCode ? Array(link.utf8) : applicant.barcode
    let isRight = isGood || roll(3) > 0
    let bytes = isRight ? good : bad[roll(bad.count)]
    let right = isCode ? WALLET_CORE_SYMBOLOGY_QR_CODE : WALLET_CORE_SYMBOLOGY_PDF417
    let symbology = isGood || roll(12) > 0 ? right : wallet_core_symbology(Int32(1 + roll(3)))
    story.append("\(step.row) scan of \(isRight ? "the right" : "another") symbol")
    let status = wallet_core_choose_scanned(
      flow.client, step.serial, symbology, bytes, bytes.count, nil)
    note(status, of: "scanned")
  }

  // MARK: What must hold

  /// Takes steps until none comes any more or a step waits for the user.
  private func settle() throws {
    var patience = 40
    // A choice that was taken leads to a step. Nothing must be done before it, e.g. no further code
    // made while the one that was scanned is being claimed.
    if let choice = awaited {
      awaited = nil
      let wasLocked = flow.host.isLocked
      if let seen = try flow.poll(milliseconds: Patience.milliseconds) {
        note(seen, wasLocked)
      } else {
        faults.append("no step follows \(choice) on \(step)")
      }
    }
    while patience > 0 {
      let wasLocked = flow.host.isLocked
      guard let seen = try flow.poll(milliseconds: patience > 30 && step.isPassing ? 100 : 25)
      else {
        // The step still works, or waits for a clock.
        if !step.isPassing { return }
        patience -= 10
        continue
      }
      patience -= 1
      note(seen, wasLocked)
    }
  }

  private func note(_ seen: SeenStep, _ wasLocked: Bool) {
    steps += 1
    step = seen
    rows.insert(seen.row)
    let reason = flow.text("reasons") + flow.text("failure")
    story.append("-> \(seen.row)\(reason.isEmpty ? "" : " (\(reason))")")
    if flow.isProtected { protected += 1 }
    if wasLocked, flow.host.isLocked, flow.isProtected {
      faults.append("\(seen) was shown while locked")
    }
    if !wasLocked, !flow.host.isLocked, seen.row == "UC2.3 1.3" {
      faults.append("\(seen) asked an unlocked wallet for its PIN")
    }
    guard seen.row.hasPrefix("UC3.1"), !seen.isPassing else { return }
    if seen.actions.isEmpty { faults.append("no way out of \(seen)") }
    switch seen.row {
    case "UC3.1 2a", "UC3.1 5a", "UC3.1 8a", "UC3.1 10a":
      if seen.actions != ["exit"] { faults.append("not the only exit: \(seen)") }
      if seen.name != "proofing-unavailable", seen.name != "proofing-pending",
        flow.text("reference").isEmpty
      {
        faults.append("no reference on \(seen)")
      }
    case "UC3.1 5b", "UC3.1 8b", "UC3.1 10b":
      if seen.actions.count != 2 || seen.actions.last != "exit" {
        faults.append("not one retry and the exit: \(seen)")
      }
      noteAttempts(seen)
    default: break
    }
  }

  /// Checks that the attempts of a claim never increase: not by a rescan, a lock or a restart.
  private func noteAttempts(_ seen: SeenStep) {
    guard seen.row != "UC3.1 5b", let left = flow.number("attempts_left") else { return }
    let claims = test.middle.all(test.path("claim_enrolment_code")).count
    if let attempts, attempts.claims == claims, left > attempts.left {
      faults.append("\(attempts.left) attempts grew to \(left) at \(seen)")
    }
    attempts = (claims, left)
  }
}
