import Foundation
import WalletJOSE
import WalletPresentation
import WalletProtocol
import WalletTrust
import XCTest

/// Requests with registrations that polaris-oid4vp made, and what openvc-core makes of them.
///
/// Tests/Interop/registrations.py makes them and explains each difference; the environment variable
/// WALLET_CORE_REGISTRATIONS names its file.
final class RegistrationsByOthersTests: XCTestCase {
  private struct Made: Decodable {
    struct Encrypted: Decodable {
      let object: String
      /// The private part of the key that was offered.
      let key: String
      let nonce: String
      let clientId: String
    }

    struct Request: Decodable {
      let name: String
      let request: String
      let clientId: String
      /// "registered", "exceeded" or "none".
      let core: String
      let openvc: String
      /// Why the two differ.
      let difference: String?
    }

    let now: Int64
    let access: Data
    let registrar: Data
    let encrypted: Encrypted
    let requests: [Request]
  }

  private func made() throws -> Made {
    let path = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_REGISTRATIONS"],
      "WALLET_CORE_REGISTRATIONS is not set: the part `judges` makes the file that it names, "
        + "and .ci/tests/run.py runs this test as the part `swift-judged`")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Made.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func anchors(_ made: Made) throws -> TrustAnchors {
    func anchor(_ role: TrustRole, _ certificate: Data) throws -> TrustAnchor {
      try TrustAnchor(
        name: role.rawValue, role: role, certificate: Array(certificate),
        inForce: made.now...made.now)
    }
    return try TrustAnchors([
      anchor(.relyingParty, made.access), anchor(.registrar, made.registrar),
    ])
  }

  private func link(_ clientID: String) throws -> PresentationLink {
    try PresentationLink(
      parsing: "openid4vp://?client_id=\(clientID)&request_uri_method=post"
        + "&request_uri=https://verifier.example/request")
  }

  func testVerdictsAreThoseOfOpenvcCoreOrTheDifferenceIsExplained() throws {
    let made = try made()
    let anchors = try anchors(made)
    var alike: [String: Int] = [:]
    for judged in made.requests {
      let request = try PresentationRequest(
        parsing: judged.request, calledBy: link(judged.clientId), walletNonce: nil,
        anchors: anchors, now: made.now)
      let verdict =
        request.registration == nil
        ? "none" : request.exceedsRegistration.isEmpty ? "registered" : "exceeded"
      XCTAssertEqual(verdict, judged.core, judged.name)
      XCTAssertEqual(verdict == judged.openvc, judged.difference == nil, judged.name)
      if verdict == judged.openvc { alike[verdict, default: 0] += 1 }
    }
    print("registrations: \(made.requests.count), judged alike \(alike)")
    XCTAssertGreaterThanOrEqual(alike["registered"] ?? 0, 5)
    XCTAssertGreaterThanOrEqual(alike["exceeded"] ?? 0, 5)
    XCTAssertGreaterThanOrEqual(alike["none"] ?? 0, 10)
  }

  func testARequestThatAnotherProgramHasEncryptedIsOpened() throws {
    let made = try made()
    let scalar = try XCTUnwrap(Base64URL.decode(made.encrypted.key))
    let nonce = try XCTUnwrap(Base64URL.decode(made.encrypted.nonce))
    let link = try link(made.encrypted.clientId)
    let fetch = RequestFetch(link, nonce: nonce, key: try KeyAgreementKey(scalar: scalar))
    let request = try PresentationRequest(
      parsing: fetch.open(made.encrypted.object), calledBy: link, walletNonce: fetch.walletNonce,
      anchors: anchors(made), now: made.now)
    let registration = try XCTUnwrap(request.registration)
    XCTAssertEqual(registration.purposes, ["en": "Your age", "nl": "Uw leeftijd"])
    XCTAssertEqual(registration.privacyPolicy, "https://verifier.example/privacy")
    XCTAssertEqual(registration.intendedUse, "use-1")
    XCTAssertEqual(request.exceedsRegistration, [])
  }
}
