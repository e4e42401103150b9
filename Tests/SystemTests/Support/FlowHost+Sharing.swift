import CWalletCore
import Foundation
import TestSupport

extension FlowHost {
  /// Opens the app by a link of a relying party and agrees to everything.
  ///
  /// - Returns: The rows of the steps that waited for the user, up to the success or another end.
  func share(_ link: String, pin: String) throws -> [String] {
    open(link: link)
    var rows: [String] = []
    while rows.count < 20 {
      let step = try next()
      rows.append(step.row)
      switch step.row {
      case "UC1.2 2.1": advanceClock(1000)
      case "UC2.3 1.3", "PF2.4 1.1": enter(pin)
      case "UC5.1 1.4": choose("share")
      default: return rows
      }
    }
    throw TestFailure("The walk goes in circles: \(rows)")
  }
}

extension TestHost {
  /// The results in the history, the newest first.
  func activities() throws -> [String] {
    let request = try begin(wallet_core_activities)
    let event = try nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    guard wallet_core_event_status(event) == WALLET_CORE_OK else {
      throw StatusError(wallet_core_event_status(event))
    }
    return (0..<wallet_core_event_activity_count(event)).map {
      String(cString: wallet_core_event_activity_text(event, $0, "result"))
    }
  }
}
