import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A wallet on a device whose host is a process that a test may kill. The process is this test
/// bundle, started with `KillHostTests`, which then acts as the host.
struct KillHost {
  let storage: URL
  let keys: URL
  let configuration: URL

  init(configuration: Data) throws {
    storage = try Scratch.directory("kill-storage")
    keys = try Scratch.directory("kill-keys")
    self.configuration = try Scratch.directory("kill-configuration")
      .appendingPathComponent("configuration.json")
    try configuration.write(to: self.configuration)
  }

  /// A step that the process carries out after its start.
  enum Step: Codable {
    case register(String)
    case unlock(String)
    case changePin(String, to: String)
    case wipe
    /// From now on the platform deletes no key.
    case refuseDeletion
    case enableBiometrics(String)
    case disableBiometrics
    case unlockWithBiometrics
    /// Takes the chain of Support/Chain.swift; the provider's clock is at this address.
    case walkChain(String)
    /// Launches the app, unlocks with the PIN if there is a wallet, and reports the rows.
    case launchAndUnlock(String)
    /// Starts counting crash points; the given one kills the process.
    case watch(killAt: String?)
    /// Opens the app and obtains a PID; reports the rows and the names on the cards.
    case obtainPID(ProofingWalk)
    /// Opens the app of a wallet with a PID and obtains another, by the dashboard's scanner.
    case obtainAnotherPID(ProofingWalk)
    /// Opens the app by a link of a relying party, shares what it asks for, and reports the rows and
    /// the history.
    case share(String, pin: String)
    /// Lets the library read a licence of which only the library has a plain copy, and loses the
    /// network.
    case readLicence(MaskedLicence)
    /// Waits until the update policy in force has this grade.
    case awaitGrade(wallet_core_version_grade)
    /// Waits until a crash point was passed.
    case awaitPass(String, count: Int = 1)
    /// Waits for a kill on a background thread.
    case awaitKill
  }

  /// The instructions for a process.
  struct Order: Codable {
    var storage: URL
    var keys: URL
    var configuration: URL
    var steps: [Step]
    /// The crash point that kills the process; `NAME#2` means its second pass.
    var killAt: String?
    /// No file may grow beyond this many bytes.
    var fileSizeLimit: Int?
  }

  /// What a process reports at its end.
  struct Report: Codable {
    /// The status of init.
    var start: wallet_core_status?
    /// The status of has_registration right after the start.
    var look: wallet_core_status?
    var isRegistered = false
    var isBiometric = false
    var isLocked = false
    var completions: [Completion] = []
    var passed: [String] = []
    /// How often each crash point had been passed when counting began.
    var before: [String: Int64] = [:]
    /// The rows of the steps that were shown.
    var rows: [String] = []
    /// The names on the cards at the end.
    var cards: [String] = []
    /// The results in the history at the end, the newest first.
    var activities: [String] = []
    /// Whether it died by kill -9 and so reported nothing else.
    var isKilled = false
  }

  /// Runs a host from its start to its end.
  func run(
    _ steps: Step..., killAt: String? = nil, fileSizeLimit: Int? = nil
  ) throws -> Report {
    try run(steps, killAt: killAt, fileSizeLimit: fileSizeLimit)
  }

  func run(
    _ steps: [Step], killAt: String? = nil, fileSizeLimit: Int? = nil
  ) throws -> Report {
    let order = Order(
      storage: storage, keys: keys, configuration: configuration, steps: steps, killAt: killAt,
      fileSizeLimit: fileSizeLimit)
    let process = try Self.process(for: order)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL {
      var report = Report()
      report.isKilled = true
      return report
    }
    guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(Self.mark) }),
      process.terminationReason == .exit, process.terminationStatus == 0
    else { throw TestFailure("The host ended with \(process.terminationStatus): \(text)") }
    return try JSONDecoder().decode(Report.self, from: Data(line.dropFirst(Self.mark.count).utf8))
  }

  /// A host process for `order`, not started yet.
  static func process(for order: Order) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["SystemTests.KillHostTests/testAFreshHostIsNotRegisteredAndPassesNoPoint"]
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
    process.environment = environment
    return process
  }

  /// The files of the key store; one for each platform key.
  func platformKeys() throws -> [String] {
    // A hidden file is a draft that survived the host's kill, not a key.
    try FileManager.default.contentsOfDirectory(atPath: keys.path).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// The files of the wallet itself, and wipe.json, the note of a wipe that has begun.
  func walletFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: storage.path).filter {
      $0.hasPrefix("wallet.db") || $0 == "wipe.json" || $0 == "platform-keys"
    }
  }

  /// Copies the storage directory.
  func image() throws -> URL {
    let copy = try Scratch.directory("image").appendingPathComponent("storage")
    try FileManager.default.copyItem(at: storage, to: copy)
    return copy
  }

  /// Replaces the storage directory by an earlier copy.
  func restore(_ image: URL) throws {
    try FileManager.default.removeItem(at: storage)
    try FileManager.default.copyItem(at: image, to: storage)
  }

  func remove() {
    for directory in [storage, keys, configuration.deletingLastPathComponent()] {
      try? FileManager.default.removeItem(at: directory)
    }
  }

  // MARK: In the host process

  private static let variable = "WALLET_CORE_TESTS_KILL_HOST"
  private static let mark = "kill-host: "

  /// The order, in a process that was started as a host.
  static var order: Order? {
    ProcessInfo.processInfo.environment[variable].flatMap {
      try? JSONDecoder().decode(Order.self, from: Data($0.utf8))
    }
  }

  /// Acts as the host and ends the process.
  static func carryOut(_ order: Order) throws -> Never {
    if let limit = order.fileSizeLimit {
      signal(SIGXFSZ, SIG_IGN)
      var size = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
    }
    wallet_core_testing_set_crash_point(order.killAt)
    let host = try TestHost(
      configuration: try Data(contentsOf: order.configuration), storage: order.storage,
      keys: SoftwareKeys(files: order.keys))
    var report = Report()
    _ = host.keys.connect()
    report.start = host.initialize()
    if report.start == 0 {
      try host.attach()
      var registered: Int32 = 0
      report.look = wallet_core_has_registration(&registered, nil)
      report.isRegistered = registered == 1
      report.isBiometric = host.isBiometric
      report.isLocked = host.isLocked
      for step in order.steps { try host.carryOut(step, &report) }
    }
    report.passed = KillPoints.all.flatMap { point in
      let count = wallet_core_testing_crash_point_count(point) - (report.before[point] ?? 0)
      return count < 1 ? [] : [point] + (1..<count).map { "\(point)#\($0 + 1)" }
    }
    try FileHandle.standardOutput.write(
      contentsOf: Data("\n\(mark)".utf8) + JSONEncoder().encode(report) + Data("\n".utf8))
    _exit(0)
  }
}

