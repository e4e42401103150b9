import Crypto
import Foundation
import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import WalletSignatures
import WalletTrust
import XCTest

/// An invented person with a licence of an invented number.
enum TestPerson {
  static func person(
    family: String = "Mustermann", given: String = "Erika Maria", birth: String = "1990-12-31"
  ) throws -> AccountPerson {
    try AccountPerson(
      label: "erika.mustermann@example.org", familyName: family, givenName: given, birthDate: birth)
  }

  static func claims(
    family: String = "MUSTERMANN", given: String = "ERIKA", middle: String? = "MARIA",
    birth: String = "1990-12-31", number: String = "D1234567", expiry: String = "2030-06-30",
    issuer: String = "636014", kind: LicenceKind = .licence, warnings: [String] = []
  ) throws -> LicenceClaims {
    LicenceClaims(
      familyName: family, givenName: given, middleNames: middle,
      birthDate: try XCTUnwrap(CalendarDate(birth)), documentNumber: number,
      expiryDate: try XCTUnwrap(CalendarDate(expiry)), issuerNumber: issuer, documentKind: kind,
      warnings: warnings)
  }
}

extension ProofingSettings {
  /// The settings of a provider that needs no authoritative source.
  static var forDemonstration: ProofingSettings {
    var settings = ProofingSettings()
    settings.demonstration = true
    return settings
  }
}

extension ProviderHarness {
  var accounts: AccountAdministration {
    AccountAdministration(
      identity: directory.identity, store: store, settings: settings.proofing)
  }

  func code(
    _ session: StoredProofingSession
  ) async throws -> StoredEnrolmentCode? {
    try await store.transaction { try $0.enrolmentCode(hash: session.code) }
  }

  func session(_ id: String) async throws -> StoredProofingSession? {
    try await store.transaction { try $0.proofingSession(id: id) }
  }
}

extension TestWallet {
  /// A proofing instruction with a sealed payload.
  func prepareSealed(
    _ instruction: InstructionName, _ payload: some Encodable, challenge: String
  ) throws -> Prepared {
    let key = harness.configuration.encryptionKeys[0]
    let box = sealed(try WireJSON.encode(payload), to: Base64URL.decode(key.key) ?? [])
    var claims = claims(
      instruction, payload: box, challenge: challenge, sequence: nextSequence())
    claims.encryptionKey = key.id
    return try prepare(claims, payload: box)
  }

  func claim(
    _ code: IssuedCode, to provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    try await claim(secret: code.secret, to: provider)
  }

  func claim(
    secret: [UInt8], to provider: Provider? = nil
  ) async throws -> InstructionOutcome {
    try await send(prepareClaim(secret), to: provider)
  }

  func claimPayload(_ secret: [UInt8], challenge: String) -> ClaimPayload {
    ClaimPayload(wallet: id, challenge: challenge, secret: Base64URL.encode(secret))
  }

  /// A claim that is ready to send.
  func prepareClaim(_ secret: [UInt8]) async throws -> Prepared {
    let challenge = try await challenge(for: .claimEnrolmentCode)
    return try prepareSealed(
      .claimEnrolmentCode, claimPayload(secret, challenge: challenge), challenge: challenge)
  }

  /// A submission that is ready to send.
  func prepareSubmission(
    _ claims: LicenceClaims, _ session: String, key: [UInt8]? = nil
  ) async throws -> Prepared {
    let challenge = try await challenge(for: .submitEvidence)
    return try prepareSealed(
      .submitEvidence, submission(claims, session, key: key, challenge: challenge),
      challenge: challenge)
  }

  /// The session of a claim, which must succeed.
  func claimed(_ code: IssuedCode) async throws -> ProofingSession {
    let outcome = try await claim(code)
    guard case .claimed(let session) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    return session
  }

  func release(_ session: String) async throws -> InstructionOutcome {
    try await send(
      preparePlain(
        .releaseClaim, SessionPayload(session: session),
        challenge: try await challenge(for: .releaseClaim)))
  }

  func submission(
    _ claims: LicenceClaims, _ session: String, key: [UInt8]? = nil, challenge: String
  ) -> SubmissionPayload<LicenceClaims> {
    SubmissionPayload(
      wallet: id, challenge: challenge, session: session,
      idempotencyKey: Base64URL.encode(key ?? (0..<16).map { _ in UInt8.random(in: 0...255) }),
      evidence: claims)
  }

