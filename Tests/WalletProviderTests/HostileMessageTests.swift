import Foundation
import ServerTestSupport
import TestSupport
import WalletAttempts
import WalletProtocol
import WalletProvider
import XCTest

/// A guess of the PIN with a valid signature, in many malformed forms: a server refuses each, counts
/// none, and serves the next one.
final class HostileMessageTests: XCTestCase {
  /// What is sent, and what it is called where it is not refused.
  private struct Hostile {
    let name: String
    let bytes: [UInt8]
  }

  /// A wallet, its guess in the right form, and a server on its directory.
  private struct Target {
    let harness: ProviderHarness
    let wallet: TestWallet
    let guess: TestWallet.Prepared
    /// Whether the guess is the request for its evaluation, not the answer to one.
    let isEvaluation: Bool
    let server: ServerProcess
    let port: UInt16

    var path: String { guess.path }

    init(isEvaluation: Bool) async throws {
      var settings = ProviderSettings()
      settings.challengeLife = 3_600_000
      harness = try ProviderHarness(
        settings: settings, clock: TestClock(SystemWallClock().now))
      wallet = try await TestWallet.confirmed(harness)
      self.isEvaluation = isEvaluation
      guess =
        isEvaluation
        ? try wallet.prepareChallenge(.checkPin)
        : try wallet.preparePin(
          .checkPin, pin: "271828", challenge: try await wallet.challenge(for: .checkPin))
      server = try ServerProcess([
        "--data", harness.path, "--address-rate", "0", "--wallet-rate", "0", "--header-seconds",
        "1", "--body-seconds", "1",
      ])
      let digits = try server.url().split(separator: ":").last.map { $0.prefix { $0.isNumber } }
      port = try XCTUnwrap(digits.flatMap { UInt16($0) })
    }
  }

  /// Sends each on a connection of its own; then the guess itself is the first that counts.
  private func assertAllAreRefused(_ all: [Hostile], at target: Target) async throws {
    let before = try await target.harness.stored(target.wallet)
    for hostile in all {
      let connection = try RawConnection(port: target.port)
      connection.send(hostile.bytes)
      // A connection that is closed is a refusal too.
      guard let answer = try connection.answer() else { continue }
      XCTAssertTrue(
        (400..<500).contains(answer.status) || [501, 505].contains(answer.status),
        "\(hostile.name): \(answer.status) \(answer.body)")
      XCTAssertFalse(answer.body.contains("\"result\""), hostile.name)
      let stored = try await target.harness.stored(target.wallet)
      XCTAssertEqual(stored, before, hostile.name)
    }
    let after = try await target.harness.stored(target.wallet)
    XCTAssertEqual(after, before)
    // On a busy machine it may be too slow for the server. The same bytes are counted once.
    let isAnswered = try await eventuallySuspending {
      let connection = try RawConnection(port: target.port)
      connection.send(
        ServerTestCase.post(target.path, String(decoding: target.guess.body, as: UTF8.self)))
      return try connection.answer()?.status == 200
    }
    XCTAssertTrue(isAnswered)
    let counted = try await target.harness.stored(target.wallet)
    XCTAssertEqual(counted?.attempts.wrongAttempts, 1)
    XCTAssertEqual(counted?.attempts.failures, target.isEvaluation ? 0 : 1, "in its right form")
    XCTAssertEqual(target.server.end(), 0)
  }

  // MARK: Messages

  func testRefuses112MalformedMessagesAndCountsNone() async throws {
    let target = try await Target(isEvaluation: false)
    let all = try malformed(target).map { name, body in
      Hostile(
        name: name,
        bytes: Array(
          """
          POST \(target.path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
          Content-Length: \(body.count)\r\n\r\n
          """.utf8) + body)
    }
    XCTAssertEqual(all.count, 112)
    XCTAssertEqual(Set(all.map(\.name)).count, all.count)
    try await assertAllAreRefused(all, at: target)
  }

  func testRefuses91MalformedRequestsForAnEvaluationAndCountsNone() async throws {
    let target = try await Target(isEvaluation: true)
    let envelope = try WireJSON.decode(InstructionEnvelope.self, from: target.guess.body)
    let all = try
      (malformedJSON(envelope) + malformedEncodings(envelope, target.guess.body)
      + malformedSignatures(envelope, target.wallet)).map {
        Hostile(
          name: $0,
          bytes: Array(
            """
            POST \(target.path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
            Content-Length: \($1.count)\r\n\r\n
            """.utf8) + $1)
      }
    XCTAssertEqual(all.count, 91)
    try await assertAllAreRefused(all, at: target)
  }

