import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The chain of steps that a user takes, from the first start to the introduction after a wipe;
/// each link is a step.
enum Chain {
  static let pin = "142032"
  static let otherPin = "271828"

  struct Link {
    let row: String
    /// Whether a wallet is registered at this step, and whether it is unlocked.
    var isRegistered = false
    var isUnlocked = false
    let act: (FlowHost, Provider) throws -> Void

    init(
      _ row: String, registered: Bool = false, unlocked: Bool = false,
      _ act: @escaping (FlowHost, Provider) throws -> Void
    ) {
      self.row = row
      isRegistered = registered
      isUnlocked = unlocked
      self.act = act
    }
  }

  /// What the chain needs of the provider: its clock.
  typealias Provider = (_ advanceMilliseconds: Int) throws -> Void

  private static func tap(_ action: String) -> (FlowHost, Provider) throws -> Void {
    { flow, _ in flow.choose(action) }
  }

  private static func type(_ pin: String) -> (FlowHost, Provider) throws -> Void {
    { flow, _ in flow.enter(pin) }
  }

  static var links: [Link] {
    [
      Link("UC1.2 2.1") { flow, _ in flow.open() },
      Link("UC1.1 1.1") { flow, _ in flow.advanceClock(1000) },
      Link("UC1.1 1.2", tap("next")),
      Link("UC1.1 1.3", tap("next")),
      Link("UC1.1 1.4", tap("next")),
      Link("UC2.1 1.1", tap("next")),
      Link("UC2.1 2.1", type("111111")),
      Link("UC2.1 1.1", tap("ok")),
      Link("UC2.1 1.3", type(pin)),
      Link("UC2.1 3.1", type(otherPin)),
      Link("UC2.1 1.3", tap("try-again")),
      Link("UC2.1 4.1", type(otherPin)),
      Link("UC2.1 1.1", tap("start-over")),
      Link("UC2.1 1.3", type(pin)),
      Link("UC2.1 1.7", registered: true, unlocked: true, type(pin)),
      Link("UC2.1 1.9", registered: true, unlocked: true, tap("enable")),
      Link("UC3.1 2b", registered: true, unlocked: true, tap("next")),
      Link("UC7.1 1.1", registered: true, unlocked: true, tap("later")),
      Link("UC2.3 1.3", registered: true) { flow, _ in
        flow.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
        flow.advanceClock(600_000)
      },
      // The fingerprint unlocks; without a PID that leads to obtaining one.
      Link("UC3.1 2b", registered: true, unlocked: true) { flow, _ in
        flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
      },
      Link("UC7.1 1.1", registered: true, unlocked: true, tap("later")),
      Link("UC2.3 1.3", registered: true, tap("lock")),
      Link("PF2.8 2.1", registered: true, type(otherPin)),
      Link("UC2.3 1.3", registered: true, tap("close")),
      Link("PF2.8 3.1", registered: true, type(otherPin)),
      Link("UC2.3 1.3", registered: true, tap("close")),
      Link("PF2.8 4.1", registered: true, type(otherPin)),
      Link("UC2.3 1.3", registered: true, tap("close")),
      Link("PF2.8 5.1", registered: true, type(otherPin)),
      Link("UC2.3 1.3", registered: true) { flow, advance in
        XCTAssertGreaterThan(flow.number("blocked_for_ms") ?? 0, 0)
        try advance(60_000)
        flow.advanceClock(60_000)
      },
      Link("UC3.1 2b", registered: true, unlocked: true, type(pin)),
      Link("UC2.3 1.3", registered: true) { _, _ in
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      },
      Link("UC2.3 6.1", registered: true, tap("forgot-pin")),
      Link("UC9.4 1.1", registered: true, tap("delete-wallet")),
      Link("UC1.1 1.1", tap("confirm-delete")),
    ]
  }

  /// Takes the first `count` links.
  static func walk(
    _ flow: FlowHost, _ count: Int = .max, provider: Provider
  ) throws {
    for (index, link) in links.prefix(count).enumerated() {
      try link.act(flow, provider)
      do { try flow.expect(link.row) } catch {
        throw TestFailure("link \(index): \(error)")
      }
    }
  }
}
