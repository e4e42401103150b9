import CWalletCore
import Foundation
import TestSupport
import XCTest

/// The texts of a card that a host reads are only in the memory of its event.
final class CardMemoryTests: ProofingTestCase {
  /// Reads memory whether or not it is allocated, and allocates none itself, because that might
  /// reuse the memory that was just freed.
  private struct Look {
    let memory: Int32
    let place: (address: UInt, count: Int)
    let copy: UnsafeMutableRawBufferPointer

    init(memory: Int32, at address: UInt, _ count: Int) {
      self.memory = memory
      place = (address, count)
      copy = .allocate(byteCount: count, alignment: 1)
    }

    func take() {
      copy.initializeMemory(as: UInt8.self, repeating: 0)
      _ = pread(memory, copy.baseAddress, place.count, off_t(place.address))
    }

    func holds(_ text: Data) -> Bool { Data(copy).range(of: text) != nil }
  }

  func testTheTextsOfACardAreWipedWhenItsEventIsFreed() throws {
    var person = applicant
    // Longer than what an allocator writes into freed memory.
    person.familyName = "QUILLFEATHERSTONEHAUGH-WORTHINGTONSMYTHE"
    try flow.obtainPID(person, provider.openAccount(for: person).link)
    let name = Array(person.familyName.utf8)
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    let claims = (0..<wallet_core_event_card_claim_count(event, 0)).filter {
      String(cString: wallet_core_event_card_claim_name(event, 0, $0)) == "family_name"
    }
    let claim = try XCTUnwrap(claims.first)
    let text = UInt(bitPattern: wallet_core_event_card_claim_text(event, 0, claim))
    let json = wallet_core_event_json(event, nil)
    let memory = open("/proc/self/mem", O_RDONLY)
    XCTAssertGreaterThanOrEqual(memory, 0)
    let ofText = Look(memory: memory, at: text, name.count)
    let ofJSON = Look(memory: memory, at: UInt(bitPattern: json), strlen(json))
    defer {
      close(memory)
      ofText.copy.deallocate()
      ofJSON.copy.deallocate()
    }
    let end = Data(name.suffix(16))
    ofText.take()
    ofJSON.take()
    XCTAssertTrue(ofText.holds(end) && ofJSON.holds(end), "the search does not find what is there")
    wallet_core_event_free(event)
    // The thread that has delivered the event may release it a moment later.
    let isGone = eventually {
      ofText.take()
      ofJSON.take()
      return !ofText.holds(end) && !ofJSON.holds(end)
    }
    XCTAssertTrue(isGone, "the texts of the event are still in memory")
  }
}
