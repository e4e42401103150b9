import Foundation
import Synchronization
import WalletAttempts
import WalletEvaluatorSQLite
import WalletProtocol
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// An evaluator whose process is killed between a request and its answer. After the restart the same
/// bytes get one answer, an attempt is counted once, and nobody is suspected.
final class KilledEvaluatorTests: EvaluatorTestCase {
  /// Acts as the evaluator of another test, in a process of its own.
  func testAProcessThatIsNotKilledAnswers() async throws {
    if let order = EvaluatorHost.order { try await EvaluatorHost.carryOut(order) }
    let wallet = TestWallet()
    let key = try await evaluator().adopted(wallet)
    let request = EvaluatorRequest.evaluate(
      request: try wallet.challenge(for: .checkPin, key: key, blinded: try TestWallet.blinded()))
    let answer = try host(request).run()
    XCTAssertEqual(try answer?.standing.attempts, 1)
    let again = try await evaluator().answer(request)
    XCTAssertEqual(again, answer)
  }

  private func host(_ request: EvaluatorRequest, dies: KillPoint? = nil) -> EvaluatorHost {
    EvaluatorHost(
      directory: directory, secret: secret, now: clock.now, request: request, dies: dies)
  }

  /// Sends `request` to an evaluator that is killed, and then again to two others.
  ///
  /// - Returns: The answer after the kill.
  private func answer(
    _ request: EvaluatorRequest, dying point: KillPoint, line: UInt = #line
  ) async throws -> EvaluatorAnswer {
    let lost = try host(request, dies: point).run()
    XCTAssertNil(lost, "\(point)", line: line)
    let first = try await evaluator().answer(request)
    let second = try await evaluator().answer(request)
    XCTAssertEqual(second, first, "\(point)", line: line)
    XCTAssertEqual(findings(), [], "\(point)", line: line)
    return first
  }

  /// The attempts so far, as the rows say.
  private func count(_ wallet: TestWallet, _ key: String) async throws -> UInt64 {
    try await evaluator().countNow(wallet, key)
  }

  func testAnAttemptIsCountedOnceWhereverItsEvaluatorIsKilled() async throws {
    for point in KillPoint.allCases {
      for before in [0, 3, 12, 15] as [UInt64] where point != .afterLastRound || before > 3 {
        let wallet = TestWallet()
        let key = try await evaluator().adopted(wallet)
        for _ in 0..<before {
          _ = try await evaluator().attempt(wallet, key)
          clock.advance(3_600_000)
        }
        let request = EvaluatorRequest.evaluate(
          request: try wallet.challenge(
            for: .checkPin, key: key, blinded: try TestWallet.blinded()))
        let answer = try await answer(request, dying: point)
        XCTAssertEqual(try answer.standing.attempts, before + 1, "\(point)")
        XCTAssertEqual(try answer.standing.isBlockedPermanently, before == 15, "\(point)")
      }
    }
  }

  func testARightPinIsProvenWhereverItsEvaluatorIsKilled() async throws {
    for point in KillPoint.allCases {
      for newBlinded in [nil, try TestWallet.blinded()] {
        let wallet = TestWallet()
        let first = try evaluator()
        let key = try await first.adopted(wallet)
        for _ in 1...13 {
          _ = try await first.attempt(wallet, key)
          clock.advance(3_600_000)
        }
        let made = try await first.begun(wallet, key)
        let message = try wallet.message(
          newBlinded == nil ? .checkPin : .beginPinChange, evaluation: made.half.evaluation,
          blinded: made.blinded, newBlinded: newBlinded)
        let answer = try await answer(.prove(key: key, message: message), dying: point)
        XCTAssertEqual(try answer.standing.attempts, 0, "\(point)")
        if newBlinded != nil { XCTAssertNotNil(try answer.next.grant) }
        let count = try await count(wallet, key)
        XCTAssertEqual(count, 0, "\(point)")
      }
    }
  }

