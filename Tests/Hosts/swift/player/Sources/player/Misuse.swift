import CWalletCore
import Synchronization
import WalletHost

// Makes the mistakes of Tests/Hosts/README.md, most of them with the C interface, because the host
// prevents them.
extension Player {
  /// Makes a mistake. Throws the library's error, or answers with it if there is only a status.
  func misuse(_ name: String) async throws -> Answer? {
    switch name {
    case "attach-before-init", "attach-twice": _ = try Client(name: "app")
    case "bridge-without-sign": try handOver { $0.sign = nil }
    case "short-struct": try handOver { $0.struct_size = 8 }
    case "empty-configuration":
      try WalletCore.start(configuration: [], appVersion: "1.0.0", appID: "org.example.phone")
    case "never-detach": try neverDetach()
    case "use-after-detach": try useAfterDetach()
    case "never-take": try neverTake()
    case "never-free": try neverFree()
    case "reply-twice": return try await replyTwice()
    case "never-reply": device.world.withLock { $0.forgetsToSign = true }
    case "wait-in-callback": try await waitInCallback()
    case "detach-in-callback": try await detachInCallback()
    case "choose-without-step": try app().choose(1, "next")
    default: throw Failed(description: "there is no mistake of that name")
    }
    return nil
  }

  private func neverDetach() throws {
    var clients: [Client] = []
    defer { for client in clients { client.detach() } }
    while true { clients.append(try Client(name: "client-\(clients.count)")) }
  }

  private func useAfterDetach() throws {
    let client = try Client(name: "gone")
    client.detach()
    var event: OpaquePointer?
    try check { wallet_core_client_next_event(client.id, 0, &event, $0) }
  }

  // MARK: Clients of the C interface

  private func attached(_ name: String) throws -> wallet_core_client {
    var client: wallet_core_client = 0
    try check { wallet_core_client_attach(name, 0, &client, $0) }
    return client
  }

  private func neverTake() throws {
    let client = try attached("idle")
    defer { _ = wallet_core_client_detach(client, nil) }
    for _ in 0..<65 { try check { wallet_core_wipe(client, nil, $0) } }
  }

  private func neverFree() throws {
    let client = try attached("leak")
    var events: [OpaquePointer?] = []
    defer {
      for event in events { wallet_core_event_free(event) }
      _ = wallet_core_client_detach(client, nil)
    }
    while true {
      var event: OpaquePointer?
      // Without a time-out: play.py has the deadline.
      try check { wallet_core_client_next_event(client, -1, &event, $0) }
      events.append(event)
      try check { wallet_core_wipe(client, nil, $0) }
    }
  }

  private func detachInCallback() async throws {
    let client = try attached("push")
    let outcomes = prepare { $0.client = client }
    try check { error in
      wallet_core_set_event_callback(
        client,
        { _, event in
          wallet_core_event_free(event)
          mistake.withLock { $0 }.make { wallet_core_client_detach($0, $1) }
        }, nil, nil, nil, error)
    }
    let outcome = await outcomes.first()
    try check { wallet_core_client_detach(client, $0) }
    if let error = outcome?.error { throw error }
  }

  // MARK: Bridges

  /// Hands the platform over with something wrong.
  private func handOver(
    _ change: (inout wallet_core_signing_key_bridge) -> Void
  ) throws(WalletCoreError) {
    var signing = wallet_core_signing_key_bridge(device)
    var encryption = wallet_core_encryption_key_bridge(device)
    var utilities = wallet_core_utilities_bridge(device)
    change(&signing)
    do {
      try check { wallet_core_init_platform_support(&signing, &encryption, &utilities, $0) }
    } catch {
      signing.destroy?(signing.context)
      encryption.destroy?(encryption.context)
      utilities.destroy?(utilities.context)
      throw error
    }
  }

  /// Makes the library ask for a key while `public_key` is wrong.
  private func register(with publicKey: @escaping PublicKey) async throws {
    try handOver { $0.public_key = publicKey }
    let client = try Client(name: "mistake")
    _ = try? await client.register(Pin("471108".utf8))
    client.detach()
    try WalletCore.use(device)
    mistake.withLock { $0.outcomes?.finish() }
  }

  private func replyTwice() async throws -> Answer {
    let device = device
    let outcomes = prepare { $0.device = device }
    try await register { _, call, identifier in
      let identifier = String(cString: identifier)
      let mistake = mistake.withLock { $0 }
      Task {
        let key = (try? await mistake.device?.publicKey(identifier)) ?? []
        let ok = WALLET_CORE_BRIDGE_OK
        _ = wallet_core_bridge_reply(call, ok, key, key.count, nil)
        let status = wallet_core_bridge_reply(call, ok, key, key.count, nil)
        mistake.outcomes?.yield(Outcome(status: status))
      }
    }
    guard let outcome = await outcomes.first() else { throw notAsked }
    return Answer(status: String(cString: wallet_core_status_name(outcome.status)))
  }

  private func waitInCallback() async throws {
    let right = wallet_core_signing_key_bridge(device)
    defer { right.destroy?(right.context) }
    let client = try app().id
    let outcomes = prepare {
      $0.client = client
      $0.publicKey = right.public_key
    }
    try await register { context, call, identifier in
      let mistake = mistake.withLock { $0 }
      var event: OpaquePointer?
      mistake.make { wallet_core_client_next_event($0, 0, &event, $1) }
      mistake.publicKey?(context, call, identifier)
    }
    guard let outcome = await outcomes.first() else { throw notAsked }
    if let error = outcome.error { throw error }
  }

  private var notAsked: Failed { Failed(description: "the library did not ask for a key") }

  private func prepare(_ change: (inout Mistake) -> Void) -> AsyncStream<Outcome> {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Outcome.self)
    mistake.withLock {
      $0 = Mistake(outcomes: continuation)
      change(&$0)
    }
    return outcomes
  }
}

private typealias PublicKey =
  @Sendable @convention(c) (
    UnsafeMutableRawPointer?, UInt64, UnsafePointer<CChar>
  ) -> Void

/// The library's answer to a mistake.
private struct Outcome: Sendable {
  var status = WALLET_CORE_OK
  var error: WalletCoreError?
}

/// The state that a mistake inside a C function needs, because such a function cannot capture
/// anything.
private struct Mistake: Sendable {
  var outcomes: AsyncStream<Outcome>.Continuation?
  var client: wallet_core_client = 0
  var device: Device?
  var publicKey: PublicKey?

  func make(_ function: (wallet_core_client, ErrorPlace) -> wallet_core_status) {
    var outcome = Outcome()
    do throws(WalletCoreError) {
      try check { function(client, $0) }
    } catch {
      outcome.error = error
    }
    outcomes?.yield(outcome)
  }
}

private let mistake = Mutex(Mistake())

extension AsyncStream where Element: Sendable {
  func first() async -> Element? {
    for await element in self { return element }
    return nil
  }
}
