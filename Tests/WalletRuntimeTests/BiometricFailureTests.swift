import WalletModel
import WalletPlatform
import XCTest

@testable import WalletRuntime

/// The meaning of each answer of the bridge for biometric unlock (UC2.3, counting attempts).
final class BiometricFailureTests: XCTestCase {
  private func failure(_ refusal: BridgeRefusal) -> BiometricFailure {
    BiometricFailure(.refused(refusal, message: "of the host"))
  }

  func testOnlyNotRecognisedCountsAndAtLeastOnce() {
    XCTAssertEqual(failure(.notRecognised(times: 3)), .notRecognised(times: 3))
    XCTAssertEqual(failure(.notRecognised(times: 0)), .notRecognised(times: 1))
  }

  func testOnlyAnInvalidatedOrMissingKeyIsGone() {
    let all: [BridgeFailure] = [
      .refused(.keyInvalidated, message: ""), .refused(.keyMissing, message: ""),
      .refused(.notEnrolled, message: ""), .refused(.unavailable, message: ""),
      .refused(.host(code: -1007), message: ""), .missing, .timedOut, .notReady,
    ]
    let gone = all.map { failure -> Bool? in
      guard case .unavailable(_, let isKeyGone, _) = BiometricFailure(failure) else { return nil }
      return isKeyGone
    }
    XCTAssertEqual(gone, [true, true, false, false, false, false, false, false])
  }

  func testACancellationByTheUserDiffersFromOneByTheCore() {
    XCTAssertEqual(failure(.cancelledByUser).walletError.kind, .biometricsFailed)
    XCTAssertEqual(BiometricFailure(.cancelled).walletError.kind, .cancelled)
  }

  func testUC2_1_1_6OnlyOneByteMeansThatThereAreBiometrics() {
    let replies: [[UInt8]] = [[], [0], [1], [2], [3], [4], [1, 1]]
    XCTAssertEqual(
      replies.map(Biometrics.init), [nil, nil, .any, .fingerprint, .face, .any, nil])
  }

  func testTheErrorNamesTheReasonAndTheHostsCode() {
    XCTAssertEqual(
      failure(.lockedOutPermanently).walletError.data, ["reason": .text("locked_out_permanently")])
    XCTAssertEqual(
      failure(.host(code: -1007)).walletError.data,
      ["reason": .text("unavailable"), "host_code": .number(-1007)])
  }
}
