import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Several engines make requests of every kind at once, while the wallet is locked and wiped and the
/// network is slow and broken. Every request ends exactly once with one of its statuses, no thread
/// meets another in the store, and a wipe leaves nothing.
///
/// WALLET_CORE_STRESS_ROUNDS sets the length, WALLET_CORE_STRESS_SEED the seed.
final class RequestStressTests: MiddleTestCase {
  private static let pin = Array("142032".utf8)

  private var rounds: Int {
    let rounds = ProcessInfo.processInfo.environment["WALLET_CORE_STRESS_ROUNDS"].flatMap(Int.init)
    return max(400, rounds ?? 0)
  }

  /// One engine with its own client, used by one thread.
  private final class Engine: @unchecked Sendable {
    // Sendable: used only by the thread that runs it, and after that by the test.
    let client: wallet_core_client
    private let hasPin: Bool
    private var random: SeededGenerator
    private(set) var faults: [String] = []
    private(set) var ended: [String: Int] = [:]
    private var open: [UInt64: String] = [:]

    init(client: wallet_core_client, hasPin: Bool, seed: UInt64) {
      self.client = client
      self.hasPin = hasPin
      random = SeededGenerator(seed: seed)
    }

    /// The statuses that a request may end with.
    private static let statuses: Set<wallet_core_status> = Set(
      [
        0, WALLET_CORE_ERROR_CANCELLED, WALLET_CORE_ERROR_LOCKED,
        WALLET_CORE_ERROR_NOT_REGISTERED, WALLET_CORE_ERROR_ALREADY_REGISTERED,
        WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED, WALLET_CORE_ERROR_BIOMETRICS_FAILED,
        WALLET_CORE_ERROR_CARD_UNKNOWN, WALLET_CORE_ERROR_SERVER_UNREACHABLE,
        WALLET_CORE_ERROR_NO_INTERNET, WALLET_CORE_ERROR_SERVER_REFUSED,
        WALLET_CORE_ERROR_ACCOUNT_DIVERGED,
      ])

    func run(_ rounds: Int) {
      for _ in 0..<rounds {
        act()
        while open.count > 6 { take() }
      }
      while !open.isEmpty, faults.count < 5 { take() }
    }

    private func act() {
      var request: UInt64 = 0
      let pin = RequestStressTests.pin
      let (name, status): (String, wallet_core_status)
      // One engine alone has the PIN, because each request with it ends the prompts before it.
      switch Int.random(in: hasPin ? 0..<1000 : 350..<1000, using: &random) {
      case 0..<200: (name, status) = ("unlock", wallet_core_unlock(client, pin, 6, &request, nil))
      case 200..<240:
        (name, status) = ("check", wallet_core_check_pin(client, pin, 6, &request, nil))
      case 240..<270: (name, status) = ("present", present(&request))
      case 270..<350:
        while !open.isEmpty, faults.isEmpty { take() }
        (name, status) = (
          "enable", wallet_core_enable_biometric_unlock(client, pin, 6, &request, nil)
        )
        if status == 0 { open[request] = name }
        while !open.isEmpty, faults.isEmpty { take() }
        request = 0
      case 350..<650: (name, status) = ("cards", wallet_core_cards(client, &request, nil))
      case 650..<830:
        (name, status) = ("finger", wallet_core_unlock_with_biometrics(client, &request, nil))
      case 830..<850:
        (name, status) = ("disable", wallet_core_disable_biometric_unlock(client, &request, nil))
      case 850..<920:
        (name, status) = ("register", wallet_core_register(client, pin, 6, &request, nil))
      case 920..<930: (name, status) = ("wipe", wallet_core_wipe(client, &request, nil))
      case 930..<950: (name, status) = ("lock", wallet_core_lock(nil))
      case 950..<980:
        let event =
          Bool.random(using: &random)
          ? WALLET_CORE_LIFECYCLE_BACKGROUND : WALLET_CORE_LIFECYCLE_FOREGROUND
        (name, status) = ("lifecycle", wallet_core_notify_lifecycle(event, nil))
      default:
        (name, status) = (
          "cancel", wallet_core_cancel(client, open.keys.randomElement(using: &random) ?? 0, nil)
        )
      }
      if !Self.statuses.contains(status) { faults.append("\(name) returned \(status)") }
      if status == 0, request != 0 { open[request] = name }
    }

