import Foundation
import XCTest

/// Holds the architecture: who may import whom, and what no source file may contain.
final class HouseTests: XCTestCase {
  private static let core: Set = [
    "WalletModel", "WalletPlatform", "WalletCrypto", "WalletStorage", "WalletTransport",
    "WalletProtocol",
  ]

  /// Which of our own modules each room may import.
  private static let table: [String: Set<String>] = [
    "CWalletCore": [], "CSodium": [], "CSQLite": [], "CPosix": [], "CCurl": [],
    "CPostgreSQL": [], "CQRencode": [], "CPNG": [],
    "WalletModel": [], "WalletProtocol": [],
    "WalletCrypto": ["CSodium", "WalletProtocol"],
    // Bridge replies are secrets.
    "WalletPlatform": ["CPosix", "WalletModel", "WalletCrypto"],
    "WalletUseCases": ["WalletModel"],
    "WalletStorage": ["CSQLite", "WalletCrypto", "WalletPlatform", "WalletModel"],
    "WalletTransport": ["CCurl", "WalletProtocol", "WalletPlatform", "WalletModel"],
    "WalletConfiguration": core, "WalletAccount": core, "WalletProofing": core,
    "WalletRuntime": core.union([
      "WalletConfiguration", "WalletAccount", "WalletProofing", "WalletUseCases",
    ]),
    "wallet_core": [
      "CWalletCore", "WalletRuntime", "WalletPlatform", "WalletCrypto", "WalletModel",
    ],
    "wallet_core_testing": ["CWalletCore", "WalletPlatform"],
    // Sealed boxes are libsodium's.
    "WalletProvider": ["WalletProtocol", "CSodium"],
    "WalletProviderSQLite": ["WalletProvider"],
    "WalletProviderPostgreSQL": ["WalletProvider", "CPostgreSQL"],
    // Enrolment codes are shown as images.
    "WalletProviderServer": ["WalletProvider", "WalletProtocol", "CQRencode", "CPNG"],
    // Which store it is says one place for both programs.
    "WalletProviderStores": [
      "WalletProviderServer", "WalletProvider", "WalletProviderSQLite", "WalletProviderPostgreSQL",
      "WalletProtocol",
    ],
    "wallet-provider": ["WalletProviderServer", "WalletProvider", "WalletProviderStores"],
    // The provider with levers for tests: it also sets the clock, so it knows the messages.
    "wallet-provider-testing": [
      "WalletProviderServer", "WalletProvider", "WalletProviderStores", "WalletProtocol",
    ],
    // What tests share: the deadline of their waits.
    "CTestPatience": [], "TestSupport": ["CTestPatience"],
    // Programs of the tests: a wallet's side of the protocol, and the least that the server's costs.
    "ProtocolByHand": core,
    "provider-load": core.union(["ProtocolByHand", "WalletProvider", "CSQLite", "TestSupport"]),
  ]

  private struct Package: Decodable {
    struct Target: Decodable {
      let name, type: String
      let dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      /// The name comes first; conditions and packages after it.
      let byName, target: [String?]?

      private enum CodingKeys: String, CodingKey { case byName, target }

      init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        byName = try? members.decode([String?].self, forKey: .byName)
        target = try? members.decode([String?].self, forKey: .target)
      }

      var name: String? { (byName ?? target)?.first ?? nil }
    }

    let targets: [Target]
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func readPackage() throws -> Package {
    // In a directory of its own: SwiftPM locks the one of the test run, which is ours.
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", Self.root.path, "--scratch-path", scratch.path,
      "dump-package",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
    return try JSONDecoder().decode(Package.self, from: data)
  }

  /// All Swift files below Sources, by room.
  private func sources() throws -> [(room: String, file: String, text: String)] {
    let sources = Self.root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    XCTAssertGreaterThan(paths.count, 30)
    return try paths.sorted().map { path in
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      return (String(path.prefix { $0 != "/" }), path, text)
    }
  }

  /// The module that a line imports; nil for other lines.
  private func importedModule(_ line: Substring) -> String? {
    var words = line.split(separator: " ").map(String.init)
    guard let position = words.firstIndex(of: "import"),
      words[..<position].allSatisfy({
        $0.hasPrefix("@")
          || ["public", "package", "internal", "fileprivate", "private"].contains($0)
      })
    else { return nil }
    words.removeFirst(position + 1)
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
    return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
  }

  func testEachRoomDependsOnlyOnTheRoomsThatTheTableAllows() throws {
    let targets = try readPackage().targets.filter { $0.type != "test" && $0.type != "plugin" }
    XCTAssertGreaterThan(targets.count, 15)
    for target in targets {
      guard let allowed = Self.table[target.name] else {
        XCTFail("\(target.name) is not in the table")
        continue
      }
      let ours = Set(target.dependencies.compactMap(\.name)).intersection(Self.table.keys)
      XCTAssertEqual(ours.subtracting(allowed), [], "\(target.name) must not depend on these")
    }
  }

  func testNoRoomDependsOnItselfThroughOthersAndNobodyOnTheFrontDoor() {
    var settled: Set<String> = []
    var rest = Set(Self.table.keys)
    while let next = rest.first(where: { name in
      (Self.table[name] ?? []).intersection(Self.table.keys).isSubset(of: settled)
    }) {
      settled.insert(next)
      rest.remove(next)
    }
    XCTAssertEqual(rest, [], "these form a circle")
    XCTAssertFalse(Self.table.values.contains { $0.contains("wallet_core") })
  }

  func testEveryImportOfOurOwnIsInTheTable() throws {
    for (room, file, text) in try sources() {
      let allowed = try XCTUnwrap(Self.table[room], "\(room) is not in the table")
      for line in text.split(separator: "\n") {
        guard let module = importedModule(line), Self.table[module] != nil else { continue }
        XCTAssertTrue(allowed.contains(module), "\(file) must not import \(module)")
      }
    }
  }

  func testTheCoreImportsNoFoundationAndNoNetworkLibrary() throws {
    let core = Self.table.keys.filter {
      !$0.hasPrefix("WalletProvider") && !$0.hasPrefix("wallet-provider")
    }
    let banned: Set = [
      "FoundationNetworking", "FoundationInternationalization", "Dispatch", "GRDB",
    ]
    for (room, file, text) in try sources() where core.contains(room) {
      let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      for (index, line) in lines.enumerated() {
        guard let module = importedModule(line) else { continue }
        XCTAssertFalse(banned.contains(module), "\(file) imports \(module)")
        // Foundation stands only where there is no FoundationEssentials.
        let isFallback = index > 0 && lines[index - 1] == "#else"
        XCTAssertFalse(module == "Foundation" && !isFallback, "\(file) imports Foundation")
      }
    }
  }

  func testNoSourceFileIsLongOrTrapsOnPurpose() throws {
    let traps = ["try!", "fatalError(", "as!", "preconditionFailure(", "@preconcurrency import"]
    for (_, file, text) in try sources() {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      XCTAssertLessThanOrEqual(lines.count, 400, file)
      for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for trap in traps { XCTAssertFalse(line.contains(trap), "\(file): \(line)") }
      }
    }
  }
}
