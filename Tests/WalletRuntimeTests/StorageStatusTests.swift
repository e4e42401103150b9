import WalletModel
import WalletPlatform
import XCTest

@testable import WalletRuntime

/// Threads that ask at the same time whether there is a wallet get the same answer.
final class StorageStatusTests: XCTestCase {
  private let clock = AdjustableClock()
  private let full = WalletError(.storageFull, "full")

  private func kind(_ registration: StorageStatus.Registration?) -> WalletError.Kind? {
    if case .failed(let error) = registration { error.kind } else { nil }
  }

  func testAFailureStaysKnownWhileOneCallerReadsTheStorageAgain() {
    let status = StorageStatus()
    status.setRegistration(.failed(full))
    let (first, second) = (status.noteQuestion(), status.noteQuestion())
    XCTAssertTrue(first.mustReread)
    XCTAssertFalse(second.mustReread, "both share one reading")
    XCTAssertEqual(kind(first.registration), .storageFull)
    XCTAssertEqual(kind(second.registration), .storageFull)
    // The queue is busy until the deadline: both fall back on what they knew.
    for question in [first, second] {
      XCTAssertNil(
        status.waitForRegistration(after: question.reading, until: clock.now(), clock: clock))
    }
    status.setRegistration(.failed(WalletError(.storageCorrupt, "damaged")))
    for question in [first, second] {
      let read = status.waitForRegistration(
        after: question.reading, until: clock.now(), clock: clock)
      XCTAssertEqual(kind(read), .storageCorrupt)
    }
    XCTAssertTrue(status.noteQuestion().mustReread, "the next question reads again")
    status.endRereading()
    XCTAssertTrue(status.noteQuestion().mustReread, "also after a reading without a result")
  }

  func testALostKeyOfBiometricUnlockIsForgottenWithIt() {
    let status = StorageStatus()
    for end in [
      { status.setBiometricUnlockEnabled(true) }, { status.setBiometricUnlockEnabled(false) },
      { status.setRegistration(.known(false)) },
    ] {
      status.setRegistration(.known(true))
      status.isBiometricKeyLost = true
      status.setRegistration(.known(true))
      XCTAssertTrue(status.isBiometricKeyLost)
      end()
      XCTAssertFalse(status.isBiometricKeyLost)
    }
  }

  func testWhatIsKnownIsNotReadAgain() {
    let status = StorageStatus()
    XCTAssertFalse(status.noteQuestion().mustReread, "the path comes first")
    status.setRegistration(.known(true))
    let question = status.noteQuestion()
    XCTAssertFalse(question.mustReread)
    guard
      case .known(true) = status.waitForRegistration(
        after: question.reading, until: clock.now(), clock: clock)
    else { return XCTFail("not known") }
  }
}
