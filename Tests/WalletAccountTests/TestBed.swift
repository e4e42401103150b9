import WalletCrypto
import WalletModel
import WalletPlatform
import WalletProtocol
import WalletTransport

@testable import WalletAccount

/// A transport that returns the answers set by the test.
final class ScriptedTransport: Transport, @unchecked Sendable {
  // Sendable: used by the test's thread only.
  var answers: [Result<HTTPResponse, WalletError>] = []
  private(set) var requests: [HTTPRequest] = []
  /// Called while a request is on its way.
  var whenAsked: () -> Void = {}
  /// The time limits of the requests.
  var timeouts: [Milliseconds] { requests.map(\.timeout) }

  func send(
    _ request: HTTPRequest, cancellation: Cancellation
  ) throws(WalletError) -> HTTPResponse {
    guard !cancellation.isCancelled else { throw WalletError(.cancelled, "cancelled") }
    requests.append(request)
    whenAsked()
    guard !answers.isEmpty else { throw WalletError(.serverUnreachable, "no answer") }
    return try answers.removeFirst().get()
  }
}

/// A platform with one Ed25519 hardware key.
struct OneKeyPlatform: PlatformBridges {
  let key: Ed25519.SigningKey
  var areReady: Bool { true }
  var rules: PlatformRules { .android }

  func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret {
    guard case .sign(_, let payload) = request,
      let signature = try? Secret(copying: key.sign(payload))
    else { throw .missing }
    return signature
  }
}

/// A configuration that a refresh replaces by the one that waits, if there is one.
final class ScriptedConfigurations: @unchecked Sendable {
  // Sendable: used by the test's thread only.
  private(set) var current: ConfigurationClaims
  private(set) var refreshes = 0
  var next: ConfigurationClaims?

  init(_ current: ConfigurationClaims) { self.current = current }

  func refresh() {
    refreshes += 1
    current = next ?? current
  }
}

/// What an instruction client needs.
struct TestBed {
  let transport = ScriptedTransport()
  let clock = AdjustableClock()
  /// The time of each wait, which takes none.
  let waits = Monitor<[Milliseconds]>([])
  let configurations: ScriptedConfigurations
  let client: InstructionClient

  /// - Parameters:
  ///   - evaluatorKey: the key that signs the evaluator's grants; nil for none.
  ///   - duringWait: what else happens during each wait.
  init(
    resultKey: Ed25519.SigningKey, evaluatorKey: Ed25519.SigningKey? = nil,
    duringWait: @escaping @Sendable (AdjustableClock) -> Void = { _ in }
  ) throws {
    let configurations = ScriptedConfigurations(
      ConfigurationClaims(
        configurationVersion: 1, providerID: "provider",
        resultKeys: [PublishedKey(id: "result-1", key: Base64URL.encode(resultKey.publicKey))],
        certificateKeys: [], encryptionKeys: [],
        evaluatorKeys: evaluatorKey.map {
          [PublishedKey(id: "evaluator-1", key: Base64URL.encode($0.publicKey))]
        } ?? []))
    self.configurations = configurations
    let hardware = try Ed25519.SigningKey(seed: .random(count: 32))
    let hardwareKey = HardwareKey(
      identifier: "key", subjectKey: try SubjectPublicKey(ed25519: hardware.publicKey),
      platform: OneKeyPlatform(key: hardware), cancellation: Cancellation())
    client = InstructionClient(
      transport: transport,
      configurations: ConfigurationAccess(
        current: { configurations.current }, refresh: { _ in configurations.refresh() },
        sealing: { _ in configurations.current }),
      hardwareKey: hardwareKey, clock: clock,
      wait: { [waits, clock] time, cancellation in
        guard !cancellation.isCancelled else { return }
        waits.withLock { $0.append(time) }
        clock.advance(by: time)
        duringWait(clock)
      }, cancellation: Cancellation())
  }

  /// A check of a PIN or another instruction, with a challenge of its own.
  func request(_ name: InstructionName = .checkPin) throws -> InstructionClient.Prepared {
    try client.prepare(
      name, wallet: "wallet", payload: [1, 2, 3],
      challenge: Base64URL.encode(Random.bytes(32)), sequence: 7)
  }
}
