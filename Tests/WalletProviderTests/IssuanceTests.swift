import ServerTestSupport
import WalletAttempts
import WalletCredentials
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

/// The PID: who gets it, what it contains, and which proofs it requires.
class IssuanceTests: StoreTestCase {
  private static let day: Int64 = 86_400

  private func midnight(_ harness: ProviderHarness) -> Int64 {
    harness.clock.now / 1000 / Self.day * Self.day
  }

  func testPIDContainsTheEvidenceAndIsBoundToTheKey() async throws {
    var settings = ProviderSettings()
    settings.proofing.issuingAuthority = "Example Authority"
    settings.proofing.issuingCountry = "US"
    let harness = try ProviderHarness(settings: settings)
    let key = TestHardwareKey.makeP256()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let (pid, verified, compact) = try wallet.verified(
      try await wallet.issue(session.id, pidKey: key))
    XCTAssertEqual(pid.familyName, "Mustermann")
    XCTAssertEqual(pid.givenName, "Erika Maria")
    XCTAssertEqual(pid.birthdate, try TestPerson.claims().birthDate)
    XCTAssertEqual(pid.ageEqualOrOver, ["16": true, "18": true, "21": true, "65": false])
    XCTAssertEqual(pid.issuingAuthority, "Example Authority")
    XCTAssertEqual(pid.issuingCountry, "US")
    XCTAssertEqual(
      pid.verification,
      PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: false, demonstration: true))
    XCTAssertEqual(verified.terms.holderKey?.der, key.der)
    XCTAssertEqual(verified.terms.issuedAt, midnight(harness))
    XCTAssertEqual(verified.terms.expires, midnight(harness) + 90 * Self.day)
    XCTAssertEqual(Set(verified.disclosable), PIDClaims.disclosable)
    XCTAssertFalse(compact.split(separator: "~").first?.contains("Mustermann") ?? true)
  }

  /// What two verifiers see has nothing in common but what the claims and the issuer force.
  func testCopiesHaveNothingInCommonBeyondWhatTheyState() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let keys = (0..<10).map { _ in TestHardwareKey.makeP256() }
    let copies = try wallet.copies(try await wallet.issue(session.id, pidKeys: keys))
    XCTAssertEqual(copies.count, keys.count)
    var payloads: [[String: JSONValue]] = []
    var seen: Set<String> = []
    for (copy, key) in zip(copies, keys) {
      let verified = try harness.verified(copy)
      XCTAssertEqual(verified.terms.holderKey?.der, key.der, "in the order of the keys")
      let parts = copy.split(separator: "~").map(String.init)
      let jws = parts[0].split(separator: ".").map(String.init)
      for part in parts.dropFirst() + [jws[2]] {
        XCTAssertTrue(seen.insert(part).inserted, "a disclosure or signature twice")
      }
      payloads.append(
        try XCTUnwrap(JSONValue(parsing: XCTUnwrap(Base64URL.decode(jws[1]))).object))
      XCTAssertEqual(jws[0], copies[0].split(separator: ".").first.map(String.init))
    }
    let forced: Set<String> = [
      "vct", "iat", "exp", "_sd_alg", "date_of_expiry", "issuing_authority", "issuing_country",
      "verification",
    ]
    let own: Set<String> = ["_sd", "age_equal_or_over", "cnf", "status"]
    for (index, payload) in payloads.enumerated() {
      XCTAssertEqual(Set(payload.keys), forced.union(own))
      for other in payloads[..<index] {
        for name in forced { XCTAssertEqual(payload[name], other[name], name) }
        for name in own {
          XCTAssertTrue(
            Self.leaves(payload[name]).isDisjoint(with: Self.leaves(other[name])), name)
        }
      }
    }
  }

  /// The scalars in a value, but for what every copy must have.
  private static func leaves(_ value: JSONValue?) -> Set<[UInt8]> {
    switch value {
    case .object(let members):
      members.filter { !["kty", "crv", "uri"].contains($0.key) }
        .reduce(into: []) { $0.formUnion(leaves($1.value)) }
    case .array(let values): values.reduce(into: []) { $0.formUnion(leaves($1)) }
    case let scalar?: [scalar.encoded]
    case nil: []
    }
  }

  func testNobodyGetsAPIDWithoutThePINSinceTheVerdict() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    // A PIN before the verdict does not count.
    _ = try await wallet.checkRight()
    harness.clock.advance(1000)
    let proofed = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(proofed.state, .proofed)
    let key = TestHardwareKey.makeP256()
    for _ in 0..<2 {
      let outcome = try await wallet.issue(session.id, pidKey: key, provesPin: false)
      guard case .proofing(let status) = outcome else {
        return XCTFail("a PID for the hardware key alone")
      }
      XCTAssertEqual(status.state, .proofed)
      guard case .wrong = try await wallet.check("654321") else {
        return XCTFail("a wrong PIN was not wrong")
      }
    }
    let stored = try await harness.session(session.id)
    XCTAssertNil(stored?.pidKeys)
    _ = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    // It may be fetched again without another PIN.
    _ = try wallet.verified(
      try await wallet.issue(session.id, pidKey: key, provesPin: false))
  }

  func testAPINBeforeTheVerdictDoesNotCountWhateverTheClockSays() async throws {
    for change: Int64 in [0, -5_000] {
      let harness = try ProviderHarness()
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      _ = try await wallet.checkRight()
      harness.clock.advance(change)
      _ = try await wallet.submit(try TestPerson.claims(), session.id)
      let outcome = try await wallet.issue(session.id, pidKey: .makeP256(), provesPin: false)
      guard case .proofing(let status) = outcome else {
        return XCTFail("a PID for the hardware key alone")
      }
      XCTAssertEqual(status.state, .proofed)
    }
  }

  func testARepeatedRequestGetsTheSameEntriesOfTheStatusList() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let keys = (0..<3).map { _ in TestHardwareKey.makeP256() }
    func sources() async throws -> [CredentialStatusSource] {
      try wallet.copies(try await wallet.issue(session.id, pidKeys: keys))
        .map { try harness.verified($0).terms.status }
    }
    let first = try await sources()
    let second = try await sources()
    XCTAssertEqual(first, second)
    XCTAssertFalse(first.contains(.none))
  }

  func testOnlyP256KeysAndUpToTwentyDifferentOnesGetCopies() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let key = TestHardwareKey.makeP256()
    for keys in [
      [TestHardwareKey.makeEd25519()], [key, key], [],
      (0..<21).map { _ in TestHardwareKey.makeP256() },
    ] {
      let kind = await problem { try await wallet.issue(session.id, pidKeys: keys) }
      XCTAssertEqual(kind, .malformedRequest, "\(keys.count)")
    }
    let most = (0..<20).map { _ in TestHardwareKey.makeP256() }
    let copies = try wallet.copies(try await wallet.issue(session.id, pidKeys: most))
    XCTAssertEqual(copies.count, 20)
  }

  func testLostPIDCanBeFetchedAgainUntilTheSessionEnds() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let key = TestHardwareKey.makeP256()
    let first = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    harness.clock.advance(23 * 3_600_000)
    let second = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    XCTAssertEqual(first.pid, second.pid)
    XCTAssertEqual(first.verified.terms.issuedAt, second.verified.terms.issuedAt)
    XCTAssertNotEqual(first.compact, second.compact)
    harness.clock.advance(3_600_000)
    let late = try await wallet.issue(session.id, pidKey: key)
    XCTAssertEqual(late, .proofing(ProofingStatus(.lapsed)))
    let stored = try await harness.session(session.id)
    XCTAssertNil(stored)
  }

  /// The first issuance revokes the former PID, so an answer that is lost must not leave the wallet
  /// without any.
  func testThereIsTimeToFetchAPIDAgainThatWasFirstFetchedAtTheLastMoment() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let key = TestHardwareKey.makeP256()
    harness.clock.advance(harness.settings.proofing.issuanceLife - 1000)
    let first = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    harness.clock.advance(harness.settings.proofing.issuanceLife - 1000)
    let second = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    XCTAssertEqual(first.pid, second.pid)
    harness.clock.advance(1000)
    let late = try await wallet.issue(session.id, pidKey: key)
    XCTAssertEqual(late, .proofing(ProofingStatus(.lapsed)))
  }

  func testProofedSessionIssuesForOneKeyOnly() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    let key = TestHardwareKey.makeP256()
    _ = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
    // A wallet that proves another key has lost the first one, and could never continue.
    for key in [.makeP256(), key] {
      let other = try await wallet.issue(session.id, pidKey: key)
      XCTAssertEqual(other, .proofing(ProofingStatus(.lapsed)))
      let stored = try await harness.session(session.id)
      XCTAssertNil(stored)
    }
    // It continues with a new code.
    let next = try await harness.accounts.issueCode(account: code.account)
    let again = try await wallet.claimed(try XCTUnwrap(next))
    _ = try await wallet.submit(try TestPerson.claims(), again.id)
    _ = try wallet.verified(try await wallet.issue(again.id, pidKey: .makeP256()))
  }

  func testIssuesAPIDAfterTheClockWasSetBack() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    harness.clock.advance(-5_000)
    _ = try await wallet.checkRight()
    harness.clock.advance(-5_000)
    let (_, verified, _) = try wallet.verified(
      try await wallet.issue(session.id, pidKey: .makeP256(), provesPin: false))
    XCTAssertEqual(verified.terms.issuedAt, midnight(harness))
    XCTAssertEqual(verified.terms.expires, midnight(harness) + 90 * Self.day)
  }

  func testRefusesProofingInstructionsOfABlockedWallet() async throws {
    let harness = try ProviderHarness()
    let (temporary, permanent) = (
      AttemptState(
        wrongAttempts: 4, block: AttemptBlock(since: harness.clock.now, duration: 60_000)),
      AttemptState(wrongAttempts: 16, blockedPermanently: true)
    )
    for attempts in [temporary, permanent] {
      let wallet = try await TestWallet.confirmed(harness)
      let open = try await wallet.newSession()
      let proofed = try await wallet.newSession()
      let claims = try TestPerson.claims(number: Base64URL.encode(wallet.salt))
      _ = try await wallet.submit(claims, proofed.id)
      let code = try await harness.accounts.create(try TestPerson.person())
      func set(_ attempts: AttemptState) async throws {
        let found = try await harness.stored(wallet)
        var stored = try XCTUnwrap(found)
        stored.attempts = attempts
        try await harness.store.transaction { [stored] in try $0.update(stored) }
      }
      try await set(attempts)
      let kinds = [
        await problem { try await wallet.claim(code) },
        await problem { try await wallet.submit(claims, open.id) },
        await problem { try await wallet.issue(proofed.id, pidKey: .makeP256()) },
      ]
      XCTAssertEqual(kinds, Array(repeating: .instructionRefused, count: 3))
      let status = try await wallet.status(proofed.id)
      XCTAssertEqual(status.state, .proofed)
      try await set(AttemptState())
      _ = try wallet.verified(try await wallet.issue(proofed.id, pidKey: .makeP256()))
    }
  }

  func testPIDExpiresNinetyDaysAfterTheVerdictOrWithTheDocument() async throws {
    let harness = try ProviderHarness()
    // 2023-11-15 08:00 UTC, when 2023-11-14 is over in California, is rounded down.
    for (expiry, end) in [
      ("2023-11-14", midnight(harness) + Self.day),
      ("2030-06-30", midnight(harness) + 90 * Self.day),
    ] as [(String, Int64)] {
      let wallet = try await TestWallet.confirmed(harness)
      let session = try await wallet.newSession()
      _ = try await wallet.submit(try TestPerson.claims(number: expiry, expiry: expiry), session.id)
      let key = TestHardwareKey.makeP256()
      let first = try wallet.verified(try await wallet.issue(session.id, pidKey: key))
      XCTAssertEqual(first.verified.terms.expires, end)
    }
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    _ = try await wallet.submit(try TestPerson.claims(expiry: "2023-11-14"), session.id)
    harness.clock.advance(35_200_000)
    let late = try await wallet.issue(session.id, pidKey: .makeP256())
    XCTAssertEqual(late, .proofing(ProofingStatus(.lapsed)))
  }

  func testAgeIsComputedInTheIssuersTimeZone() async throws {
    var settings = ProviderSettings()
    settings.proofing.minimumAge = 0
    let harness = try ProviderHarness(settings: settings)
    // 2023-11-15 00:13 UTC is still the 14th in California.
    harness.clock.advance(2 * 3_600_000)
    let wallet = try await TestWallet.confirmed(harness)
    let person = try TestPerson.person(birth: "2005-11-15")
    let session = try await wallet.claimed(try await harness.accounts.create(person))
    _ = try await wallet.submit(try TestPerson.claims(birth: "2005-11-15"), session.id)
    let (pid, _, _) = try wallet.verified(try await wallet.issue(session.id, pidKey: .makeP256()))
    XCTAssertEqual(pid.ageEqualOrOver, ["16": true, "18": false, "21": false, "65": false])
  }

  func testRetransmissionGetsTheSamePID() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    _ = try await wallet.checkRight()
    let challenge = try await wallet.challenge(for: .issuePID)
    let request = try wallet.prepareSealed(
      .issuePID, wallet.issuance(session.id, pidKey: .makeP256(), challenge: challenge),
      challenge: challenge)
    let first = try await wallet.send(request)
    let second = try await wallet.send(request)
    XCTAssertEqual(first, second)
  }

  func testIssuesNoPIDWithoutAProofedSession() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let open = try await wallet.newSession()
    guard case .proofing(let status) = try await wallet.issue(open.id, pidKey: .makeP256()) else {
      return XCTFail("a PID without a verdict")
    }
    XCTAssertEqual(status.state, .open)
    let foreign = try await TestWallet.confirmed(harness).proofedSession()
    for id in [foreign.id, "", "x"] {
      let outcome = try await wallet.issue(id, pidKey: .makeP256())
      XCTAssertEqual(outcome, .proofing(ProofingStatus(.lapsed)))
    }
  }

  func testRefusesAProofByAnotherKeyOrForAnotherRequest() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let other = try await TestWallet.confirmed(harness)
    let session = try await wallet.proofedSession()
    let key = TestHardwareKey.makeP256()
    let earlier = try await wallet.challenge(for: .issuePID)
    let tampered: [(String, @Sendable (inout PIDKeyProofClaims) -> Void)] = [
      ("version", { $0.version = 1 }), ("audience", { $0.audience = "another" }),
      ("wallet", { [id = other.id] in $0.wallet = id }), ("session", { $0.session = "another" }),
      ("challenge", { $0.challenge = earlier }),
    ]
    for (name, tamper) in tampered {
      let challenge = try await wallet.challenge(for: .issuePID)
      let payload = try wallet.issuance(
        session.id, pidKey: key, challenge: challenge, tamper: tamper)
      let kind = await problem {
        try await wallet.send(wallet.prepareSealed(.issuePID, payload, challenge: challenge))
      }
      XCTAssertEqual(kind, .instructionRefused, name)
    }
    let challenge = try await wallet.challenge(for: .issuePID)
    var payload = try wallet.issuance(session.id, pidKey: key, challenge: challenge)
    payload.keys[0].key = Base64URL.encode(TestHardwareKey.makeP256().der)
    var kind = await problem { [payload] in
      try await wallet.send(wallet.prepareSealed(.issuePID, payload, challenge: challenge))
    }
    XCTAssertEqual(kind, .instructionRefused)
    for proof in ["", "a.b.c", "x"] {
      payload = try wallet.issuance(session.id, pidKey: key, challenge: challenge)
      payload.keys[0].proof = proof
      kind = await problem { [payload] in
        try await wallet.send(wallet.prepareSealed(.issuePID, payload, challenge: challenge))
      }
      XCTAssertEqual(kind, .instructionRefused)
    }
    // A signature of another type is no proof, whatever it contains.
    let claims = PIDKeyProofClaims(
      audience: harness.configuration.providerID, wallet: wallet.id, session: session.id,
      challenge: challenge)
    payload.keys[0].proof = try SignedMessage.sign(claims, type: .instruction, signer: key)
    kind = await problem { [payload] in
      try await wallet.send(wallet.prepareSealed(.issuePID, payload, challenge: challenge))
    }
    XCTAssertEqual(kind, .instructionRefused)
    for (key, recipient) in [("AAAA", payload.recipient), (payload.keys[0].key, "AAAA")] {
      payload.keys[0].key = key
      payload.recipient = recipient
      kind = await problem { [payload] in
        try await wallet.send(wallet.prepareSealed(.issuePID, payload, challenge: challenge))
      }
      XCTAssertEqual(kind, .malformedRequest)
    }
  }

  func testClosedAccountGetsNoMorePIDs() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    _ = try await harness.accounts.close(account: code.account)
    let outcome = try await wallet.issue(session.id, pidKey: .makeP256())
    XCTAssertEqual(outcome, .proofing(ProofingStatus(.lapsed)))
  }
}
