import Foundation
import XCTest

/// Requests and flows share one layer of operations, so each is orchestrated in one place.
final class LayerTests: XCTestCase {
  /// What only an operation does, and the one file that does it.
  private static let places = [
    "lock.unlock(with:": "State/WalletContext.swift",
    "jobs.cancelForWipe()": "Operations/Operations.swift",
    "PinKeyChange(strengthening:": "Operations/Operations.swift",
    "account.register(": "Operations/WalletSession+Account.swift",
    "account.checkPin(": "Operations/WalletSession+Account.swift",
    "account.changePin(": "Operations/WalletSession+PinChange.swift",
    "enableBiometricUnlock(with:": "Operations/WalletSession+Biometrics.swift",
    "disabled completely": "Operations/WalletSession+Biometrics.swift",
    "PendingWipe()": "Operations/WalletSession+Wipe.swift",
    "cards.allWithContents()": "Operations/WalletSession+Cards.swift",
    "account.authorizeUse(": "Operations/WalletSession+Present.swift",
  ]

  func testEachOperationIsOrchestratedInOneFile() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/WalletRuntime").standardized
    var found: [String: [String]] = [:]
    for folder in ["Flows", "Operations", "State"] {
      let files = try FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent(folder).path)
      for file in files {
        let source = try String(
          contentsOf: root.appendingPathComponent("\(folder)/\(file)"), encoding: .utf8)
        for place in Self.places.keys where source.contains(place) {
          found[place, default: []].append("\(folder)/\(file)")
        }
      }
    }
    XCTAssertEqual(found, Self.places.mapValues { [$0] })
  }
}
