import Foundation
import SwiftASN1
import WalletProtocol
import WalletTrust
import X509
import XCTest

/// Anchors as a configuration publishes them.
final class PublishedAnchorsTests: XCTestCase {
  private let now = TestPKI.now

  private func entry(
    _ pki: TestPKI, _ role: String = "issuer", types: [String] = ["urn:example:card"]
  ) throws -> PublishedAnchor {
    PublishedAnchor(
      name: "Example", role: role, types: role == "issuer" ? types : [],
      certificate: Data(try pki.rootDER).base64EncodedString(), notBefore: now - 10,
      notAfter: now + 10)
  }

  func testEntriesOfEachRoleJudgeChains() throws {
    for role in TrustRole.allCases {
      var pki = try TestPKI()
      pki.leaf.purposes = try .init([.clientAuth, .init(oid: [2, 999, 1, 30])])
      let (anchors, unreadable) = TrustAnchors.readable(in: [try entry(pki, role.rawValue)])
      XCTAssertEqual(unreadable, 0)
      let leaf = try anchors.judge(chain: pki.chain, role: role, now: now)
      XCTAssertEqual(leaf.anchorName, "Example")
      XCTAssertEqual(leaf.mayIssue(["urn:example:card"]), role == .issuer)
    }
  }

  func testSeveralEntriesOfOneAuthorityUniteTheirTypes() throws {
    let pki = try TestPKI()
    // One name and key; each certificate is another one.
    let entries = [
      try entry(pki, types: ["urn:example:a"]), try entry(pki, types: ["urn:example:b"]),
      try entry(TestPKI(), types: ["urn:example:other"]), try entry(pki, "registrar"),
    ]
    let (anchors, unreadable) = TrustAnchors.readable(in: entries)
    XCTAssertEqual(unreadable, 0)
    let leaf = try anchors.judge(chain: pki.chain, role: .issuer, now: now)
    XCTAssertTrue(leaf.mayIssue(["urn:example:a", "urn:example:b"]))
    XCTAssertFalse(leaf.mayIssue(["urn:example:a", "urn:example:other"]))
    // What counts no longer allows nothing any more.
    var ended = entries
    ended[1].notAfter = now - 1
    let remaining = try TrustAnchors.readable(in: ended).anchors
      .judge(chain: pki.chain, role: .issuer, now: now)
    XCTAssertTrue(remaining.mayIssue(["urn:example:a"]))
    XCTAssertFalse(remaining.mayIssue(["urn:example:b"]))
  }

  func testEntriesOfUnknownRolesAreIgnored() throws {
    let pki = try TestPKI()
    var later = try entry(pki, "later")
    later.certificate = "of another kind"
    let (anchors, unreadable) = TrustAnchors.readable(in: [later, try entry(pki)])
    XCTAssertEqual(unreadable, 0)
    XCTAssertEqual(anchors.anchors.map(\.role), [.issuer])
    assertThrows(.anchorRefused) { try TrustAnchor(later) }
  }

  func testAnUnreadableEntryDoesNotCostTheOthers() throws {
    let pki = try TestPKI()
    let good = try entry(pki)
    let broken: [(TrustError, (inout PublishedAnchor) throws -> Void)] = [
      (.certificateMalformed, { $0.certificate = "" }),
      (.certificateMalformed, { $0.certificate = "MAA=" }),
      // Without padding, or in the alphabet of URLs, it would be a second spelling.
      (.certificateMalformed, { $0.certificate = "MAA" }),
      (.certificateMalformed, { $0.certificate = String($0.certificate.dropLast(4)) }),
      (
        .notAuthority,
        { entry in
          var pki = try TestPKI()
          pki.root.constraints = .notCertificateAuthority
          entry.certificate = Data(try pki.rootDER).base64EncodedString()
        }
      ),
      (.anchorRefused, { $0.name = "" }),
      (.anchorRefused, { $0.name = String(repeating: "n", count: 129) }),
      (.anchorRefused, { $0.types = [] }), (.anchorRefused, { $0.types = [""] }),
      (.anchorRefused, { $0.types = [String(repeating: "t", count: 257)] }),
      (.anchorRefused, { $0.types = (1...65).map { "\($0)" } }),
      (.anchorRefused, { $0.role = "registrar" }),
      (.anchorRefused, { ($0.notBefore, $0.notAfter) = (.max, .min) }),
    ]
    for (index, (reason, change)) in broken.enumerated() {
      var bad = good
      try change(&bad)
      assertThrows(reason, "\(index)") { try TrustAnchor(bad) }
      let (anchors, unreadable) = TrustAnchors.readable(in: [bad, good])
      XCTAssertEqual(unreadable, 1, "\(index)")
      XCTAssertEqual(anchors.anchors.count, 1, "\(index)")
      XCTAssertNoThrow(try anchors.judge(chain: pki.chain, role: .issuer, now: now))
    }
  }

  func testTheLimitsThemselvesAreReadable() throws {
    var largest = try entry(TestPKI())
    largest.name = String(repeating: "n", count: 128)
    largest.types = (100..<164).map { String(repeating: "t", count: 253) + "\($0)" }
    (largest.notBefore, largest.notAfter) = (.min, .max)
    XCTAssertEqual(try TrustAnchor(largest).types.count, 64)
  }

  func testOfTwoEntriesOfOneCertificateAndRoleTheFirstCounts() throws {
    let pki = try TestPKI()
    let first = try entry(pki, types: ["urn:example:a"])
    var second = first
    second.types = ["urn:example:b"]
    let (anchors, unreadable) = TrustAnchors.readable(in: [first, second])
    XCTAssertEqual(unreadable, 1)
    let leaf = try anchors.judge(chain: pki.chain, role: .issuer, now: now)
    XCTAssertTrue(leaf.mayIssue(["urn:example:a"]))
    XCTAssertFalse(leaf.mayIssue(["urn:example:b"]))
  }

  func testNoAnchorsTrustNobody() throws {
    let pki = try TestPKI()
    for role in TrustRole.allCases {
      XCTAssertThrowsError(try TrustAnchors.none.judge(chain: pki.chain, role: role, now: now))
    }
  }
}
