import WalletCrypto
import WalletUseCases
import XCTest

@testable import WalletRuntime

/// Which of several links is opened.
final class KeptLinksTests: XCTestCase {
  private let enrolment = UniversalLink.valid(.enrolment, madeForScanning: false)
  private let login = UniversalLink.valid(.login, madeForScanning: false)

  private func link(_ byte: UInt8) throws -> Secret { try Secret(copying: [byte]) }

  private func isNewest(_ byte: UInt8, _ links: KeptLinks) throws -> Bool {
    try links.newest?.isEqual(to: link(byte)) ?? false
  }

  func testTheNewestValidLinkIsOpened() throws {
    var links = KeptLinks()
    XCTAssertFalse(links.isAnyUnopened)
    links.add(try link(1), login)
    links.add(try link(2), login)
    XCTAssertTrue(try isNewest(2, links))
    let last = try link(3)
    links.add(last, .valid(.login, madeForScanning: true))
    XCTAssertTrue(try isNewest(3, links))
    links.forget(last)
    XCTAssertFalse(links.isAnyUnopened)
    XCTAssertNil(links.newest)
  }

  func testAnInvalidLinkDisplacesNoneAndIsToldOnce() throws {
    for kind in [UniversalLink.invalid, .unknownPurpose] {
      var links = KeptLinks()
      links.add(try link(1), login)
      links.add(try link(2), kind)
      XCTAssertTrue(try isNewest(1, links))
      XCTAssertTrue(links.takeInvalid())
      XCTAssertFalse(links.takeInvalid())
      XCTAssertTrue(links.isAnyUnopened)
    }
  }

  func testAnOpenedEnrolmentLinkIsOfferedUntilACodeIsClaimed() throws {
    var links = KeptLinks()
    let offered = try link(1)
    links.add(offered, enrolment)
    XCTAssertTrue(try isNewest(1, links))
    links.noteOpened(offered)
    XCTAssertFalse(links.isAnyUnopened)
    XCTAssertNotNil(links.enrolment)
    // A link that is refused does not displace it.
    let refused = try link(2)
    links.add(refused, login)
    links.forget(refused)
    XCTAssertNotNil(links.enrolment)
    links.forgetOpenedEnrolment()
    XCTAssertNil(links.enrolment)
  }

  func testARefusedEnrolmentLinkIsForgottenAndANewOneOutlivesAClaim() throws {
    var links = KeptLinks()
    let refused = try link(1)
    links.add(refused, enrolment)
    links.forgetOpenedEnrolment()
    XCTAssertTrue(try isNewest(1, links))
    links.forget(refused)
    XCTAssertNil(links.enrolment)
  }

  /// `wallet_core_open_app()` keeps it on the host's thread, whatever the flows do at that moment.
  func testALinkThatComesWhileAnotherIsJudgedIsNeitherLostNorTakenForIt() throws {
    for first in [login, enrolment] {
      var links = KeptLinks()
      let judged = try link(1)
      links.add(judged, first)
      links.noteJudged(judged)
      links.add(try link(2), .valid(.login, madeForScanning: true))
      XCTAssertTrue(links.takeJudged() === judged)
      XCTAssertNil(links.takeJudged())
      links.noteOpened(judged)
      links.forget(judged)
      XCTAssertNil(links.enrolment)
      XCTAssertTrue(try isNewest(2, links))
    }
  }
}
