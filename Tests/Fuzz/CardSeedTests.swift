import Foundation
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// The seeds of what other parties sign, encrypt and compress: from published examples, and in the
/// written forms that the targets explain.
///
/// Where the environment variable WALLET_CORE_SEEDS is set they are written anew.
final class CardSeedTests: XCTestCase {
  private func check(_ target: FuzzTarget, _ seeds: [String: [UInt8]]) throws {
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Corpus/\(target.rawValue)")
    for (name, seed) in seeds {
      let file = directory.appendingPathComponent(name)
      if ProcessInfo.processInfo.environment["WALLET_CORE_SEEDS"] != nil {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(seed).write(to: file)
      }
      XCTAssertEqual(Array(try Data(contentsOf: file)), seed, "\(target.rawValue)/\(name)")
    }
  }

  private func text(_ lines: String...) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  func testTheSeedsOfSignedTexts() throws {
    let header =
      #"{"alg":"ES256","typ":"oauth-authz-req+jwt","kid":"1","x5c":["MAMCAQE=","MAMCAQI="]}"#
    let payload = #"{"client_id":"x509_hash:x","nonce":"n"}"#
    try check(
      .compactJWS,
      [
        "chain": text(header, payload),
        "key-binding": text(
          #"{"typ":"kb+jwt","alg":"ES256","other":[1.5,null,{"a":true}]}"#,
          #"{"iat":1,"aud":"verifier","nonce":"n","sd_hash":"x"}"#),
        "compact": Array(unsignedJWS(Array(header.utf8), Array(payload.utf8)).utf8),
      ])
  }

  func testTheSeedsOfEncryptedTexts() throws {
    // The sender's key in RFC 7518 appendix C.
    let key =
      #"{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0","#
      + #""y":"SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"}"#
    try check(
      .compactJWE,
      [
        "parties": text(
          #"{"alg":"ECDH-ES","enc":"A128GCM","apu":"QWxpY2U","apv":"Qm9i","epk":\#(key)}"#,
          "content"),
        "long-key": text(
          #"{"alg":"ECDH-ES","enc":"A256GCM","kid":"ac","epk":\#(key)}"#, #"{"vp_token":{}}"#),
        // The example of OpenID4VP 1.0 section 8.3.
        "openid4vp": Array(
          ("eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6ImFjIiwiZXBrIjp7Imt0eSI6IkVDIiwieCI6"
            + "Im5ubVZwbTNWM2piaGNhZlFhUkJrU1ZOSGx3Wkh3dC05ck9wSnVmeVlJdWsiLCJ5IjoicjRmakRxd0p5czlx"
            + "VU9QLV9iM21SNVNaRy0tQ3dPMm1pYzVWU05UWU45ZyIsImNydiI6IlAtMjU2In19..uAYcHRUSSn2X0WPX."
            + "yVzlGSYG4qbg0bq18JcUiDRw56yVnbKR8E7S7YlEtzT00RqE3Pw5oTpUG3hdLN4taHZ9gC1kwak8JOnJgQ."
            + "1wR024_3-qtAlx1oFIUpQQ").utf8),
      ])
  }

  func testTheSeedsOfCards() throws {
    let header = ##"{"alg":"ES256","typ":"dc+sd-jwt","kid":"1","x5c":["MAMCAQE="]}"##
    // The thumbprint's example of OpenID4VP 1.0.
    let cnf =
      ##"{"jwk":{"kty":"EC","crv":"P-256","use":"sig","##
      + ##""x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0","##
      + ##""y":"XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc"}}"##
    let usual =
      ##""vct":"urn:eudi:pid:1","vct#integrity":"sha256-x","aka_vcts":["a"],"##
      + ##""iss":"https://issuer.example","iat":1788000000,"nbf":1788000000,"exp":1790000000,"##
      + ##""status":{"status_list":{"idx":7,"uri":"https://status.example/1"}},"cnf":\##(cnf)"##
    let nested = text(
      header,
      ##"{"_sd_alg":"sha-256","_sd":["#0","#1","jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4"],"##
        + ##""nationalities":[{"...":"#3"},"NL",{"...":"#4"}],\##(usual)}"##,
      ##"["salt 0","given_name","Erika"]"##,
      ##"["salt 1","address",{"_sd":["#2","#5"],"country":"DE"}]"##,
      ##"["salt 2","locality","Köln"]"##, ##"["salt 3","DE"]"##,
      ##"["salt 4",{"a":[[{"...":"#6"}]]}]"##, ##"["salt 5","postal_code",51147]"##,
      ##"["salt 6",{"_sd":[]}]"##, ##"?["address","postal_code"]"##)
    let lines = try XCTUnwrap(writtenLines(nested, atMost: 66))
    try check(
      .foreignCard,
      [
        "nested": nested,
        "array": text(
          header,
          ##"{"places":[{"_sd":["#0"]},{"...":"#1"},{"b":1}],\##(usual)}"##,
          ##"["","b",true]"##, ##"["",{"_sd":["#2"]}]"##, ##"["","b",1.50]"##,
          ##"?["places",null,"b"]"##),
        "element": text(
          header, ##"{"_sd":["#0"],\##(usual)}"##,
          ##"["s","age_equal_or_over",{"18":true,"l":[1]}]"##,
          ##"?["age_equal_or_over","l",0]"##),
        "unbound": text(
          ##"{"alg":"ES256","typ":"dc+sd-jwt"}"##,
          ##"{"vct":"x","_sd":["#0"],"exp":1790000000.5,"status":{"other":{}}}"##,
          ##"["s","iat",1788000000]"##),
        "compact": Array(writtenCard(Array(lines.dropLast())).utf8),
      ])
  }

  func testTheSeedsOfStatusLists() throws {
    func payload(_ bits: Int, _ list: String) -> String {
      #"{"sub":"https://status.example/1","iat":1788000000,"exp":1790000000,"ttl":900,"#
        + #""status_list":{"bits":\#(bits),"lst":"\#(list)","aggregation_uri":"x"}}"#
    }
    // The examples of draft-ietf-oauth-status-list section 4.
    let (one, two): ([UInt8], [UInt8]) = (
      [0x78, 0xDA, 0xDB, 0xB9, 0x18, 0x00, 0x02, 0x17, 0x01, 0x5D],
      [0x78, 0xDA, 0x3B, 0xE9, 0xF2, 0x13, 0x00, 0x03, 0xDF, 0x02, 0x07]
    )
    let header = Array(#"{"alg":"ES256","typ":"statuslist+jwt"}"#.utf8)
    try check(
      .statusList,
      [
        "one-bit": text(payload(1, Base64URL.encode(one))),
        "two-bits": text(payload(2, "#")) + [10, 0xC9, 0x44, 0xF9],
        "four-bits": text(payload(4, "#")) + [10, 0x21, 0xF0],
        "eight-bits": text(payload(8, "#")) + [10, 0, 2, 0xFF],
        "compact": Array(
          unsignedJWS(header, Array(payload(2, Base64URL.encode(two)).utf8)).utf8),
      ])
    try check(
      .compressed,
      [
        "one-bit": [0, 0, 2] + one, "two-bits": [0, 0, 2] + two,
        "text": [13, 0, 8] + Array("status status status".utf8),
        "stored": [1, 0, 4] + [1, 2, 3, 4],
      ])
  }
}
