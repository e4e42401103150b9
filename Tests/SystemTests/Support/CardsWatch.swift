import CWalletCore
import TestSupport
import WalletPlatform
import XCTest

/// Counts the events that say that cards have changed.
final class CardsWatch: Sendable {
  private let events = Monitor(0)

  /// Sets the cards stream of a client, for the rest of its life.
  init(_ client: wallet_core_client) {
    let status = wallet_core_set_cards_stream(
      client,
      { context, event in
        guard let context else { return }
        let watch = Unmanaged<CardsWatch>.fromOpaque(context).takeUnretainedValue()
        XCTAssertEqual(wallet_core_event_kind(event), WALLET_CORE_EVENT_CARDS_CHANGED)
        wallet_core_event_free(event)
        watch.events.update { $0 += 1 }
      }, Unmanaged.passRetained(self).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<CardsWatch>.fromOpaque(context).release()
      }, nil, nil)
    XCTAssertEqual(status, WALLET_CORE_OK)
  }

  var count: Int { events.withLock { $0 } }

  /// Waits for an event after the first `count` ones.
  func hasEvent(after count: Int) -> Bool { eventually { self.count > count } }
}