    private func present(_ request: inout UInt64) -> wallet_core_status {
      "pid".withCString { card in
        var selection = wallet_core_card_selection()
        selection.struct_size = MemoryLayout.size(ofValue: selection)
        selection.card = card
        return withUnsafePointer(to: selection) { selection in
          wallet_core_present(
            client, [selection], 1, "n", "a", RequestStressTests.pin, 6, &request, nil)
        }
      }
    }

    /// Takes one event.
    private func take() {
      var event: OpaquePointer?
      let status = wallet_core_client_next_event(client, Patience.milliseconds, &event, nil)
      guard status == 0, let event else {
        faults.append("next_event: \(status), open: \(open.values.sorted())")
        return open = [:]
      }
      defer { wallet_core_event_free(event) }
      let request = wallet_core_event_request(event)
      guard request != 0 else { return }
      guard let name = open.removeValue(forKey: request) else {
        return faults.append("a second completion")
      }
      let completion = Completion(event)
      ended["\(name) \(completion.name)", default: 0] += 1
      if !Self.statuses.contains(completion.status) {
        faults.append("\(name) ended in \(completion)")
      }
    }
  }

  func testEveryRequestUnderStressEndsOnceAndAWipeLeavesNothing() throws {
    try host.start()
    XCTAssertEqual(try host.register("142032"), .done)
    breakTheNetwork()
    let seed = Sample.stressSeed
    let engines = try (0..<3).map { number -> Engine in
      var client: wallet_core_client = 0
      guard wallet_core_client_attach("stress-\(number)", 0, &client, nil) == WALLET_CORE_OK else {
        throw TestFailure("attach")
      }
      return Engine(client: client, hasPin: number == 0, seed: seed &+ UInt64(number))
    }
    let group = DispatchGroup()
    let rounds = rounds
    for engine in engines {
      group.enter()
      Thread.detachNewThread {
        engine.run(rounds)
        group.leave()
      }
    }
    group.wait()
    XCTAssertEqual(engines.flatMap(\.faults), [], "seed \(seed)")
    let ended = engines.reduce(into: [:]) { $0.merge($1.ended) { $0 + $1 } }
    for name in ["unlock OK", "cards OK", "finger OK", "enable OK", "wipe OK", "register OK"] {
      XCTAssertGreaterThan(ended[name] ?? 0, 0, "\(name), seed \(seed)")
    }
    for engine in engines {
      XCTAssertEqual(wallet_core_client_detach(engine.client, nil), WALLET_CORE_OK)
    }
    try assertAWipeLeavesNothing()
    print("stress: seed \(seed), \(ended.sorted { $0.key < $1.key })")
  }

  /// Slow answers, lost ones and failures, in a fixed rotation.
  private func breakTheNetwork() {
    let count = Counter()
    middle.answer { _ in
      let number = count.next()
      usleep(UInt32(number % 7) * 4_000)
      if number % 41 == 0 { return [] }
      return number % 29 == 0 ? ManInTheMiddle.http(503, "{}") : nil
    }
  }

  private final class Counter: @unchecked Sendable {
    // Sendable: `value` is touched only with `lock` held.
    private let lock = NSLock()
    private var value = 0

    func next() -> Int {
      lock.withLock {
        value += 1
        return value
      }
    }
  }

  private func assertAWipeLeavesNothing() throws {
    middle.answer(with: nil)
    XCTAssertEqual(
      wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_FOREGROUND, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertTrue(eventually { host.keys.keyCount == 0 }, "\(host.keys.keyCount) keys are left")
    let files = try FileManager.default.contentsOfDirectory(atPath: host.storage.path)
    XCTAssertEqual(files.filter { $0.hasPrefix("wallet.db") || $0 == "wipe.json" }, [])
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try host.cards().get(), [])
    XCTAssertEqual(try host.enableBiometrics("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }
}