  func submit(
    _ claims: LicenceClaims, _ session: String, key: [UInt8]? = nil, to provider: Provider? = nil
  ) async throws -> ProofingStatus {
    let outcome = try await send(
      prepareSubmission(claims, session, key: key), to: provider)
    guard case .proofing(let status) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    return status
  }

  func status(_ session: String, of provider: Provider? = nil) async throws -> ProofingStatus {
    let outcome = try await send(
      preparePlain(
        .proofingStatus, SessionPayload(session: session),
        challenge: try await challenge(for: .proofingStatus)), to: provider)
    guard case .proofing(let status) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    return status
  }

  /// A session for a new account of the invented person.
  func newSession() async throws -> ProofingSession {
    try await claimed(try await harness.accounts.create(try TestPerson.person()))
  }

  /// A proofed session.
  func proofedSession() async throws -> ProofingSession {
    let session = try await newSession()
    let status = try await submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status.state, .proofed)
    return session
  }

  func issuance(
    _ session: String, pidKeys: [TestHardwareKey], challenge: String,
    tamper: (inout PIDKeyProofClaims) -> Void = { _ in }
  ) throws -> IssuancePayload {
    var proof = PIDKeyProofClaims(
      audience: harness.configuration.providerID, wallet: id, session: session,
      challenge: challenge)
    tamper(&proof)
    return IssuancePayload(
      session: session,
      keys: try pidKeys.map { key in
        IssuancePayload.Key(
          key: Base64URL.encode(key.der),
          proof: try SignedMessage.sign(proof, type: .pidKeyProof, signer: key))
      }, recipient: Base64URL.encode(shareKey.publicKey))
  }

  func issuance(
    _ session: String, pidKey: TestHardwareKey, challenge: String,
    tamper: (inout PIDKeyProofClaims) -> Void = { _ in }
  ) throws -> IssuancePayload {
    try issuance(session, pidKeys: [pidKey], challenge: challenge, tamper: tamper)
  }

  /// Asks for the PID.
  ///
  /// - Parameter provesPin: whether the PIN is checked first, as a wallet does after the verdict.
  func issue(
    _ session: String, pidKeys: [TestHardwareKey], provesPin: Bool = true
  ) async throws -> InstructionOutcome {
    if provesPin { _ = try await checkRight() }
    let challenge = try await challenge(for: .issuePID)
    return try await send(
      prepareSealed(
        .issuePID, issuance(session, pidKeys: pidKeys, challenge: challenge),
        challenge: challenge))
  }

  func issue(
    _ session: String, pidKey: TestHardwareKey, provesPin: Bool = true
  ) async throws -> InstructionOutcome {
    try await issue(session, pidKeys: [pidKey], provesPin: provesPin)
  }

  /// The copies of the PID in an outcome, as they came.
  func copies(_ outcome: InstructionOutcome) throws -> [String] {
    guard case .pid(let sealed) = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    return try WireJSON.decode(IssuedPID.self, from: XCTUnwrap(shareKey.open(sealed))).copies
  }

  /// The first copy of the PID in an outcome, verified as a wallet does: by the anchors of the
  /// configuration.
  func verified(
    _ outcome: InstructionOutcome, now: Int64? = nil
  ) throws -> (pid: PIDClaims, verified: VerifiedCredential, compact: String) {
    let compact = try XCTUnwrap(copies(outcome).first)
    let verified = try harness.verified(compact, now: now)
    let claims = verified.claims.object?.filter { PIDClaims.names.contains($0.key) } ?? [:]
    return (
      try WireJSON.decode(PIDClaims.self, from: JSONValue.object(claims).encoded), verified, compact
    )
  }
}

extension ProviderHarness {
  /// A copy of a PID, verified by the anchors of the configuration.
  func verified(_ copy: String, now: Int64? = nil) throws -> VerifiedCredential {
    let credential = try Credential(parsing: copy)
    let anchors = TrustAnchors.readable(in: configuration.trustAnchors).anchors
    let issuer = try anchors.judge(
      chain: credential.chain, role: .issuer, now: now ?? clock.now / 1000)
    let verified = try credential.verify(by: issuer.verifier)
    XCTAssertTrue(issuer.mayIssue([verified.terms.type]))
    XCTAssertEqual(verified.terms.type, configuration.pidType)
    return verified
  }
}

extension PIDClaims {
  /// The names of the claims about the holder.
  static let names: Set<String> = [
    "family_name", "given_name", "birthdate", "age_equal_or_over", "date_of_expiry",
    "issuing_authority", "issuing_country", "verification",
  ]
}
