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

  /// The addresses of the texts.
  private struct Addresses: Hashable {
    let json, title: UnsafePointer<CChar>

    init(_ event: OpaquePointer?) {
      json = wallet_core_event_json(event, nil)
      title = wallet_core_event_step_title(event)
    }
  }

  func testConcurrentReadersGetTheSameTexts() {
    for _ in 0..<200 {
      let event = EventObject(.step(step))
      let found = Monitor<Set<Addresses>>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        let handed = event.handOut()
        let addresses = Addresses(handed)
        found.withLock { _ = $0.insert(addresses) }
        wallet_core_event_free(handed)
      }
      XCTAssertEqual(found.withLock { $0.count }, 1)
    }
  }

  func testATextLivesAsLongAsOneReferenceToTheEvent() {
    let event = EventObject(.step(step))
    let first = event.handOut()
    let second = event.handOut()
    let addresses = Addresses(first)
    wallet_core_event_free(first)
    XCTAssertEqual(Addresses(second), addresses)
    XCTAssertEqual(String(cString: addresses.title), "Title")
    XCTAssertTrue(String(cString: addresses.json).hasPrefix(#"{"actions":[]"#))
    wallet_core_event_free(second)
  }
}
