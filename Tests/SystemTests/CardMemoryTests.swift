import CWalletCore
import Foundation
import XCTest

/// What a host reads of a card lives in its event alone.
final class CardMemoryTests: ProofingTestCase {
  /// What stands at an address now, whether or not it belongs to anybody; empty where nothing does.
  private func memory(at address: UInt, _ count: Int) throws -> [UInt8] {
    let memory = open("/proc/self/mem", O_RDONLY)
    guard memory >= 0 else { throw TestFailure("the own memory cannot be read") }
    defer { close(memory) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = pread(memory, &bytes, count, off_t(address))
    return Array(bytes.prefix(max(found, 0)))
  }

  func testTheTextsOfACardAreWipedWhenItsEventIsFreed() throws {
    var person = applicant
    // Longer than what an allocator writes into memory that is given back.
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
    let places = [
      (text, name.count), (UInt(bitPattern: json), strlen(json)),
    ]
    let end = Data(name.suffix(16))
    for (address, count) in places {
      XCTAssertNotNil(Data(try memory(at: address, count)).range(of: end), "the search is blind")
    }
    wallet_core_event_free(event)
    for (address, count) in places {
      XCTAssertNil(Data(try memory(at: address, count)).range(of: end), "it is still there")
    }
  }
}