  private func malformed(_ target: Target) throws -> [(String, [UInt8])] {
    let envelope = try WireJSON.decode(InstructionEnvelope.self, from: target.guess.body)
    return try malformedJSON(envelope) + malformedEncodings(envelope, target.guess.body)
      + malformedSignatures(envelope, target.wallet)
      + malformedClaims(envelope, target.wallet)
  }

  private func body(_ signature: String, _ payload: String) -> String {
    #"{"signature":"\#(signature)","payload":"\#(payload)"}"#
  }

  /// Texts that are no envelope.
  private func malformedJSON(_ envelope: InstructionEnvelope) -> [(String, [UInt8])] {
    let (signature, payload) = (envelope.signature, envelope.payload)
    let whole = body(signature, payload)
    let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    let texts: [(String, String)] = [
      ("empty", ""), ("white space", " \n"), ("an empty object", "{}"), ("an array", "[]"),
      ("null", "null"), ("true", "true"), ("a number", "0"), ("a string", "\"x\""),
      ("in an array", "[\(whole)]"), ("twice", whole + whole), ("a rest", whole + "x"),
      ("a second brace", whole + "}"), ("cut off", String(whole.dropLast())),
      ("half", String(whole.prefix(whole.count / 2))),
      ("signature twice", #"{"signature":"\#(signature)",\#(whole.dropFirst())"#),
      ("payload twice", #"{"payload":"\#(payload)",\#(whole.dropFirst())"#),
      (
        "payload twice, once escaped",
        #"{"p\u0061yload":"\#(payload)",\#(whole.dropFirst())"#
      ),
      ("an unknown member twice", #"{"x":1,"x":1,\#(whole.dropFirst())"#),
      ("no signature", #"{"payload":"\#(payload)"}"#),
      ("no payload", #"{"signature":"\#(signature)"}"#),
      ("signature null", #"{"signature":null,"payload":"\#(payload)"}"#),
      ("payload null", #"{"signature":"\#(signature)","payload":null}"#),
      ("signature an array", #"{"signature":["\#(signature)"],"payload":"\#(payload)"}"#),
      ("payload an object", #"{"signature":"\#(signature)","payload":{}}"#),
      ("payload a number", #"{"signature":"\#(signature)","payload":1}"#),
      ("names in capitals", #"{"SIGNATURE":"\#(signature)","PAYLOAD":"\#(payload)"}"#),
      ("a comma at the end", whole.dropLast() + ",}"),
      ("no comma", whole.replacing(",", with: " ")),
      ("a semicolon", whole.replacing(",", with: ";")),
      ("single quotes", whole.replacing("\"", with: "'")),
      ("a comment", "/**/" + whole),
      ("a name without quotes", whole.replacing("\"payload\"", with: "payload")),
      ("deep", #"{"x":\#(deep),\#(whole.dropFirst())"#),
      ("NaN", #"{"x":NaN,\#(whole.dropFirst())"#), ("1e400", #"{"x":1e400,\#(whole.dropFirst())"#),
      ("a fraction", #"{"x":1.0,\#(whole.dropFirst())"#),
      ("a leading zero", #"{"x":01,\#(whole.dropFirst())"#),
      ("half a surrogate", #"{"x":"\ud800",\#(whole.dropFirst())"#),
      ("an unknown escape", #"{"x":"\q",\#(whole.dropFirst())"#),
      ("a line break in a text", "{\"x\":\"\n\",\(whole.dropFirst())"),
    ]
    return texts.map { ($0, Array($1.utf8)) }
  }

  /// Bytes that are not UTF-8, and texts that are not base64url.
  private func malformedEncodings(
    _ envelope: InstructionEnvelope, _ whole: [UInt8]
  ) throws -> [(String, [UInt8])] {
    let (signature, payload) = (envelope.signature, envelope.payload)
    let text = String(decoding: whole, as: UTF8.self)
    func unicode(_ encoding: String.Encoding) throws -> [UInt8] {
      Array(try XCTUnwrap(text.data(using: encoding)))
    }
    let inText: [UInt8] = Array(#"{"x":""#.utf8)
    let rest = Array("\",".utf8) + whole.dropFirst()
    let payloads: [(String, String)] = [
      ("padded", payload + "="), ("padded twice", payload + "=="),
      ("a plus", "+" + payload.dropFirst()),
      ("a slash", "/" + payload.dropFirst()), ("a space", payload + " "),
      ("an escaped line break", payload + #"\n"#), ("a character less", String(payload.dropLast())),
      ("another payload", Base64URL.encode(Array("x".utf8))), ("an empty payload", ""),
    ]
    return [
      ("a byte order mark", [0xEF, 0xBB, 0xBF] + whole), ("UTF-16", try unicode(.utf16)),
      ("UTF-16, little-endian", try unicode(.utf16LittleEndian)),
      ("UTF-16, big-endian", try unicode(.utf16BigEndian)), ("UTF-32", try unicode(.utf32)),
      ("a byte of Latin-1", inText + [0xE9] + rest),
      ("an overlong slash", inText + [0xC0, 0xAF] + rest),
      ("a surrogate", inText + [0xED, 0xA0, 0x80] + rest),
      ("above Unicode", inText + [0xF4, 0x90, 0x80, 0x80] + rest),
      ("half a character", inText + [0xE2, 0x82] + rest), ("a NUL", inText + [0] + rest),
      ("a NUL at the end", whole + [0]), ("compressed", [0x1F, 0x8B, 8, 0] + whole),
      (
        "too long",
        whole.dropLast() + Array(repeating: UInt8(ascii: " "), count: 300 * 1024) + [0x7D]
      ),
    ] + payloads.map { ($0, Array(body(signature, $1).utf8)) }
  }

  /// Signed messages of another form, with a signature that is valid where there can be one.
  private func malformedSignatures(
    _ envelope: InstructionEnvelope, _ wallet: TestWallet
  ) throws -> [(String, [UInt8])] {
    let parts = envelope.signature.split(separator: ".").map(String.init)
    let (header, claims, signature) = (parts[0], parts[1], parts[2])
    func signed(_ header: String) throws -> String {
      let input = Base64URL.encode(Array(header.utf8)) + "." + claims
      return input + "." + Base64URL.encode(try wallet.hardware.sign(Array(input.utf8)))
    }
    let type = #""typ":"wallet-instruction+jwt""#
    let messages: [(String, String)] = [
      ("no message", ""), ("two dots", ".."), ("one part", header),
      ("two parts", "\(header).\(claims)"),
      ("four parts", envelope.signature + ".x"),
      ("five parts, like a JWE", envelope.signature + ".x.y"),
      ("no header", ".\(claims).\(signature)"), ("no claims", "\(header)..\(signature)"),
      ("no signature part", "\(header).\(claims)."),
      ("a short signature", String(envelope.signature.dropLast(2))),
      ("a long signature", envelope.signature + "AA"),
      ("a padded signature", envelope.signature + "="),
      (
        "a signature of zeros",
        "\(header).\(claims).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))"
      ),
      ("alg none", try signed("{\"alg\":\"none\",\(type)}")),
      (
        "alg none without a signature",
        Base64URL.encode(Array("{\"alg\":\"none\",\(type)}".utf8)) + ".\(claims)."
      ),
      ("alg HS256", try signed("{\"alg\":\"HS256\",\(type)}")),
      ("alg ES256", try signed("{\"alg\":\"ES256\",\(type)}")),
      ("alg in small letters", try signed("{\"alg\":\"eddsa\",\(type)}")),
      ("no alg", try signed("{\(type)}")),
      ("alg twice", try signed("{\"alg\":\"EdDSA\",\"alg\":\"EdDSA\",\(type)}")),
      ("no typ", try signed(#"{"alg":"EdDSA"}"#)),
      (
        "typ of a PIN instruction",
        try signed(#"{"alg":"EdDSA","typ":"wallet-pin-instruction+jwt"}"#)
      ),
      ("typ JWT", try signed(#"{"alg":"EdDSA","typ":"JWT"}"#)),
      ("crit", try signed("{\"alg\":\"EdDSA\",\"crit\":[\"x\"],\(type)}")),
      ("b64", try signed("{\"alg\":\"EdDSA\",\"b64\":false,\(type)}")),
      ("jwk", try signed("{\"alg\":\"EdDSA\",\"jwk\":\"x\",\(type)}")),
      ("a header with a byte order mark", try signed("\u{FEFF}{\"alg\":\"EdDSA\",\(type)}")),
      ("a header in an array", try signed("[{\"alg\":\"EdDSA\",\(type)}]")),
    ]
    return messages.map { ($0, Array(body($1, envelope.payload).utf8)) }
  }

  /// Claims that the hardware key signed and that say nothing valid.
  private func malformedClaims(
    _ envelope: InstructionEnvelope, _ wallet: TestWallet
  ) throws -> [(String, [UInt8])] {
    let parts = envelope.signature.split(separator: ".").map(String.init)
    let claims = String(decoding: try XCTUnwrap(Base64URL.decode(parts[1])), as: UTF8.self)
    func changed(_ member: String, to value: String?) throws -> String {
      let range = try XCTUnwrap(
        claims.range(of: "\"\(member)\":(\"[^\"]*\"|[0-9]+),?", options: .regularExpression),
        member)
      let put = value.map { "\"\(member)\":\($0)," } ?? ""
      return claims.replacingCharacters(in: range, with: put).replacing(",}", with: "}")
    }
    let sequence = wallet.sequence
    var all: [(String, String)] = [
      ("claims in an array", "[\(claims)]"), ("claims twice", claims + claims),
      ("sequence twice", #"{"sequence":\#(sequence + 1),\#(claims.dropFirst())"#),
      ("wallet twice", #"{"wallet":"other",\#(claims.dropFirst())"#),
    ]
    for member in [
      "version", "audience", "wallet", "instruction", "payload_hash", "sequence", "challenge",
    ] {
      all.append(("claims without \(member)", try changed(member, to: nil)))
    }
    for spelling in [
      "\(sequence).0", "\(sequence)e0", "-1", "0\(sequence)", "\"\(sequence)\"",
      "18446744073709551616",
    ] {
      all.append(("sequence \(spelling)", try changed("sequence", to: spelling)))
    }
    for (member, value) in [
      ("version", "99"), ("audience", "\"other\""), ("instruction", "\"none\""),
      ("wallet", "\"\""),
    ] { all.append(("another \(member)", try changed(member, to: value))) }
    return try all.map { name, claims in
      let input = parts[0] + "." + Base64URL.encode(Array(claims.utf8))
      let signature = Base64URL.encode(try wallet.hardware.sign(Array(input.utf8)))
      return (name, Array(body(input + "." + signature, envelope.payload).utf8))
    }
  }

  // MARK: Framings

  func testRefuses82FramingsAndCountsNone() async throws {
    let target = try await Target(isEvaluation: true)
    let body = String(decoding: target.guess.body, as: UTF8.self)
    let all = framings(of: body, path: target.path).map { Hostile(name: $0, bytes: Array($1.utf8)) }
    XCTAssertEqual(all.count, 82)
    XCTAssertEqual(Set(all.map(\.name)).count, all.count)
    try await assertAllAreRefused(all, at: target)
  }

  private func framings(of body: String, path: String) -> [(String, String)] {
    let type = "Content-Type: application/json\r\n"
    let rest = "Host: x\r\n" + type
    let length = body.utf8.count
    let size = String(length, radix: 16)
    let chunked = "\(size)\r\n\(body)\r\n0\r\n\r\n"
    func line(_ line: String) -> String {
      "\(line)\r\n\(rest)Content-Length: \(length)\r\n\r\n\(body)"
    }
    func header(_ header: String) -> String {
      "POST \(path) HTTP/1.1\r\n\(rest)\(header)\r\nContent-Length: \(length)\r\n\r\n\(body)"
    }
    func lengths(_ fields: String, _ body: String = body) -> String {
      "POST \(path) HTTP/1.1\r\n\(rest)\(fields)\r\n\r\n\(body)"
    }
    func chunks(_ chunks: String) -> String {
      lengths("Transfer-Encoding: chunked", chunks)
    }
    let lengthFields: [(String, String)] = [
      "Content-Length: \(length)\r\nContent-Length: \(length + 1)",
      "Content-Length: \(length + 1)\r\nContent-Length: \(length)",
      "Content-Length: \(length), \(length + 1)", "Content-Length: -\(length)",
      "Content-Length: +\(length)", "Content-Length: 0x\(size)", "Content-Length: \(length).0",
      "Content-Length: \(length)e0", "Content-Length:", "Content-Length: \(length) \(length)",
      "Content-Length: \(length);", "Content-Length: \"\(length)\"", "Content-Length: x",
      "Content-Length: 18446744073709551616", "Content-Length: 99999999999999999999999",
      "Content-Length : \(length)", "Content Length: \(length)", "Content-Length",
      "Content-Length: \(length)\u{0}",
    ].map { ($0, lengths($0)) }
    let encodings: [(String, String)] = [
      "Transfer-Encoding: chunked\r\nContent-Length: \(length)",
      "Content-Length: \(length)\r\nTransfer-Encoding: chunked",
      "Content-Length: 0\r\nTransfer-Encoding: chunked",
      "Transfer-Encoding: chunked, identity", "Transfer-Encoding: identity",
      "Transfer-Encoding: gzip", "Transfer-Encoding: xchunked", "Transfer-Encoding: chunkedx",
      "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked;q=1",
      "Transfer-Encoding : chunked", "Transfer-Encoding:\u{b}chunked",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    ].map { ($0, lengths($0, chunked)) }
    let chunkings: [(String, String)] = [
      ("a size that is no number", "x\r\n\(body)\r\n0\r\n\r\n"),
      ("a negative size", "-\(size)\r\n\(body)\r\n0\r\n\r\n"),
      ("a size with 0x", "0x\(size)\r\n\(body)\r\n0\r\n\r\n"),
      ("a size with a plus", "+\(size)\r\n\(body)\r\n0\r\n\r\n"),
      ("an empty size", "\r\n\(body)\r\n0\r\n\r\n"),
      ("a size above 64 bits", "1\(String(repeating: "0", count: 16))\r\n\(body)\r\n0\r\n\r\n"),
      ("a size that is too small", "1\r\n\(body)\r\n0\r\n\r\n"),
      ("a size that is too large", "\(String(length + 5, radix: 16))\r\n\(body)\r\n0\r\n\r\n"),
      ("no end of a chunk", "\(size)\r\n\(body)0\r\n\r\n"),
      ("no last chunk", "\(size)\r\n\(body)\r\n"),
      ("no end of the last chunk", "\(size)\r\n\(body)\r\n0\r\n"),
      ("a NUL in a size", "\(size)\u{0}\r\n\(body)\r\n0\r\n\r\n"),
      ("an early last chunk", "0\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"),
    ].map { ("chunks: " + $0, chunks($1)) }
    let lines: [(String, String)] = [
      "POST \(path)", "POST \(path) HTTP/0.9", "POST \(path) HTTP/2.0", "POST \(path) HTTP/3.0",
      "POST \(path) HTTP/1", "POST \(path) http/1.1", "POST \(path) HTTP/1.1 x",
      "POST \(path) HTTX/1.1", "POST \(path) x HTTP/1.1", " POST \(path) HTTP/1.1",
      "P\u{0}ST \(path) HTTP/1.1", "post \(path) HTTP/1.1", "POSTS \(path) HTTP/1.1",
      "POST\t\(path)\tHTTP/1.1", "POST \(path)\u{0} HTTP/1.1", "\(path) HTTP/1.1",
      "GET \(path) HTTP/1.1", "PUT \(path) HTTP/1.1", "PATCH \(path) HTTP/1.1",
      "DELETE \(path) HTTP/1.1", "CONNECT \(path) HTTP/1.1", "PRI * HTTP/2.0",
      "POST \(path)/ HTTP/1.1", "POST /\(path) HTTP/1.1", "POST \(path)%00 HTTP/1.1",
      "POST \(path.uppercased()) HTTP/1.1", "POST * HTTP/1.1",
    ].map { ("line: " + $0, line($0)) }
    let headers: [(String, String)] = [
      "no colon", ": no name", "a name: with a space", "A\u{0}: x", "A: \u{0}", "a\u{7f}: x",
      "A: x\r\n folded: y", "Host: y", "A: \u{1}",
    ].map { ("header: " + $0, header($0)) }
    return lengthFields + encodings + chunkings + lines + headers + [
      ("no host", "POST \(path) HTTP/1.1\r\n\(type)Content-Length: \(length)\r\n\r\n\(body)")
    ]
  }
}
