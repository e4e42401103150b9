import CWalletCore
import Dispatch
import WalletModel
import WalletPlatform
import XCTest

@testable import wallet_core

/// Texts of events that are made when a host first reads them.
final class EventTextTests: XCTestCase {
  private let step = Step(
    serial: 7, useCase: "UC1.1", row: "1.2", kind: .screen, name: "introduction-2",
    title: "Title", message: "Message")

  /// Which places the texts lie at.
  private struct Places: Hashable {
    let json, title: UnsafePointer<CChar>

    init(_ event: OpaquePointer?) {
      json = wallet_core_event_json(event, nil)
      title = wallet_core_event_step_title(event)
    }
  }

  func testHostsThatReadAtOnceFindTheSameTexts() {
    for _ in 0..<200 {
      let event = EventObject(.step(step))
      let found = Monitor<Set<Places>>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let handed = event.handOut()
        let places = Places(handed)
        found.withLock { _ = $0.insert(places) }
        wallet_core_event_free(handed)
      }
      XCTAssertEqual(found.withLock { $0.count }, 1)
    }
  }

  func testATextStaysAsLongAsOneShareOfTheEvent() {
    let event = EventObject(.step(step))
    let first = event.handOut()
    let second = event.handOut()
    let places = Places(first)
    wallet_core_event_free(first)
    XCTAssertEqual(Places(second), places)
    XCTAssertEqual(String(cString: places.title), "Title")
    XCTAssertTrue(String(cString: places.json).hasPrefix(#"{"actions":[]"#))
    wallet_core_event_free(second)
  }
}
