import Foundation
import XCTest

/// Holds the sources and the architecture article against the manifest, which alone says which
/// module may import which.
final class ArchitectureTests: XCTestCase {
  private struct Package: Decodable {
    struct Target: Decodable {
      let name, type: String
      let path: String?
      let dependencies: [Dependency]

      /// Whether it lies under Sources, as those without a path of their own do that are no tests.
      var isInSources: Bool { type != "test" && (path ?? "Include") == "Include" }
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

  private static let article = root.appendingPathComponent(
    "Sources/wallet_core/wallet_core.docc/architecture.md")

  /// The table of the article that is made from the manifest begins and ends with these lines.
  private static let tableBegins = "<!-- imports: from Package.swift, by `make flows` -->\n"
  private static let tableEnds = "<!-- end of imports -->\n"

  /// Whether a target belongs to the provider or its evaluator. All others ship in the library.
  private static func isServer(_ target: String) -> Bool {
    [
      "WalletProvider", "wallet-provider", "WalletEvaluator", "WalletAttempts", "WalletSignatures",
      "WalletSQLite",
    ].contains { target.hasPrefix($0) }
  }

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

  /// The targets of the manifest that ship, and the modules of this package that each depends on.
  private func dependencies() throws -> [String: Set<String>] {
    let targets = try readPackage().targets
    let own = Set(targets.map(\.name))
    let shipped = targets.filter(\.isInSources)
    XCTAssertGreaterThan(shipped.count, 20)
    return Dictionary(
      uniqueKeysWithValues: shipped.map {
        ($0.name, own.intersection($0.dependencies.compactMap(\.name)))
      })
  }

  /// A target with all modules that it depends on, directly or through others.
  private func reachable(
    from target: String, in dependencies: [String: Set<String>]
  ) -> Set<String> {
    (dependencies[target] ?? []).reduce(into: [target]) {
      $0.formUnion(reachable(from: $1, in: dependencies))
    }
  }

  /// The lines of a section of the article.
  private func section(_ heading: String) throws -> [Substring] {
    let lines = try String(contentsOf: Self.article, encoding: .utf8).split(separator: "\n")
    let start = try XCTUnwrap(lines.firstIndex { $0 == "## \(heading)" }, heading)
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
  }

