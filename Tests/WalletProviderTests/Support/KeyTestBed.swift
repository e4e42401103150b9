import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import WalletSignatures
import XCTest

/// A data directory whose keys change, with wallets and servers that use it.
final class KeyTestBed {
  /// Uses the machine's clock, like the processes on the directory.
  let harness: ProviderHarness
  /// The store of the provider that started last.
  private(set) var store: any CountingProviderStore

  init() throws {
    harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    store = harness.store
  }

  // MARK: The command

  func keys(_ arguments: String...) throws -> ProgramResult {
    try run(arguments)
  }

  /// The id that a command prints; the command must succeed.
  @discardableResult
  func id(
    _ arguments: String..., file: StaticString = #filePath, line: UInt = #line
  ) throws -> String {
    let result = try run(arguments)
    XCTAssertEqual(result.status, 0, result.errors, file: file, line: line)
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func run(_ arguments: [String]) throws -> ProgramResult {
    // Options come before the rest, which may end with an id after two hyphens.
    try Program.run(
      Program.provider,
      ["keys"] + arguments.prefix(1) + ["--data", harness.path] + arguments.dropFirst(),
      environment: environment)
  }

  /// The lines of `keys list` for a role, split into words without the role.
  func list(_ role: KeyRole) throws -> [[String]] {
    try keys("list").output.split(separator: "\n")
      .map { $0.split(separator: " ").map(String.init) }
      .filter { $0.first == role.rawValue }.map { Array($0.dropFirst()) }
  }

  // MARK: Servers

  func server() throws -> ServerProcess {
    try ServerProcess(["--data", harness.path], environment: environment)
  }

  /// The environment that tells programs on the directory which store to use.
  var environment: [String: String] {
    guard case .database(let url) = harness.storeLocation else { return [:] }
    return ["WALLET_PROVIDER_DATABASE": url.text]
  }

  /// A provider like that of a process that starts now, with the current keys.
  func startedProvider() throws -> (provider: Provider, directory: DataDirectory) {
    let directory = try DataDirectory(path: harness.path, settings: harness.settings)
    store = try harness.storeLocation.open(
      clock: harness.clock, authentication: try directory.identity.rowAuthentication())
    return (
      Provider(
        identity: directory.identity, store: store, evaluator: harness.evaluator,
        settings: harness.settings, observer: harness.observer), directory
    )
  }

  /// What a server publishes.
  func configuration(of server: ServerProcess) throws -> ConfigurationClaims {
    let answer = try Program.curl(try server.url() + Route.configuration)
    return try SignedMessage(parsing: answer.output).unverifiedContent(ConfigurationClaims.self)
  }

  private func post(_ path: String, _ body: String, to server: ServerProcess) throws -> String {
    let answer = try Program.curl(
      try server.url() + path, "--header", "Content-Type: application/json", "--data-binary", body,
      "--max-time", "\(Int(Patience.seconds))")
    XCTAssertEqual(answer.status, 0, answer.errors)
    return answer.output
  }

  /// The answer of a server, verified like a wallet does, and the id of the signing key.
  func send(
    _ request: TestWallet.Prepared, to server: ServerProcess
  ) throws -> (outcome: InstructionOutcome, keyID: String?) {
    let text = try post(
      request.path, String(decoding: request.body, as: UTF8.self), to: server)
    let answer = try WireJSON.decode(InstructionAnswer.self, from: Array(text.utf8))
    return (
      try harness.result(answer, to: request.body, claims: request.claims),
      try SignedMessage(parsing: answer.result).keyID
    )
  }

  // MARK: Wallets

  /// A wallet that registers and confirms at a server.
  func wallet(at server: ServerProcess) throws -> (wallet: TestWallet, certificate: String) {
    let wallet = TestWallet(harness)
    let asked = try wallet.prepareRegistrationChallenge()
    let request = try wallet.preparePin(
      .register, pin: "123654",
      challenge: try wallet.challenge(in: try send(asked, to: server).outcome, of: asked))
    let outcome = try send(request, to: server).outcome
    wallet.remember(outcome, of: request)
    guard case .registered(let certificate, _, _) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    wallet.id = try content(of: certificate).wallet
    let confirmation = try wallet.preparePlain(
      .confirmRegistration, EmptyPayload(),
      challenge: try challenge(.confirmRegistration, wallet, at: server))
    XCTAssertEqual(try send(confirmation, to: server).outcome, .confirmed)
    return (wallet, certificate)
  }

  /// A certificate, verified with the keys that the wallets know.
  func content(of certificate: String) throws -> CertificateClaims {
    let message = try SignedMessage(parsing: certificate)
    let key = try XCTUnwrap(
      harness.configuration.certificateKeys.first { $0.id == message.keyID })
    let verifier = try XCTUnwrap(PublicKeyVerifier(ed25519: Base64URL.decode(key.key) ?? []))
    return try message.content(CertificateClaims.self, type: .certificate, verifier: verifier)
  }

  func challenge(
    _ instruction: InstructionName, _ wallet: TestWallet, at server: ServerProcess
  ) throws -> String {
    let request = try wallet.prepareChallenge(instruction)
    return try wallet.challenge(in: try send(request, to: server).outcome, of: request)
  }

  /// Checks a PIN; returns whether it is right, and the id of the key that signed the answer.
  @discardableResult
  func check(
    _ wallet: TestWallet, pin: String = "123654", at server: ServerProcess
  ) throws -> (isRight: Bool, keyID: String?) {
    let request = try wallet.preparePin(
      .checkPin, pin: pin, challenge: try challenge(.checkPin, wallet, at: server))
    let (outcome, keyID) = try send(request, to: server)
    if case .valid = outcome { return (true, keyID) }
    guard case .wrong = outcome else { throw UnexpectedOutcome(outcome: outcome) }
    return (false, keyID)
  }
}
