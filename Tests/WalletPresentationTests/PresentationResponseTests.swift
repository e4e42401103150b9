import Foundation
import WalletJOSE
import WalletPresentation
import WalletProtocol
import XCTest

/// What is posted to relying parties, and what their replies mean.
final class PresentationResponseTests: XCTestCase {
  /// A request whose answer is encrypted to `key`.
  private func request(
    state: String?, key: SubjectPublicKey, cipher: ContentEncryption = .a128gcm
  ) throws -> PresentationRequest {
    let party = try TestParty()
    let clientID = "x509_san_dns:verifier.example"
    var members = TestParty.members(
      clientID, key: key,
      metadata: [
        "encrypted_response_enc_values_supported": .array([.string(cipher.rawValue)])
      ])
    members["state"] = state.map { .string($0) }
    return try PresentationRequest(
      parsing: party.object(members, chain: party.chain()),
      calledBy: PresentationLink(
        parsing: "openid4vp://?client_id=\(clientID)&request_uri=https://verifier.example/request"),
      walletNonce: nil, anchors: party.anchors(), now: TestParty.now)
  }

  private func members(_ body: [UInt8]) -> [String: String] {
    let text = String(decoding: body, as: UTF8.self)
    let pairs = text.split(separator: "&").map { pair -> (String, String) in
      let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
      return (halves[0], halves[1].removingPercentEncoding ?? "")
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  func testTraps5To7TheAnswerIsOneEncryptedObjectWithArraysAndTheState() throws {
    let key = try KeyAgreementKey()
    for (state, cipher) in [("s1", ContentEncryption.a128gcm), (nil, .a256gcm)] {
      let request = try request(state: state, key: key.publicKey, cipher: cipher)
      let response = try PresentationResponse(
        to: request, presentations: ["p": ["a~b~c"], "q": ["d", "e"]])
      XCTAssertEqual(response.url, "https://verifier.example/response?id=1")
      let form = members(response.body)
      XCTAssertEqual(form.keys.sorted(), ["response"], "the state is inside")
      let jwe = try CompactJWE(parsing: XCTUnwrap(form["response"]))
      XCTAssertEqual(jwe.header.keyID, "k1")
      XCTAssertEqual(jwe.encryption, cipher)
      XCTAssertEqual(
        try JSONValue(parsing: jwe.decrypt(with: key)).object,
        [
          "vp_token": .object([
            "p": .array([.string("a~b~c")]), "q": .array([.string("d"), .string("e")]),
          ])
        ].merging(state.map { ["state": .string($0)] } ?? [:]) { $1 })
    }
  }

  func testARefusalTellsItsCodeAndTheStateAndNothingElse() throws {
    let key = try KeyAgreementKey()
    let denied = PresentationResponse(
      denying: try request(state: "s-1.~_", key: key.publicKey))
    XCTAssertEqual(denied.url, "https://verifier.example/response?id=1")
    XCTAssertEqual(members(denied.body), ["error": "access_denied", "state": "s-1.~_"])
    let stateless = PresentationResponse(denying: try request(state: nil, key: key.publicKey))
    XCTAssertEqual(String(decoding: stateless.body, as: UTF8.self), "error=access_denied")
  }

  func testWhatARelyingPartyReplies() {
    func receipt(_ status: Int, _ type: String?, _ body: String) -> PresentationReceipt {
      PresentationReceipt(
        status: status, mediaType: type, body: Array(body.utf8),
        ownHosts: ["wallet.example", "Other.Example"])
    }
    let json = "application/json"
    XCTAssertEqual(receipt(200, json, "{}"), .taken(redirectURI: nil))
    XCTAssertEqual(receipt(200, json, #"{"redirect_uri":1}"#), .taken(redirectURI: nil))
    for (type, body) in [
      (nil, ""), (json, ""), (json, "not json"), (json, "[]"), (json, "null"), (nil, "{}"),
      ("text/html", "{}"), ("text/html", "<p>Thank you"), ("application/jwt", "{}"),
      ("text/html", #"{"redirect_uri":"https://a.example"}"#),
    ] as [(String?, String)] {
      XCTAssertEqual(receipt(200, type, body), .unknown, "\(type ?? "") \(body)")
    }
    for status in [201, 204, 301, 302, 400, 404, 500] {
      XCTAssertEqual(receipt(status, json, "{}"), .unknown, "\(status)")
    }
    func opens(_ address: String) -> String? {
      let text = #"{"redirect_uri":"\#(address)","later":1}"#
      guard case .taken(let address) = receipt(200, json, text) else { return nil }
      return address
    }
    for address in [
      "https://verifier.example/done?code=1#response_code=2", "shop.example:/done",
      "com.example.app://x", "https://shop.wallet.example/sharing", "https://wallet.example.evil/a",
      "https://verifier.example?back=https://wallet.example/sharing",
      "https://[2001:db8::1]:8443/a",
    ] { XCTAssertEqual(opens(address), address) }
    for address in [
      "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,a", "file:///etc/passwd",
      "http://verifier.example/done", "/done", "done", "", ":", "https:", "1a:b",
      "openid4vp://?a=b", "intent://wallet.example/sharing#Intent;scheme=https;end",
      "content://a/b", "view-source:https://wallet.example/sharing",
      "googlechrome://wallet.example/sharing", "googlechromes://wallet.example/sharing",
      "microsoft-edge:https://wallet.example/sharing", "microsoft-edge-https://wallet.example",
      "firefox://open-url?url=https://wallet.example/sharing", "tel:+15550100", "SMS:+15550100",
      "x-safari-https://wallet.example/sharing", "sip:a@b.example", "ms-msdt:/id",
      "search-ms:query=a", "itms-services://?action=download-manifest&url=a",
      "haip-vci://?a=b", "https://verifier.example/a b", "https://verifier.example/ä",
    ] { XCTAssertNil(opens(address), address) }
  }

  /// The operating system would open this app by them, and so on without end.
  func testAnAddressOfTheWalletsOwnLinksIsNotHandedOut() {
    for address in [
      "https://wallet.example/sharing?client_id=a&request_uri=b", "https://wallet.example",
      "https://wallet.example/login#m=link", "https://wallet.example:443/sharing",
      "https://wallet.example:8443/sharing", "https://WALLET.example/sharing",
      "https://wallet.example./sharing", "https://other.example/", "HTTPS://wallet.example/a",
      // What browsers make of these is not what is written.
      "https://shop@wallet.example/sharing", "https://wallet%2Eexample/sharing",
      "https:wallet.example/sharing", "https:/wallet.example/sharing",
      "https:///wallet.example/sharing", "https:\\\\\\\\wallet.example/sharing",
      "https://shop.example\\\\@wallet.example/",
    ] {
      let reply = PresentationReceipt(
        status: 200, mediaType: "application/json",
        body: Array(#"{"redirect_uri":"\#(address)"}"#.utf8),
        ownHosts: ["wallet.example", "Other.Example"])
      XCTAssertEqual(reply, .taken(redirectURI: nil), address)
    }
  }
}
