import Foundation
import TestSupport
import XCTest

/// Kill -9 at every write, request and row of UC5.1: the history says afterwards what may have been
/// shared, the relying party has at most one answer, and the wallet shares again.
final class KillSharingTests: XCTestCase {
  private let pin = "142032"
  private var party: RelyingParty!
  private var provider: TestProvider!
  private var directory: URL!

  override func setUpWithError() throws {
    directory = try Scratch.directory("kill-sharing")
    party = try RelyingParty(in: directory)
    provider = try TestProvider(settings: ["trust-anchors": party.anchors])
  }

  override func tearDown() {
    provider = nil
    party?.stop()
    party = nil
  }

  /// Up to this point nothing is in the history, and nothing can have been sent.
  private static let before = [
    "instruction.before-request", "instruction.after-answer",
    "storage.instruction.sequence.before-commit", "storage.instruction.sequence.after-commit",
    "storage.card.used.before-commit",
  ]
  /// What may have been shared is on disk, and the result is not.
  private static let between = [
    "storage.card.used.after-commit", "sharing.before-post", "sharing.after-post",
    "storage.activity.stored.before-commit",
  ]
  private static let rows = [
    "UC5.1 1.1b", "UC5.1 1.3a", "UC5.1 1.4a", "PF2.4 1.1a", "PF2.4 1.2a", "PF2.4 1.4a",
    "UC5.1 1.5a",
  ].map { "flow.\($0)" }

  private func link() throws -> String { try party.request() }

  func testAKillAnywhereInTheActIsToldInTheHistory() throws {
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    let applicant = Applicant()
    let walk = ProofingWalk(
      pin: pin, applicant: applicant, link: try provider.openAccount(for: applicant).link)
    XCTAssertEqual(try host.run(.register(pin), .obtainPID(walk)).cards, [applicant.familyName])
    var history: [String] = []
    let unlock = Self.before.prefix(4).map { "\($0)#2" }
    let after = ["storage.activity.stored.after-commit", "flow.UC5.1 1.5.1a"]
    let points = unlock + ["storage.card.used.before-commit"] + Self.between + after + Self.rows
    for point in KillPoints.sample(points) {
      let killed = try host.run(.watch(killAt: point), .share(link(), pin: pin))
      XCTAssertTrue(killed.isKilled, point)
      switch point {
      case _ where Self.between.contains(point): history.insert("may-have-been-shared", at: 0)
      case _ where after.contains(point): history.insert("shared", at: 0)
      default: break
      }
      let again = try host.run(.share(link(), pin: pin))
      XCTAssertEqual(again.rows.last, "UC5.1 1.6", "\(point): \(again.rows)")
      history.insert("shared", at: 0)
      XCTAssertEqual(again.activities, history, point)
      // Each request has one answer at most, and those are right.
      while party.has("answered") {
        let answer = try party.take("answered")
        XCTAssertTrue(answer["problem"] is NSNull, "\(point): \(answer["problem"] ?? "")")
        XCTAssertEqual(answer["posts"] as? Int, 1, point)
      }
    }
  }
}