  func testAKeyIsAdoptedWhereverItsEvaluatorIsKilled() async throws {
    for point in KillPoint.ofEachChange {
      let wallet = TestWallet()
      let made = try await evaluator().opened(wallet)
      let message = try wallet.message(
        .register, evaluation: made.half.evaluation, blinded: made.blinded)
      let answer = try await answer(
        .adopt(
          key: made.half.key,
          adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)),
        dying: point)
      assertAdopted(answer, "\(point)")
      let count = try await count(wallet, made.half.key)
      XCTAssertEqual(count, 0, "\(point)")
    }
  }

  func testANewKeyIsAdoptedAndCommittedWhereverItsEvaluatorIsKilled() async throws {
    let newPin = TestPinKey()
    for point in KillPoint.ofEachChange {
      let wallet = TestWallet()
      let first = try evaluator()
      let key = try await first.adopted(wallet)
      _ = try await first.attempt(wallet, key)
      let attempt = try await first.begun(wallet, key)
      let blinded = try TestWallet.blinded()
      let next = try await first.proven(wallet, attempt, newBlinded: blinded)
      let made = TestWallet.Made(blinded: blinded, half: try next.next)
      _ = try await first.attempt(wallet, key)
      let adopted = try await answer(
        .adopt(
          key: made.half.key,
          adoption: try wallet.change(to: newPin, made)), dying: point)
      assertAdopted(adopted, "\(point)")
      let committed = try await answer(.commit(key: made.half.key), dying: point)
      XCTAssertEqual(committed, .done, "\(point)")
      let former = try await evaluator().attempt(wallet, key)
      XCTAssertEqual(former, .unknownKey, "\(point)")
      let count = try await count(wallet, made.half.key)
      XCTAssertEqual(count, 1, "\(point)")
    }
  }

  /// The answer was lost with the process; another opening is another key.
  func testAKeyIsOpenedAndDeletedWhereverItsEvaluatorIsKilled() async throws {
    for point in KillPoint.ofEachChange {
      let wallet = TestWallet()
      let opened = try await answer(
        .open(request: try wallet.registration(try TestWallet.blinded())), dying: point)
      let key = try opened.evaluation.key
      let deleted = try await answer(.delete(key: key), dying: point)
      XCTAssertEqual(deleted, .done, "\(point)")
      let unknown = try await evaluator().attempt(wallet, key)
      XCTAssertEqual(unknown, .unknownKey, "\(point)")
    }
  }

  /// One kill after another, each before anything was committed.
  func testKillsInARowLoseNothing() async throws {
    var requests: [EvaluatorRequest] = []
    for _ in 1...3 {
      let wallet = TestWallet()
      let key = try await evaluator().adopted(wallet)
      requests.append(
        .evaluate(
          request: try wallet.challenge(
            for: .checkPin, key: key, blinded: try TestWallet.blinded())))
    }
    for request in requests { XCTAssertNil(try host(request, dies: .afterRecord).run()) }
    for request in requests {
      let first = try await evaluator().answer(request)
      XCTAssertEqual(try first.standing.attempts, 1)
    }
    XCTAssertEqual(findings(), [])
  }
}

/// Where an evaluator is killed.
private enum KillPoint: String, Codable, CaseIterable {
  case beforeWork, beforeRecord, amidRecord, afterRecord, afterCommit
  /// Only of what changes the count of a last round.
  case afterLastRound

  /// Those that each change passes.
  static let ofEachChange = allCases.filter { $0 != .afterLastRound }
}

/// An evaluator in a process that may be killed. The process is this test bundle, started with
/// `KilledEvaluatorTests`, which then acts as the evaluator.
private struct EvaluatorHost: Codable {
  let directory: String
  let secret: [UInt8]
  let now: Int64
  let request: EvaluatorRequest
  let dies: KillPoint?

