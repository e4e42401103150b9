import Foundation
import XCTest

/// Kill -9 at every write, request and row of the identity proofing: the next process goes on with
/// the same session, and one code is consumed for one PID.
final class KillProofingTests: KillTestCase {
  /// The points of a run: the unlock, the claim, the submission, the request for the PID, the PIN
  /// that it needs, and the issuance.
  private static let points =
    commits(of: "instruction.sequence", 6) + passes("instruction.before-request", 6)
    + passes("instruction.after-answer", 6) + commits(of: "proofing.checked", 1)
    + commits(of: "proofing.kept", 3) + commits(of: "card.keys", 1) + commits(of: "card.stored", 1)
    + KillPoints.replacement(of: "platform-keys") + ["proofing.before-submission"]
    + passes("proofing.before-issuance", 2)

  /// The points before the claim is stored, where the code must be scanned again.
  private static let beforeTheClaimIsKept = Set(
    commits(of: "instruction.sequence", 2) + passes("instruction.before-request", 2)
      + passes("instruction.after-answer", 2) + commits(of: "proofing.checked", 1)
      + ["storage.proofing.kept.before-commit", "flow.UC3.1 1a", "flow.UC3.1 2ba", "flow.UC3.1 3a"])

  private static func passes(_ point: String, _ count: Int) -> [String] {
    (1...count).map { $0 == 1 ? point : "\(point)#\($0)" }
  }

  private static func commits(of label: String, _ count: Int) -> [String] {
    KillPoints.commits(["storage.\(label)"]).flatMap { passes($0, count) }
  }

  private func proofings() throws -> [String: Int] {
    try provider.control("/proofings").compactMapValues { $0 as? Int }
  }

  /// Calls `body` with a registered wallet, and a walk that ends with a PID for an account.
  private func withApplicant(_ body: (KillHost, ProofingWalk) throws -> Void) throws {
    let applicant = Applicant()
    let link = try provider.openAccount(for: applicant).link
    try withDevice { host in
      try body(host, ProofingWalk(pin: pin, applicant: applicant, link: link))
    }
  }

  private func assertOnePID(
    _ report: KillHost.Report, _ host: KillHost, _ point: String, since before: [String: Int],
    line: UInt = #line
  ) throws {
    XCTAssertEqual(report.rows.last, "UC7.1 1.1", "\(point): \(report.rows)", line: line)
    XCTAssertEqual(report.cards, [Applicant().familyName], point, line: line)
    let counts = try proofings()
    for (name, more) in ["accounts": 1, "claimed": 0, "consumed": 1, "sessions": 1, "proofed": 1] {
      XCTAssertEqual(
        counts[name], (before[name] ?? 0) + more, "\(name) after \(point)", line: line)
    }
    // The account key, the hardware key and those of the copies of the PID.
    let keys = try host.platformKeys()
    XCTAssertEqual(keys.count, 12, "\(keys) after \(point)", line: line)
  }

  /// The rows and cases of UC3.1 that an undisturbed proofing takes.
  private func rows(
    _ host: KillHost, _ walk: ProofingWalk, _ check: ([String]) -> Void = { _ in }
  ) throws -> [String] {
    let trace = try Scratch.directory("trace").appendingPathComponent("rows.txt")
    setenv("WALLET_CORE_TESTING_TRACE", trace.path, 1)
    defer { unsetenv("WALLET_CORE_TESTING_TRACE") }
    let report = try host.run(.register(pin), .watch(killAt: nil), .obtainPID(walk))
    let points = report.passed.filter { !KillPoints.isOfRefresh($0) }
    check(points)
    XCTAssertFalse(report.isKilled)
    XCTAssertEqual(report.cards, [walk.applicant.familyName])
    return try String(contentsOf: trace, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("UC3.1") }.map { "flow.\($0)" }
  }