  /// All Swift files of the targets below Sources.
  private func sources() throws -> [(target: String, file: String, text: String)] {
    let sources = Self.root.appendingPathComponent("Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      // The bindings are packages of their own.
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Bindings/") }
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
    let module = words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
    // A second module map of the same target.
    return module == "CWalletCoreTesting" ? "CWalletCore" : module
  }

  func testASourceFileImportsOnlyTheDependenciesOfItsTarget() throws {
    let dependencies = try dependencies()
    for (target, file, text) in try sources() {
      let allowed = try XCTUnwrap(dependencies[target], "\(target) is not in the manifest")
      for line in text.split(separator: "\n") {
        guard let module = importedModule(line), dependencies[module] != nil else { continue }
        XCTAssertTrue(allowed.contains(module), "\(file) must not import \(module)")
      }
    }
  }

  func testEachDependencyOfATargetIsImported() throws {
    let sources = try sources()
    for (target, allowed) in try dependencies() where !allowed.isEmpty {
      let imported = sources.filter { $0.target == target }
        .flatMap { $0.text.split(separator: "\n").compactMap(importedModule) }
      XCTAssertEqual(allowed.subtracting(imported), [], "\(target) does not need these")
    }
  }

  func testTheEvaluatorImportsNothingOfTheProviderOrTheCore() throws {
    let dependencies = try dependencies()
    for module in ["WalletEvaluator", "WalletEvaluatorSQLite"] {
      XCTAssertEqual(
        reachable(from: module, in: dependencies).filter { !$0.hasPrefix("C") }
          .subtracting(["WalletEvaluator", "WalletEvaluatorSQLite", "WalletSQLite"]),
        ["WalletProtocol", "WalletAttempts", "WalletOPRF", "WalletSignatures"], module)
    }
  }

  func testTheCoreAndTheProviderShareMessagesCardsCertificatesAndTheFunctionOfThePinAlone() throws {
    let dependencies = try dependencies()
    let core = reachable(from: "wallet_core", in: dependencies)
    let provider = reachable(from: "wallet-provider", in: dependencies)
    XCTAssertEqual(
      core.intersection(provider).filter { !$0.hasPrefix("C") }.subtracting(["WalletSystem"]),
      ["WalletProtocol", "WalletOPRF", "WalletJOSE", "WalletCredentials", "WalletTrust"])
    XCTAssertEqual(dependencies.filter { $0.value.contains("wallet_core") }.map(\.key), [])
  }

  func testTheTableOfImportsInTheArticleIsThatOfTheManifest() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let begin = try XCTUnwrap(text.range(of: Self.tableBegins))
    let end = try XCTUnwrap(text.range(of: Self.tableEnds))
    let order = try readPackage().targets.map(\.name)
    let dependencies = try dependencies()
    let rows = order.filter { dependencies[$0] != nil && !$0.hasPrefix("C") }.map { name in
      let allowed = (dependencies[name] ?? []).sorted { left, right in
        (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
      }
      let list = allowed.map { "`\($0)`" }.joined(separator: ", ")
      return "| `\(name)` | \(list.isEmpty ? "none" : list) |\n"
    }
    let table = "\n| module | may import |\n|---|---|\n" + rows.joined() + "\n"
    if ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil {
      let written = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
      try written.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    XCTAssertEqual(String(text[begin.upperBound..<end.lowerBound]), table, "run `make flows`")
  }

  func testEachArrowOfTheDiagramOfModulesIsADependency() throws {
    let dependencies = try dependencies()
    let lines = try section("The modules")
    let node = #/^ *(\w+)\["([\w-]+)/#
    var modules: [String: String] = [:]
    for line in lines {
      guard let match = line.firstMatch(of: node) else { continue }
      modules[String(match.1)] = String(match.2)
    }
    let groups = lines.filter { $0.contains("-->") }.map { line in
      line.components(separatedBy: "-->").map { names in
        names.components(separatedBy: "&").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
    XCTAssertGreaterThan(groups.count, 5)
    for (left, right) in groups.flatMap({ zip($0, $0.dropFirst()) }) {
      for source in left {
        let module = try XCTUnwrap(modules[source], "\(source) is not in the diagram")
        let imported = reachable(from: module, in: dependencies)
        for target in right {
          let name = try XCTUnwrap(modules[target], "\(target) is not in the diagram")
          XCTAssertTrue(imported.contains(name), "\(module) does not import \(name)")
        }
      }
    }
  }

  func testTheArticleSaysTheTaskOfEachModule() throws {
    let rows = try section("The modules").filter { $0.hasPrefix("| `") }
    let named = rows.compactMap { $0.split(separator: "|").first }
      .flatMap { $0.matches(of: #/`([\w-]+)`/#).map { String($0.1) } }
    let modules = try dependencies().keys.filter { !$0.hasPrefix("C") }
    XCTAssertEqual(named.sorted(), modules.sorted())
  }

  func testNoTwoModulesHaveATypeOfOneName() throws {
    let declaration = #/^([a-z@(): ]*)\b(?:struct|enum|class|actor|protocol|typealias) (\w+)/#
    var modules: [String: Set<String>] = [:]
    for (target, _, text) in try sources() {
      for line in text.split(separator: "\n") {
        guard let match = line.firstMatch(of: declaration), !match.1.hasPrefix(" "),
          !match.1.contains("private")
        else { continue }
        modules[String(match.2), default: []].insert(target)
      }
    }
    XCTAssertGreaterThan(modules.count, 500)
    for (name, owners) in modules {
      XCTAssertEqual(owners.count, 1, "\(name) is in \(owners.sorted().joined(separator: ", "))")
    }
  }

  func testAFileNamedAfterAnExtensionHasIt() throws {
    for (_, file, text) in try sources() {
      let name = file.split(separator: "/").last ?? ""
      // The functions of the header are not members of a type.
      guard let plus = name.firstIndex(of: "+"), !name.hasPrefix("Exports+") else { continue }
      XCTAssertTrue(text.contains("extension \(name[..<plus])"), file)
    }
  }

  func testTheArticleNamesTheFoldersOfEachModule() throws {
    var named: [String: Set<String>] = [:]
    var module = ""
    for line in try section("Folders of the large modules") {
      if line.hasPrefix("### ") { module = String(line.dropFirst(4)) }
      guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      named[module, default: []].formUnion(cell.matches(of: #/`(\w+)`/#).map { String($0.1) })
    }
    var present: [String: Set<String>] = [:]
    for (target, file, _) in try sources() {
      let parts = file.split(separator: "/")
      if parts.count > 2 { present[target, default: []].insert(String(parts[1])) }
    }
    XCTAssertEqual(named, present)
  }

  func testTheCoreImportsNoFoundationAndNoNetworkLibrary() throws {
    let banned: Set = [
      "FoundationNetworking", "FoundationInternationalization", "Dispatch", "GRDB",
    ]
    for (target, file, text) in try sources() where !Self.isServer(target) {
      let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
      for (index, line) in lines.enumerated() {
        guard let module = importedModule(line) else { continue }
        XCTAssertFalse(banned.contains(module), "\(file) imports \(module)")
        // Foundation may be imported only in the `#else` branch, where FoundationEssentials does
        // not exist.
        let isFallback = index > 0 && lines[index - 1] == "#else"
        XCTAssertFalse(module == "Foundation" && !isFallback, "\(file) imports Foundation")
      }
    }
  }

  /// Whether a source declares a function, a case or a closure of this name.
  private func declares(_ name: String, in text: String) -> Bool {
    ["func \(name)(", "case \(name)(", " \(name): (", " \(name): @"].contains {
      text.contains($0)
    }
  }

  func testOnlyWalletSystemCallsTheOperatingSystem() throws {
    let banned: Set = ["Glibc", "Musl", "Darwin", "Android", "Bionic", "CPosix"]
    // Foundation and modules of C libraries bring these along.
    let calls = try Regex(
      "(^|[^.a-zA-Z_])(getenv|setenv|unsetenv|getpid|geteuid|kill|isatty|umask|fcntl|fsync|flock|openat"
        + "|fstat|unlink|mkdir|strerror|sysconf|getrlimit|setrlimit|dlopen|dlsym|atexit|clock_gettime"
        + "|pthread_[a-z_]+|inet_pton|strdup|memset|memcpy|strlen|strcmp|malloc|usleep)[(]")
    // Functions in Swift may have these names too.
    let ambiguousCalls =
      #/(?:^|[^.a-zA-Z_])(open|close|read|write|stat|rename|time|signal|socket)[(]/#
    let sources = try sources()
    let texts = Dictionary(grouping: sources) { $0.target }
      .mapValues { files in files.map { $0.text }.joined() }
    var declarations: [String: Bool] = [:]
    for (target, file, text) in sources where target != "WalletSystem" {
      for line in text.split(separator: "\n") {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { continue }
        if let module = importedModule(line) {
          XCTAssertFalse(banned.contains(module), "\(file) imports \(module)")
        }
        XCTAssertNil(line.firstMatch(of: calls), "\(file): \(line)")
        guard let name = line.firstMatch(of: ambiguousCalls).map({ String($0.1) }) else { continue }
        let key = "\(target) \(name)"
        let isDeclared = declarations[key] ?? declares(name, in: texts[target] ?? "")
        declarations[key] = isDeclared
        XCTAssertTrue(isDeclared, "\(file): \(line)")
      }
    }
  }

  /// A monitor postpones the release of secrets; another lock would be held meanwhile.
  func testTheMonitorIsTheOnlyLockOfTheCore() throws {
    let locks = ["LockCondition(", "Mutex(", "Mutex<", "NSLock", "NSRecursiveLock"]
    // The clock of tests holds a time only.
    let allowed = ["WalletPlatform/Monitor.swift", "WalletPlatform/BootClock.swift"]
    for (target, file, text) in try sources()
    where !Self.isServer(target) && target != "WalletSystem" && !allowed.contains(file) {
      for lock in locks { XCTAssertFalse(text.contains(lock), "\(file): \(lock)") }
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
