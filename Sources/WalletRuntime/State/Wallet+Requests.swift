internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
public import WalletModel
public import WalletPlatform

// The requests of hosts, most of which are operations on the job queue.

extension Wallet {
  /// Whether a PIN fits the local policy.
  public static func validate(_ pin: UnsafeRawBufferPointer) -> PinVerdict {
    PinPolicy.verdict(on: pin)
  }

  /// Starts a request; never waits. `completion` is called exactly once, on a thread of the core,
  /// unless this throws.
  ///
  /// - Throws: `pinRefused` for a new PIN that does not fit the policy or equals the former one;
  ///   `versionBlocked` if the update policy blocks this app version (a wipe and disabling
  ///   biometric unlock are still allowed); `notRegistered` and `locked` for requests that need an
  ///   unlocked wallet;
  ///   `outOfResources` if the core is shutting down.
  public func start(
    _ request: WalletRequest, cancellation: Cancellation,
    completion: @escaping @Sendable (WalletOutcome) -> Void
  ) throws(WalletError) {
    try Self.requireFit(request)
    let operation = request.operation
    if operation.conditions.contains(.allowedVersion) { try context.requireAllowedVersion() }
    if operation.conditions.contains(.unlocked), lockState.value.isLocked {
      switch context.storage.registration {
      case .known(false): throw WalletSession.notRegistered
      case .known(true), .failed: throw WalletSession.locked
      // It is not known yet whether there is a wallet. The gate decides when the job's turn comes.
      case .unknown: break
      }
    }
    let complete: @Sendable (WalletOutcome, _ mayHaveEffect: Bool) -> Void = {
      [self] outcome, mayHaveEffect in
      if mayHaveEffect, hasTakenEffect(request, outcome) {
        flows.note(request)
      } else if operation.checksPin {
        // The provider's answer may have come before the request failed.
        flows.noteAnswerToPin()
      }
      completion(outcome)
      readStorageIfUnknown()
    }
    try operations.add(
      operation, cancellation: cancellation,
      { session, job throws(WalletError) in
        let hadNoWallet = session.context.storage.hasNoWallet
        let answer = try session.carryOut(request, job)
        var mayHaveEffect = true
        // Without a wallet there was nothing to disable, and the flows need not look at it.
        if case .disableBiometricUnlock = request {
          mayHaveEffect = !(hadNoWallet && session.context.storage.hasNoWallet)
        }
        complete(.success(answer), mayHaveEffect)
      },
      failed: { complete(.failure($0), true) })
  }

  /// Notes that the host has taken a completion that tells of `failures`; never waits. What it
  /// requests from then on is not told of them again. A completion that nobody takes tells nobody.
  public func noteTold(_ failures: PinFailures) {
    flows.forget(told: failures)
    jobs.add(waitsForBackground: true) { session, job in session.noteTold(failures, job) }
  }

  /// Notes that the host has taken `step`, which may tell of wrong PINs; never waits.
  public func noteTold(by step: Step) { flows.noteTold(by: step) }

  /// Fetches the update policy and the configuration now; never waits. Needs neither a wallet nor an
  /// allowed version, and does not wait for other requests.
  ///
  /// - Parameter completion: Called exactly once, on any thread.
  public func refresh(
    cancellation: Cancellation, completion: @escaping @Sendable (WalletOutcome) -> Void
  ) {
    context.refresher.refresh(cancellation: cancellation) { failure in
      completion(failure.map { .failure($0) } ?? .success(.nothing))
    }
  }

  /// Whether the flows must be told of a request. They must be if it succeeded, and also if it
  /// failed after a wallet was made or deleted. For example, a wipe has deleted the wallet and then
  /// failed to delete a platform key.
  private func hasTakenEffect(_ request: WalletRequest, _ outcome: WalletOutcome) -> Bool {
    switch (request, outcome, context.storage.registration) {
    case (_, .success, _), (.register, _, .known(true)): true
    // A wipe that was cancelled has deleted nothing.
    case (.wipe, .failure(let error), .known(false)): error.kind != .cancelled
    default: false
    }
  }

  private static func requireFit(_ request: WalletRequest) throws(WalletError) {
    switch request {
    case .register(let pin): try requireFit(pin)
    case .changePin(let pin, to: let newPin):
      try requireFit(newPin)
      guard !newPin.secret.isEqual(to: pin.secret) else {
        throw WalletError(
          .pinRefused, "The new PIN is the same as the former one.",
          data: ["reason": .text("unchanged")])
      }
    default: break
    }
  }

  private static func requireFit(_ pin: Pin) throws(WalletError) {
    let verdict = pin.secret.withBytes { PinPolicy.verdict(on: $0) }
    guard verdict == .accepted else {
      throw WalletError(
        .pinRefused, "The PIN does not fit the policy.", data: ["reason": .text(verdict.rawValue)])
    }
  }
}
