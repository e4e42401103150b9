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
    links.add(try link(3), .valid(.login, madeForScanning: true))
    XCTAssertTrue(try isNewest(3, links))
    links.forgetNewest()
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
    links.add(try link(1), enrolment)
    XCTAssertTrue(try isNewest(1, links))
    links.noteOpened()
    XCTAssertFalse(links.isAnyUnopened)
    XCTAssertNotNil(links.enrolment)
    // A link that is refused does not displace it.
    links.add(try link(2), login)
    links.forgetNewest()
    XCTAssertNotNil(links.enrolment)
    links.forgetOpenedEnrolment()
    XCTAssertNil(links.enrolment)
  }

  func testARefusedEnrolmentLinkIsForgottenAndANewOneOutlivesAClaim() throws {
    var links = KeptLinks()
    links.add(try link(1), enrolment)
    links.forgetOpenedEnrolment()
    XCTAssertTrue(try isNewest(1, links))
    links.forgetNewest()
    XCTAssertNil(links.enrolment)
  }
}
