import Foundation
import TestSupport
import XCTest

/// The crash points of the core. `NAME#2` means the second pass of a point in a process, and so on.
enum KillPoints {
  /// The files that are replaced as a whole.
  static let replaced = ["platform-keys", "wipe.json", "configuration.json", "update-policy.json"]
  /// The files that a wipe can find and delete.
  static let deleted = [
    "wallet.db", "wallet.db-wal", "wallet.db.new", "platform-keys", "wipe.json",
  ]

  static let all =
    commits([
      "storage.create", "storage.account-key.noted", "storage.account-key.stored",
      "storage.register.prepare", "storage.register.sequence", "storage.register.complete",
      "storage.register.forget", "storage.register.lapsed", "storage.instruction.sequence",
      "storage.instruction.continue-sequence", "storage.confirm.stored",
      "storage.biometrics.enable",
      "storage.biometrics.disable", "storage.proofing.checked", "storage.proofing.kept",
      "storage.proofing.released",
      "storage.card.keys", "storage.card.keys-given-up", "storage.card.stored",
      "storage.pin-change.preparing", "storage.pin-change.committing", "storage.pin-change.closed",
      "storage.pin-block.told", "storage.pin-failures.told", "storage.card.used",
      "storage.activity.stored",
    ]) + replaced.flatMap(replacement) + deleted.map { "storage.delete-file.\($0)" } + [
      "register.before-request", "register.after-answer", "instruction.before-request",
      "instruction.after-answer", "wipe.noted", "wipe.key-deleted.account",
      "wipe.key-deleted.signing", "wipe.done", "biometrics.noted", "biometrics.sealed",
      "biometrics.key-deleted", "proofing.before-submission", "proofing.before-issuance",
      "sharing.before-post", "sharing.after-post",
    ]

  /// Points of the cards of other issuers, which no function of the header takes yet.
  /// `WalletCardsTests.CardStoreTests` looks at what a kill leaves at each of them.
  static let ofCards = commits(
    ["keys-released", "slot", "changed", "deleted"].map {
      "storage.card.\($0)"
    })

  static func commits(_ labels: [String]) -> [String] {
    labels.flatMap { [$0 + ".before-commit", $0 + ".after-commit"] }
  }

  static func replacement(of file: String) -> [String] { commits(["storage.replace-file.\(file)"]) }

  /// What the refresh writes on its own thread at any time.
  static let refresh = ["configuration.json", "update-policy.json"].flatMap(replacement)

  static func isOfRefresh(_ point: String) -> Bool {
    // The status of cards is refreshed in the background too.
    (refresh + commits(["storage.card.changed"])).contains {
      point == $0 || point.hasPrefix($0 + "#")
    }
  }

  /// `count` points of each kind; all points in an exhaustive run.
  static func sample(_ points: [String], _ count: Int = 1) -> [String] {
    Sample.of(points, count, kind: kind)
  }

  /// The kind of a point: its transaction in any phase, its phase of replacing a file, or its use
  /// case. Any other point is a kind of its own.
  static func kind(of point: String) -> String {
    let name = point.split(separator: "#")[0]
    let phase = name.split(separator: ".").last ?? ""
    if name.hasPrefix("storage.replace-file.") { return "replacement \(phase)" }
    if name.hasSuffix("-commit") { return String(name.dropLast(phase.count + 1)) }
    return name.hasPrefix("flow.") ? String(name.split(separator: " ")[0]) : String(name)
  }

  static let confirmation =
    commits(["storage.instruction.sequence", "storage.confirm.stored"])
    + ["instruction.before-request", "instruction.after-answer"]

  /// From no wallet to a confirmed account. The second key is the hardware key.
  static let registration =
    commits([
      "storage.create", "storage.account-key.noted", "storage.account-key.stored",
      "storage.register.prepare", "storage.register.sequence", "storage.register.complete",
    ]) + replacement(of: "platform-keys") + replacement(of: "platform-keys").map { $0 + "#2" }
    + ["register.before-request", "register.after-answer"] + confirmation

  private static func instruction(pass: String = "") -> [String] {
    (commits(["storage.instruction.sequence"])
      + ["instruction.before-request", "instruction.after-answer"]).map { $0 + pass }
  }

  /// The points while the PIN in force changes from the former to the new one, for an unlocked
  /// wallet: the change is begun and then prepared.
  static let pinChange =
    instruction() + commits(["storage.pin-change.preparing"]) + instruction(pass: "#2")
    + commits(["storage.pin-change.committing"])

  /// The points from there to the end of the change, without an action of the user.
  static let pinCommit = instruction(pass: "#3") + commits(["storage.pin-change.closed"])

  /// The points from the instruction to the provider to the last file.
  static let wipe =
    replacement(of: "wipe.json") + ["wipe.noted"] + commits(["storage.instruction.sequence"])
    + ["instruction.before-request", "instruction.after-answer"] + ["storage.delete-file.wallet.db"]
    + wipeOfKeys + ["wipe.done"]

  static let wipeOfKeys = [
    "wipe.key-deleted.account", "wipe.key-deleted.signing", "storage.delete-file.platform-keys",
    "storage.delete-file.wipe.json",
  ]
}

final class KillPointTests: XCTestCase {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Points whose name contains that of a file or key are listed explicitly.
  func testTheListOfPointsIsThatOfTheSources() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    var found: Set<String> = []
    var made: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where file.hasPrefix("Wallet") && file.hasSuffix(".swift")
      && !file.hasPrefix("WalletProvider")
    {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for name in Self.texts(after: "passCrashPoint(\"", in: text) {
        if let start = name.range(of: "\\(") {
          made.insert(String(name[..<start.lowerBound]))
        } else {
          found.insert(name)
        }
      }
      for label in Self.texts(after: "transaction(label: \"", in: text) {
        found.formUnion(KillPoints.commits(["storage.\(label)"]))
      }
    }
    let prefixes = ["storage.replace-file.", "storage.delete-file.", "wipe.key-deleted."]
    // "flow." is each row and case of the flows, see Tests/Scenarios/rows.txt.
    XCTAssertEqual(made, Set(prefixes + ["storage.", "flow."]))
    // Passed while a decision is awaited, right before the timer is set; tests wait for it.
    found.remove("proofing.decision-awaited")
    XCTAssertEqual(
      found.subtracting(KillPoints.ofCards),
      Set(KillPoints.all.filter { point in !prefixes.contains { point.hasPrefix($0) } }))
  }

  private static func texts(after opening: String, in text: String) -> [String] {
    text.components(separatedBy: opening).dropFirst().compactMap {
      $0.components(separatedBy: "\"").first
    }
  }
}