  func testAKillAnywhereInAProofingEndsInOnePIDWithoutARescanOfTheCode() throws {
    var flows: [String] = []
    try withApplicant { host, walk in
      flows = try rows(host, walk) { XCTAssertEqual(Set($0), Set(Self.points)) }
      XCTAssertGreaterThan(Set(flows).count, 8)
    }
    for point in KillPoints.sample(Self.points + Set(flows).sorted()) {
      let before = try proofings()
      try withApplicant { host, walk in
        let killed = try host.run(.register(pin), .watch(killAt: point), .obtainPID(walk))
        XCTAssertTrue(killed.isKilled, point)
        let report = try host.run(.obtainPID(walk))
        XCTAssertEqual(
          report.rows.contains("UC3.1 3"), Self.beforeTheClaimIsKept.contains(point),
          "\(point): \(report.rows)")
        try assertOnePID(report, host, point, since: before)
      }
    }
  }

  func testAKillAtTheRowsOfFailedScansAndVerdictsEndsInOnePIDToo() throws {
    func detour(_ walk: ProofingWalk) -> ProofingWalk {
      var walk = walk
      var damaged = walk.applicant
      damaged.birthDate = "1988-02-30"
      var stranger = walk.applicant
      stranger.givenName = "PHINEAS"
      walk.earlierLinks = ["https://elsewhere.example/b#v=1&n=AAAA"]
      walk.earlierLicences = [damaged, stranger]
      return walk
    }
    var flows: [String] = []
    try withApplicant { host, walk in flows = try rows(host, detour(walk)) }
    let failures = ["4b", "5ba", "7b", "8ba", "9bb", "10bc"].map { "flow.UC3.1 \($0)" }
    XCTAssertTrue(Set(failures).isSubset(of: flows), "\(flows)")
    let points = failures + ["flow.UC3.1 9ba", "storage.proofing.kept.after-commit#4"]
    for point in KillPoints.sample(points, 2) {
      let before = try proofings()
      try withApplicant { host, walk in
        let killed = try host.run(.register(pin), .watch(killAt: point), .obtainPID(detour(walk)))
        XCTAssertTrue(killed.isKilled, point)
        let report = try host.run(.obtainPID(walk))
        XCTAssertEqual(
          report.rows.contains("UC3.1 3"), ["flow.UC3.1 4b", "flow.UC3.1 5ba"].contains(point),
          "\(point): \(report.rows)")
        try assertOnePID(report, host, point, since: before)
      }
    }
  }

  /// When a PID replaces another, the earlier keys are deleted, at the latest at the next start.
  func testAKillBetweenTheNewPIDAndTheEndOfTheEarlierKeyLeavesNoKey() throws {
    for point in Self.commits(of: "card.stored", 1) {
      let applicant = Applicant()
      let account = try provider.openAccount(for: applicant)
      try withDevice { host in
        let first = ProofingWalk(pin: pin, applicant: applicant, link: account.link)
        let registered = try host.run(.register(pin), .obtainPID(first))
        XCTAssertEqual(registered.cards, [applicant.familyName])
        let earlier = try host.platformKeys()
        var second = first
        second.link = try provider.newCode(for: account).link
        let killed = try host.run([.obtainAnotherPID(second)], killAt: point)
        XCTAssertTrue(killed.isKilled, point)
        XCTAssertEqual(try host.platformKeys().count, 22, point)
        let report: KillHost.Report
        if point.hasSuffix("after-commit") {
          report = try host.run(
            .awaitPass("wipe.key-deleted.signing", count: 10), .obtainPID(second))
        } else {
          // A wallet with a card opens at the dashboard; a scan there continues the open proofing.
          report = try host.run(
            .obtainAnotherPID(second), .awaitPass("wipe.key-deleted.signing", count: 10))
        }
        XCTAssertEqual(report.rows, ["UC1.2 2.1", "UC2.3 1.3", "UC7.1 1.1"], point)
        XCTAssertEqual(report.cards, [applicant.familyName], point)
        let keys = try host.platformKeys()
        XCTAssertEqual(keys.count, 12, "\(keys) after \(point)")
        XCTAssertEqual(Set(keys).intersection(earlier).count, 2, "\(keys) after \(point)")
      }
    }
  }
}
