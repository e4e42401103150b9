import CZlib
import ServerTestSupport
import TestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// Token Status List (draft-ietf-oauth-status-list).
final class StatusListTests: XCTestCase {
  private static let uri = "https://status.example/1"
  private let issuer = CardIssuer()

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<min($0 + 2, digits.count)]), radix: 16)
    }
  }

  private func compress(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(length))
    XCTAssertEqual(compress2(&output, &length, bytes, uLong(bytes.count), 9), Z_OK)
    return Array(output.prefix(Int(length)))
  }

  private func payload(
    bits: Int64 = 1, _ compressed: [UInt8], _ members: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let usual: [String: JSONValue] = [
      "sub": .string(Self.uri), "iat": .integer(CardIssuer.now),
      "status_list": .object([
        "bits": .integer(bits), "lst": .string(Base64URL.encode(compressed)),
      ]),
    ]
    return usual.merging(members) { $1 }
  }

  private func read(
    _ payload: [String: JSONValue], header: String = #"{"alg":"ES256","typ":"statuslist+jwt"}"#,
    uri: String = uri
  ) throws -> StatusList {
    let text = try issuer.sign(JSONValue.object(payload).encoded, header: header)
    return try StatusListToken(parsing: text).verify(uri: uri, by: issuer.verifier)
  }

  func testTheExampleWithOneBit() throws {
    let list = try read(payload(bits: 1, bytes("78dadbb918000217015d")))
    XCTAssertEqual(list.count, 16)
    let values = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    for (index, value) in values.enumerated() {
      XCTAssertEqual(try list.status(at: Int64(index)), value == 0 ? .valid : .invalid, "\(index)")
    }
  }

  func testTheExampleWithTwoBits() throws {
    let list = try read(payload(bits: 2, bytes("78da3be9f2130003df0207")))
    XCTAssertEqual(list.count, 12)
    for (index, value) in [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3].enumerated() {
      XCTAssertEqual(
        try list.status(at: Int64(index)), TokenStatus(value: UInt8(value)), "\(index)")
    }
  }

  /// The draft's example, as an issuer makes it.
  func testAnIssuedListIsTheExampleWithOneBitByteForByte() throws {
    var issued = try IssuedStatusList(
      uri: Self.uri, issuedAt: CardIssuer.now, expires: CardIssuer.now + 86_400, timeToLive: 900,
      size: 16)
    for index: Int64 in [0, 3, 4, 5, 7, 8, 9, 13, 15] { try issued.revoke(index) }
    XCTAssertEqual(try issued.compressed(), bytes("78dadbb918000217015d"))
    let text = try issued.sign(chain: [[1, 2]], signer: TestHardwareKey.p256(issuer.key))
    let token = try StatusListToken(parsing: text)
    XCTAssertEqual(token.chain, [[1, 2]])
    let list = try token.verify(uri: Self.uri, by: issuer.verifier)
    XCTAssertEqual(list.count, 16)
    XCTAssertEqual(try list.status(at: 7), .invalid)
    XCTAssertEqual(try list.status(at: 6), .valid)
    XCTAssertEqual(list.expires, CardIssuer.now + 86_400)
    XCTAssertEqual(list.timeToLive, 900)
  }

  func testAnIssuedListOfAnySizeIsReadAsItWasMade() throws {
    for size: Int64 in [1, 7, 8, 9, 131_072] {
      var issued = try IssuedStatusList(
        uri: Self.uri, issuedAt: 1, expires: 2, timeToLive: 1, size: size)
      var revoked: Set<Int64> = [0, size - 1]
      for _ in 0..<1_000 { revoked.insert(Int64.random(in: 0..<size)) }
      for index in revoked { try issued.revoke(index) }
      let text = try issued.sign(chain: [], signer: TestHardwareKey.p256(issuer.key))
      let list = try StatusListToken(parsing: text).verify(uri: Self.uri, by: issuer.verifier)
      XCTAssertEqual(Int64(list.count), (size + 7) / 8 * 8)
      for index in 0..<Int64(list.count) {
        XCTAssertEqual(try list.status(at: index).isUsable, !revoked.contains(index))
      }
      for beyond in [-1, size, .min, .max] {
        XCTAssertThrowsError(try issued.revoke(beyond)) {
          XCTAssertEqual($0 as? StatusListError, .indexBeyondEnd)
        }
      }
    }
    for size: Int64 in [0, -1, .max, Int64(StatusList.maximumLength) * 8 + 1] {
      XCTAssertThrowsError(
        try IssuedStatusList(uri: "", issuedAt: 1, expires: 2, timeToLive: 1, size: size)
      ) { XCTAssertEqual($0 as? StatusListError, .tooLong) }
    }
  }

  func testFourAndEightBits() throws {
    let four = try read(payload(bits: 4, compress([0x21, 0xF0])))
    XCTAssertEqual(
      try (0..<4).map { try four.status(at: $0) },
      [.invalid, .suspended, .valid, .applicationSpecific(15)])
    let eight = try read(payload(bits: 8, compress([0, 2, 0xFF])))
    XCTAssertEqual(
      try (0..<3).map { try eight.status(at: $0) }, [.valid, .suspended, .reserved(0xFF)])
  }

  func testTimesMayHaveFractionsWhichLengthenNothingRFC7519Section2() throws {
    let list = try read(
      payload(compress([1]), ["iat": .number("1000.5"), "exp": .number("2000.5")]))
    XCTAssertEqual(list.issuedAt, 1001)
    XCTAssertEqual(list.expires, 2000)
  }

  func testOnlyTheStatusZeroIsUsable() {
    for value in UInt8.min...UInt8.max {
      let status = TokenStatus(value: value)
      XCTAssertEqual(status.isUsable, value == 0)
      switch value {
      case 0: XCTAssertEqual(status, .valid)
      case 1: XCTAssertEqual(status, .invalid)
      case 2: XCTAssertEqual(status, .suspended)
      case 3, 12...15: XCTAssertEqual(status, .applicationSpecific(value))
      default: XCTAssertEqual(status, .reserved(value))
      }
    }
  }

  func testEntriesBeyondTheEndAreErrors() throws {
    let list = try read(payload(bits: 1, compress([0, 0])))
    XCTAssertNoThrow(try list.status(at: 15))
    for index in [16, -1, .max, .min] as [Int64] {
      assertRefused(StatusListError.indexBeyondEnd) { try list.status(at: index) }
    }
    let empty = try read(payload(bits: 8, compress([])))
    assertRefused(StatusListError.indexBeyondEnd) { try empty.status(at: 0) }
  }

  func testTheTokenOfAnotherListIsRefused() throws {
    let payload = payload(compress([0]))
    XCTAssertEqual(try read(payload).uri, Self.uri)
    for uri in [Self.uri + "/", "https://status.example/2", "HTTPS://status.example/1", ""] {
      assertRefused(StatusListError.subjectRefused, uri) { try read(payload, uri: uri) }
    }
  }

  func testHeadersAndSignaturesAreChecked() throws {
    let payload = payload(compress([0]))
    for (header, reason) in [
      (#"{"alg":"ES256","typ":"JWT"}"#, .typeRefused), (#"{"alg":"ES256"}"#, .typeRefused),
      (#"{"alg":"ES256","typ":"statuslist+cwt"}"#, .typeRefused),
      (#"{"alg":"EdDSA","typ":"statuslist+jwt"}"#, .algorithmRefused),
      (#"{"alg":"ES256","typ":"statuslist+jwt","crit":["b64"]}"#, .criticalHeader),
    ] as [(String, JOSEError)] {
      assertRefused(StatusListError.jwsRefused(reason), header) {
        try read(payload, header: header)
      }
    }
    let header = #"{"alg":"ES256","typ":"statuslist+jwt","x5c":["AQID"],"kid":"k"}"#
    let text = try issuer.sign(JSONValue.object(payload).encoded, header: header)
    let token = try StatusListToken(parsing: text)
    XCTAssertEqual(token.chain, [[1, 2, 3]])
    XCTAssertEqual(token.keyID, "k")
    assertRefused(StatusListError.jwsRefused(.signatureInvalid)) {
      try token.verify(uri: Self.uri, by: CardIssuer().verifier)
    }
    assertRefused(StatusListError.jwsRefused(.malformed)) {
      try StatusListToken(
        parsing: String(repeating: "A", count: StatusListToken.maximumLength + 1))
    }
  }

  func testMalformedPayloadsAreRefused() throws {
    let good = payload(compress([0]))
    let lst = try XCTUnwrap(good["status_list"]?.object?["lst"]?.string)
    let malformed: [(String, [String])] = [
      ("sub", ["null", "1"]), ("iat", ["null", #""1""#, "1e3", "-1"]),
      ("exp", ["null", "1e3", #""1""#]), ("ttl", ["null", "0", "-1", "0.5", "1e3", #""1""#]),
      ("nbf", ["null", "1e3", #""1""#]),
      (
        "status_list",
        [
          "null", "[]", "{}", #"{"bits":1}"#, #"{"lst":"\#(lst)"}"#,
          #"{"bits":3,"lst":"\#(lst)"}"#, #"{"bits":0,"lst":"\#(lst)"}"#,
          #"{"bits":16,"lst":"\#(lst)"}"#, #"{"bits":-1,"lst":"\#(lst)"}"#,
          #"{"bits":1.0,"lst":"\#(lst)"}"#, #"{"bits":"1","lst":"\#(lst)"}"#,
          #"{"bits":1,"lst":null}"#, #"{"bits":1,"lst":"\#(lst)="}"#, #"{"bits":1,"lst":[0]}"#,
        ]
      ),
    ]
    for (name, values) in malformed {
      for value in values {
        assertRefused(StatusListError.contentMalformed, "\(name): \(value)") {
          try read(good.merging([name: json(value)]) { $1 })
        }
      }
    }
    for name in ["sub", "iat", "status_list"] {
      assertRefused(StatusListError.contentMalformed, name) {
        try read(good.filter { $0.key != name })
      }
    }
    XCTAssertNoThrow(
      try read(good.merging(["aggregation_uri": .null, "other": .number("1.5")]) { $1 }))
  }

  func testATimeToLiveMayHaveAFractionWhichLengthensNothing() throws {
    for (text, seconds) in [("900", 900), ("900.0", 900), ("1.5", 1)] as [(String, Int64)] {
      let list = try read(payload(compress([0]), ["ttl": json(text)]))
      XCTAssertEqual(list.timeToLive, seconds, text)
    }
  }

  func testAListIsNotUsedBeforeItsTimeRFC7519Section4() throws {
    let now = CardIssuer.now
    let list = try read(payload(compress([0]), ["nbf": .integer(now + 1000)]))
    XCTAssertEqual(list.age(at: now, fetchedAt: now), .notYetValid)
    XCTAssertNil(list.lapse(fetchedAt: now))
    XCTAssertEqual(list.age(at: now + 1000, fetchedAt: now + 1000), .fresh)
  }

  func testDamagedStreamsAreRefused() throws {
    let stream = compress((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    func refused(_ stream: [UInt8], _ message: String = "", line: UInt = #line) {
      assertRefused(StatusListError.compressionMalformed, message, line: line) {
        try read(payload(stream))
      }
    }
    XCTAssertNoThrow(try read(payload(stream)))
    refused([])
    for count in [1, 2, 3, stream.count / 2, stream.count - 4, stream.count - 1] {
      refused(Array(stream.prefix(count)), "cut off at \(count)")
    }
    refused(stream + [0], "followed by a byte")
    refused(stream + stream, "followed by a stream")
    var damaged = stream
    damaged[stream.count - 1] ^= 1
    refused(damaged, "another checksum")
    // DEFLATE without the frame of zlib, gzip, and a stream that needs a dictionary.
    refused(Array(stream.dropFirst(2).dropLast(4)))
    refused([0x1F, 0x8B] + stream.dropFirst(2))
    refused([0x78, 0xBB, 0, 0, 0, 1] + stream.dropFirst(2))
    refused([UInt8](repeating: 0x55, count: 40))
  }

  func testMutatedStreamsNeverTrap() throws {
    let seed = Sample.stressSeed
    print("mutated status lists: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let stream = compress((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    var refused = 0
    let rounds = Sample.rounds(200, of: 5000)
    for _ in 0..<rounds {
      var mutated = stream
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: mutated.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutated[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: mutated.remove(at: place)
        default: mutated.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      do { _ = try read(payload(mutated)) } catch { refused += 1 }
    }
    // Few changes cancel each other out.
    XCTAssertGreaterThan(refused, rounds * 9 / 10)
  }

  func testTheLengthIsBounded() throws {
    // 16 MiB of zeros are 16 KB of zlib.
    let longest = compress([UInt8](repeating: 0, count: StatusList.maximumLength))
    XCTAssertLessThan(longest.count, 20_000)
    XCTAssertEqual(try read(payload(bits: 8, longest)).count, StatusList.maximumLength)
    let bomb = compress([UInt8](repeating: 0, count: StatusList.maximumLength + 1))
    assertRefused(StatusListError.tooLong) { try read(payload(bomb)) }
  }

  func testAge() throws {
    let now = CardIssuer.now
    func list(_ members: [String: JSONValue]) throws -> StatusList {
      try read(payload(compress([0]), members))
    }
    let both = try list(["exp": .integer(now + 1000), "ttl": .integer(100)])
    for (time, fetchedAt, age) in [
      (now, now, .fresh), (now + 99, now, .fresh), (now + 100, now, .stale),
      (now + 199, now + 100, .fresh), (now + 999, now, .stale), (now + 1000, now + 1000, .expired),
      (now - 60, now - 60, .fresh), (now - 61, now - 61, .notYetValid),
      // The clock was set back.
      (now, now + 10, .stale), (.min, now, .notYetValid), (.max, now, .expired),
    ] as [(Int64, Int64, StatusListAge)] {
      XCTAssertEqual(both.age(at: time, fetchedAt: fetchedAt), age, "\(time - now)")
    }
    let day: Int64 = 24 * 60 * 60
    let endless = try [[:], ["exp": .integer(253_402_300_799), "ttl": .integer(253_402_300_799)]]
      .map(list)
    for list in endless {
      for (held, age) in [
        (0, .fresh), (day - 1, .fresh), (day, .stale), (7 * day - 1, .stale), (7 * day, .expired),
        (-1, .stale),
      ] as [(Int64, StatusListAge)] {
        XCTAssertEqual(list.age(at: now + held, fetchedAt: now), age, "\(held)")
      }
    }
    let brief = try list(["ttl": .integer(100)])
    XCTAssertEqual(brief.age(at: .max, fetchedAt: .max), .fresh)
    XCTAssertEqual(brief.age(at: .max, fetchedAt: .min), .expired)
  }
}
