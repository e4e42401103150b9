import CWalletCore
import Foundation

/// A user who obtains a PID from any step on.
struct ProofingWalk: Codable {
  var pin = "142032"
  var applicant: Applicant
  var link: String
  /// Codes that are scanned before the right one.
  var earlierLinks: [String] = []
  /// Licences that are scanned before the right one.
  var earlierLicences: [Applicant] = []

  /// Ends at the dashboard with a PID, or if no action is left.
  ///
  /// - Returns: The rows of the steps that waited for the user.
  func finish(_ flow: FlowHost) throws -> [String] {
    var (links, licences) = (earlierLinks + [link], earlierLicences + [applicant])
    var rows: [String] = []
    while rows.count < 40 {
      let step = try flow.next()
      rows.append(step.row)
      switch step.row {
      case "UC3.1 3": flow.scanCode(links.count > 1 ? links.removeFirst() : links[0])
      case "UC3.1 6": flow.scanLicence(licences.count > 1 ? licences.removeFirst() : licences[0])
      default: guard goOn(flow, step) else { return rows }
      }
    }
    throw TestFailure("The walk goes in circles: \(rows)")
  }

  private func goOn(_ flow: FlowHost, _ step: SeenStep) -> Bool {
    switch step.row {
    case "UC1.2 2.1": flow.advanceClock(1000)
    case "UC1.1 1.1": flow.choose("skip")
    case "UC1.1 1.4", "UC2.1 1.9": flow.choose("next")
    case "UC2.1 1.1", "UC2.1 1.3", "UC2.3 1.3", "UC3.1 9c": flow.enter(pin)
    case "UC3.1 2b": flow.choose("scan")
    case "UC3.1 5c": flow.choose("scan-licence")
    case "UC3.1 5b", "UC3.1 8b", "UC3.1 10b":
      let wanted = ["try-again", "scan-again", "scan-licence", "scan"]
      guard let action = wanted.first(where: step.actions.contains) else { return false }
      flow.choose(action)
    case "UC3.1 11": flow.choose("continue")
    case "UC7.1 1.1" where flow.number("has_pid") != 1: flow.choose("obtain-pid")
    default: return false
    }
    return true
  }
}