extension TestHost {
  fileprivate func carryOut(_ step: KillHost.Step, _ report: inout KillHost.Report) throws {
    switch step {
    case .register(let pin): report.completions.append(try register(pin))
    case .unlock(let pin): report.completions.append(try unlock(pin))
    case .changePin(let pin, to: let newPin):
      report.completions.append(try changePin(pin, to: newPin))
    case .wipe: report.completions.append(try wipe())
    case .refuseDeletion: keys.refuseDeletion(of: ["signing-", "encryption-"])
    case .enableBiometrics(let pin): report.completions.append(try enableBiometrics(pin))
    case .disableBiometrics: report.completions.append(try disableBiometrics())
    case .unlockWithBiometrics: report.completions.append(try unlockWithBiometrics())
    case .walkChain(let control):
      keys.hasBiometrics = true
      XCTAssertEqual(keys.connect(), 0)
      try Chain.walk(FlowHost(self)) { milliseconds in
        _ = try TestProvider.control(control, "/clock", ["advance_ms": milliseconds])
      }
    case .launchAndUnlock(let pin):
      keys.prompts.expect(.refused(WALLET_CORE_BRIDGE_CANCELLED_BY_USER))
      let flow = FlowHost(self)
      try flow.launch()
      report.rows.append(try flow.next().row)
      guard report.rows.last == "UC2.3 1.3" else { return }
      flow.enter(pin)
      report.rows.append(try flow.next().row)
    case .watch(let point):
      for point in KillPoints.all {
        report.before[point] = wallet_core_testing_crash_point_count(point)
      }
      wallet_core_testing_set_crash_point(point)
    case .obtainPID(let walk):
      // As after a start; a registration before it has left the wallet unlocked.
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      let flow = FlowHost(self)
      flow.open()
      report.rows += try walk.finish(flow)
      report.cards = try cards().get().compactMap { $0.claims["family_name"] }
    case .obtainAnotherPID(let walk):
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      let flow = FlowHost(self)
      flow.open()
      report.rows += try walk.finish(flow)
      try flow.obtainAnotherPID(walk.applicant, walk.link)
      report.cards = try cards().get().compactMap { $0.claims["family_name"] }
    case .share(let link, let pin):
      let flow = FlowHost(self)
      report.rows += try flow.share(link, pin: pin)
      report.activities = try activities()
    case .readLicence(let licence): try licence.read(FlowHost(self))
    case .awaitGrade(let grade):
      wallet_core_event_free(try nextEvent { wallet_core_event_version_grade($0) == grade })
    case .awaitPass(let point, let count):
      _ = eventually { wallet_core_testing_crash_point_count(point) >= count }
    case .awaitKill: wallet_core_event_free(try nextEvent { _ in false })
    }
  }
}

final class KillHostTests: XCTestCase {
  func testAFreshHostIsNotRegisteredAndPassesNoPoint() throws {
    if let order = KillHost.order { try KillHost.carryOut(order) }
    let provider = try TestProvider()
    let host = try KillHost(configuration: provider.clientConfiguration())
    defer { host.remove() }
    provider.kill()
    let report = try host.run()
    XCTAssertEqual(report.start, 0)
    XCTAssertEqual(report.look, 0)
    XCTAssertFalse(report.isRegistered)
    XCTAssertTrue(report.isLocked)
    XCTAssertEqual(report.passed, [])
    XCTAssertEqual(try host.platformKeys(), [])
  }
}