  private static let variable = "WALLET_CORE_TESTS_EVALUATOR_HOST"
  private static let mark = "evaluator-host: "

  /// Runs the process to its end.
  ///
  /// - Returns: Its answer; nil if it was killed.
  func run() throws -> EvaluatorAnswer? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "WalletEvaluatorTests.KilledEvaluatorTests/testAProcessThatIsNotKilledAnswers"
    ]
    var environment = ProcessInfo.processInfo.environment
    environment[Self.variable] = String(decoding: try WireJSON.encode(self), as: UTF8.self)
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL {
      return nil
    }
    let line = try XCTUnwrap(
      text.split(separator: "\n").last { $0.hasPrefix(Self.mark) }, "\(text.suffix(2000))")
    return try WireJSON.decode(
      EvaluatorAnswer.self, from: Array(line.dropFirst(Self.mark.count).utf8))
  }

  // MARK: In the process

  /// The order, in a process that was started as an evaluator.
  static var order: EvaluatorHost? {
    ProcessInfo.processInfo.environment[variable].flatMap {
      try? WireJSON.decode(EvaluatorHost.self, from: Array($0.utf8))
    }
  }

  /// Acts as the evaluator and ends the process.
  static func carryOut(_ order: EvaluatorHost) async throws -> Never {
    let file = DyingFile(order)
    let keys = try XCTUnwrap(EvaluatorKeys(secrets: [order.secret]))
    let store = try SQLiteEvaluatorStore(
      path: order.directory + "/evaluator.sqlite", keys: keys, file: file,
      machineTime: { order.now }, report: { _ in })
    let evaluator = Evaluator(
      id: "evaluator", keys: keys, store: store, policy: AttemptPolicy.standard)
    file.arm()
    let answer = try await evaluator.answer(order.request)
    try FileHandle.standardOutput.write(
      contentsOf: Data("\n\(mark)".utf8) + Data(WireJSON.encode(answer)) + Data("\n".utf8))
    _exit(0)
  }
}

/// The record's file of a process that is killed at a point.
private final class DyingFile: RowRecordFile {
  private let inner: EvaluatorRecordFile
  private let order: EvaluatorHost
  private let isArmed = Mutex(false)

  init(_ order: EvaluatorHost) {
    self.order = order
    inner = EvaluatorRecordFile(directory: order.directory)
  }

  func arm() { isArmed.withLock { $0 = true } }

  private func pass(_ point: KillPoint) {
    guard order.dies == point, isArmed.withLock({ $0 }) else { return }
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    pass(.beforeWork)
    return try inner.locked {
      let result = try body()
      pass(.afterCommit)
      return result
    }
  }

  func read() throws -> [UInt8]? { try inner.read() }

  func readLastRounds(_ file: Int) throws -> [UInt8]? { try inner.readLastRounds(file) }

  func writeLastRounds(_ content: [UInt8], _ file: Int) throws {
    try inner.writeLastRounds(content, file)
    pass(.afterLastRound)
  }

  func write(_ content: [UInt8]) throws {
    pass(.beforeRecord)
    if order.dies == .amidRecord {
      try writeHalf(content)
      pass(.amidRecord)
    }
    try inner.write(content)
    pass(.afterRecord)
  }

  /// Leaves the file as a write that is cut off does: the slot that is not the current one has the
  /// beginning of the new content.
  private func writeHalf(_ content: [UInt8]) throws {
    let path = order.directory + "/evaluator.record"
    let former = try Data(contentsOf: URL(filePath: path))
    try inner.write(content)
    let whole = try Data(contentsOf: URL(filePath: path))
    XCTAssertEqual(whole.count, former.count)
    let changed = former.indices.filter { former[$0] != whole[$0] }
    let middle = try XCTUnwrap(changed.dropFirst(changed.count / 2).first)
    try (whole[..<middle] + former[middle...]).write(to: URL(filePath: path))
  }
}
