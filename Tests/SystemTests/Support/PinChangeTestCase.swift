import CWalletCore
import CWalletCoreTesting
import TestSupport
import WalletProtocol
import XCTest

/// Changes of the PIN 142032 with a real provider, through the C header and a man in the middle.
class PinChangeTestCase: MiddleTestCase {
  let pin = "142032"
  let newPin = "271828"
  let beginPath = Route.instruction(.beginPinChange)
  let challengePath = Route.instruction(.challenge)
  let preparePath = Route.instruction(.preparePinChange)
  let commitPath = Route.instruction(.commitPinChange)
  let cancelPath = Route.instruction(.cancelPinChange)
  static let closed = "storage.pin-change.closed.after-commit"
  static let unreachable = Completion(
    status: WALLET_CORE_ERROR_SERVER_UNREACHABLE)

  /// The number of changes that had been settled when the test began.
  private(set) var settledBefore: Int64 = 0

  override func setUpWithError() throws {
    try super.setUpWithError()
    settledBefore = wallet_core_testing_crash_point_count(Self.closed)
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  /// Waits until this test has settled `count` changes.
  func awaitSettled(
    _ count: Int64 = 1, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertTrue(
      eventually {
        wallet_core_testing_crash_point_count(Self.closed) - settledBefore >= count
      }, "not settled", file: file, line: line)
  }

  func cut(_ paths: String...) {
    middle.answer { paths.contains($0.path) ? [] : nil }
  }

  /// Checks which PIN unlocks. Tries the right one last, so that all attempts are available again.
  ///
  /// - Parameter left: The attempts that a wrong PIN leaves.
  func assertOnly(
    _ right: String, opensNot wrong: String, left: Int32 = 3, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock(wrong), .wrong(left), file: file, line: line)
    XCTAssertEqual(try host.unlock(right), .valid, file: file, line: line)
    XCTAssertFalse(host.isLocked, file: file, line: line)
  }
}
