import Foundation
import Synchronization
import WalletAttempts
import WalletEvaluatorSQLite
import WalletOPRF
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// A clock that only the test moves.
final class TestClock: Sendable {
  private let time = Mutex<Int64>(1_700_000_000_000)

  var now: Int64 { time.withLock { $0 } }

  func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}

/// What evaluators have reported.
private final class Findings: Sendable {
  private let all = Mutex<[EvaluatorFinding]>([])

  @Sendable func add(_ finding: EvaluatorFinding) { all.withLock { $0.append(finding) } }

  func taken() -> [EvaluatorFinding] {
    all.withLock { findings in
      defer { findings = [] }
      return findings
    }
  }
}

/// A case with an evaluator in a temporary directory.
class EvaluatorTestCase: XCTestCase {
  private(set) var directory = ""
  let clock = TestClock()
  let secret = SecureRandom.bytes(32)
  private let reported = Findings()

  override func setUpWithError() throws {
    directory = NSTemporaryDirectory() + "evaluator-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(atPath: directory)
  }

  /// The findings that were reported since the last call.
  func findings() -> [EvaluatorFinding] { reported.taken() }

  var record: String { directory + "/evaluator.record" }
  var database: String { directory + "/evaluator.sqlite" }

  func keys() throws -> EvaluatorKeys { try XCTUnwrap(EvaluatorKeys(secrets: [secret])) }

  func evaluator(
    policy: AttemptPolicy = .standard, keys given: EvaluatorKeys? = nil,
    file: (any RowRecordFile)? = nil
  ) throws -> Evaluator {
    let keys = try given ?? keys()
    return Evaluator(
      id: "evaluator", keys: keys,
      store: try SQLiteEvaluatorStore(
        path: database, keys: keys, file: file ?? EvaluatorRecordFile(directory: directory),
        machineTime: { [clock] in clock.now },
        report: reported.add),
      policy: policy)
  }
}

/// The evaluator has adopted a PIN key.
func assertAdopted(
  _ answer: EvaluatorAnswer, _ message: String = "", file: StaticString = #filePath,
  line: UInt = #line
) {
  if case .adopted = answer { return }
  XCTFail("\(answer) \(message)", file: file, line: line)
}

extension Evaluator {
  /// Opens a PIN key for the wallet.
  func opened(_ wallet: TestWallet) async throws -> TestWallet.Made {
    let blinded = try TestWallet.blinded()
    let answer = try await answer(.open(request: try wallet.registration(blinded)))
    return TestWallet.Made(blinded: blinded, half: try answer.evaluation)
  }

  /// Opens and adopts a PIN key for the wallet, and returns the key's id.
  func adopted(_ wallet: TestWallet) async throws -> String {
    let made = try await opened(wallet)
    let message = try wallet.message(
      .register, evaluation: made.half.evaluation, blinded: made.blinded)
    let answer = try await answer(
      .adopt(
        key: made.half.key,
        adoption: try wallet.adoption(message: message, publicKey: wallet.pin.publicKey)))
    assertAdopted(answer)
    return made.half.key
  }

  /// Answers an attempt with this key.
  func attempt(_ wallet: TestWallet, _ key: String) async throws -> EvaluatorAnswer {
    try await answer(
      .evaluate(
        request: try wallet.challenge(
          for: .checkPin, key: key, blinded: try TestWallet.blinded())))
  }

  /// Begins an attempt that is allowed.
  func begun(_ wallet: TestWallet, _ key: String) async throws -> TestWallet.Made {
    let blinded = try TestWallet.blinded()
    let request = try wallet.challenge(for: .checkPin, key: key, blinded: blinded)
    return TestWallet.Made(
      blinded: blinded, half: try await answer(.evaluate(request: request)).evaluation)
  }

  /// Proves that the PIN of an attempt was right.
  func proven(
    _ wallet: TestWallet, _ made: TestWallet.Made, newBlinded: String? = nil,
    signer: TestPinKey? = nil
  ) async throws -> EvaluatorAnswer {
    let message = try wallet.message(
      newBlinded == nil ? .checkPin : .beginPinChange, evaluation: made.half.evaluation,
      blinded: made.blinded, newBlinded: newBlinded, signer: signer)
    return try await answer(.prove(key: made.half.key, message: message))
  }

  /// How the count stands after another attempt, which is right: no attempt is left counted.
  func countNow(_ wallet: TestWallet, _ key: String) async throws -> UInt64 {
    try await attempt(wallet, key).standing.attempts - 1
  }
}

extension EvaluatorAnswer {
  var evaluation: HalfEvaluation {
    get throws {
      guard case .evaluated(let evaluation, _) = self else { throw Unexpected(answer: self) }
      return evaluation
    }
  }

  var standing: AttemptStanding {
    get throws {
      switch self {
      case .evaluated(_, let standing), .blocked(let standing), .proven(let standing, _):
        return standing
      default: throw Unexpected(answer: self)
      }
    }
  }

  var next: HalfEvaluation {
    get throws {
      guard case .proven(_, let next?) = self else { throw Unexpected(answer: self) }
      return next
    }
  }

  struct Unexpected: Error { let answer: EvaluatorAnswer }
}
