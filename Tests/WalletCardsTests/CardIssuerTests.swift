import WalletCards
import WalletCredentials
import WalletModel
import WalletProtocol
import WalletTrust
import XCTest

/// Whether the issuer of a stored card is still trusted.
final class CardIssuerTests: XCTestCase {
  private let now = TestIssuer.now

  func testACardOfAnAuthorityThatIsGoneIsUntrustedAndUsable() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let record = try device.cards.record(of: device.take(issuer, [.init()]))
    XCTAssertEqual(record.state(at: now, trusting: issuer.anchors), .valid)
    for anchors in [TrustAnchors.none, try TestIssuer().anchors] {
      XCTAssertEqual(record.state(at: now, trusting: anchors), .untrusted, "another authority")
    }
    XCTAssertNotNil(record.nextCopy(at: now), "each verifier decides by itself")
    XCTAssertTrue(CardState.untrusted.isUsable)
  }

  func testAnAnchorCountsOnlyWhileItIsInForceAndForItsTypes() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let record = try device.cards.record(of: device.take(issuer, [.init(expires: nil)]))
    XCTAssertEqual(record.state(at: now + 10_000_000, trusting: issuer.anchors), .valid)
    XCTAssertEqual(record.state(at: now + 10_000_001, trusting: issuer.anchors), .untrusted)
    let ofOtherTypes = try issuer.anchors(types: ["urn:example:other:1"])
    XCTAssertEqual(record.state(at: now, trusting: ofOtherTypes), .untrusted)
    let ofMoreTypes = try issuer.anchors(types: ["urn:example:other:1", TestIssuer.type])
    XCTAssertEqual(record.state(at: now, trusting: ofMoreTypes), .valid)
  }

  func testARenewedCertificateOfTheSameAuthorityIsTrusted() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let record = try device.cards.record(of: device.take(issuer, [.init()]))
    XCTAssertEqual(record.state(at: now, trusting: try issuer.renewedAnchors()), .valid)
  }

  func testWhyACardCannotBeUsedIsToldInsteadOfWhomItIsFrom() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let record = try device.cards.record(of: device.take(issuer, [.init()]))
    XCTAssertEqual(record.state(at: now + 100_000, trusting: .none), .expired)
  }

  func testTheChangeIsToldOnceAndTakenBack() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let id = try device.take(issuer, [.init()])
    for (anchors, state) in [(TrustAnchors.none, CardState.untrusted), (issuer.anchors, .valid)] {
      XCTAssertEqual(
        try device.cards.takeChanges(at: now, trusting: anchors), [CardChange(id: id, state: state)]
      )
      XCTAssertEqual(try device.cards.takeChanges(at: now, trusting: anchors), [])
    }
  }

  func testACardThatWasStoredBeforeThisWasKeptIsTrusted() throws {
    let (device, issuer) = (try CardDevice(for: self), try TestIssuer())
    let record = try device.cards.record(of: device.take(issuer, [.init()]))
    var json = try XCTUnwrap(JSONValue(encoding: record).object)
    XCTAssertNotNil(json.removeValue(forKey: "issuer"))
    let former = try WireJSON.decode(CardRecord.self, from: JSONValue.object(json).encoded)
    XCTAssertEqual(former.state(at: now, trusting: .none), .valid)
  }
}
