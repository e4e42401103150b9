import WalletCrypto
import WalletPlatform
import XCTest

@testable import WalletRuntime

/// The requests of relying parties that hosts have begun.
final class KnownSharingsTests: XCTestCase {
  private let sharings = KnownSharings()

  private func makeSharing() -> Sharing {
    Sharing(
      "openid4vp://?client_id=a&request_uri=https://shop.example/r", isFromOtherDevice: false,
      asksForLogin: false)
  }

  private func add(_ sharing: Sharing, in era: UInt64? = nil) -> Bool {
    sharings.add(sharing, begunIn: era ?? sharings.era)
  }

  func testARequestThatWasBegunBeforeAllWereForgottenIsNotKept() {
    let (before, era) = (makeSharing(), sharings.era)
    XCTAssertTrue(add(makeSharing()))
    sharings.removeAll()
    XCTAssertFalse(add(before, in: era))
    XCTAssertNil(sharings.find(before.id))
    let after = makeSharing()
    XCTAssertTrue(add(after))
    XCTAssertTrue(sharings.find(after.id) === after)
  }

  func testOneThatHasEndedIsForgottenBeforeAnOlderOne() {
    let all = (0..<10).map { _ in makeSharing() }
    for sharing in all.prefix(8) { XCTAssertTrue(add(sharing)) }
    all[3].state.withLock { $0.end = .taken }
    XCTAssertTrue(add(all[8]))
    XCTAssertNil(sharings.find(all[3].id))
    XCTAssertNotNil(sharings.find(all[0].id))
    XCTAssertTrue(add(all[9]))
    XCTAssertNil(sharings.find(all[0].id), "the oldest one")
    XCTAssertNotNil(sharings.find(all[9].id))
  }
}

/// The PIN of a request that goes on after it was used.
final class PinOnceTests: XCTestCase {
  func testThePinIsGivenAwayOnceAndWipedAfterItsUse() throws {
    weak var secret: Secret?
    let once: PinOnce
    do {
      let pin = try Array("142032".utf8).withUnsafeBytes { try Pin(copying: $0) }
      secret = pin.secret
      once = PinOnce(pin)
    }
    XCTAssertNotNil(secret)
    XCTAssertEqual(try once.take().secret.disclosed(), Array("142032".utf8))
    XCTAssertNil(secret, "something still refers to it")
    XCTAssertThrowsError(try once.take())
  }
}

/// Copies that a PIN was entered for.
final class PromisedCopiesTests: XCTestCase {
  func testAPromiseLastsAsLongAsItsUse() {
    let promised = PromisedCopies()
    var first: PromisedCopies.Promise? = promised.promise([])
    let second = promised.promise([])
    XCTAssertNotNil(first)
    first = nil
    XCTAssertEqual(promised.count, 1)
    withExtendedLifetime(second) {}
  }
}
