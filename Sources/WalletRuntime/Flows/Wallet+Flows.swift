public import WalletCrypto
public import WalletModel
internal import WalletUseCases

// What hosts ask of the flows.

/// What a choice brings along.
public enum ChoiceInput: Sendable {
  case none
  case pin(Pin)
  /// What a symbol holds: it may name a secret or speak of a person.
  case scan(Symbology, Secret)
}

extension Wallet {
  /// The step that is current; nil before the app was opened.
  public var step: Versioned<Step>? { flows.current }

  /// Opens the app (UC1.2); never waits.
  ///
  /// - Parameter universalLink: The bytes of the link that did so, whatever they are: it may name a secret.
  public func openApp(_ startup: Startup, universalLink: Secret?) {
    flows.open(startup, link: universalLink)
  }

  /// Answers the current step; never waits.
  ///
  /// - Throws: `staleStep`: `serial` is not the current step's; `invalidArgument`: not an action of
  ///   it, or another input than it wants; `pinRefused`: not a PIN.
  public func choose(_ serial: UInt64, action: String, input: ChoiceInput) throws(WalletError) {
    try flows.choose(serial, action, input)
  }

  /// A new engine takes the place of a dead one: locks, then shows the current step again.
  public func takeOver() {
    lock()
    flows.post(.takenOver)
    // The new engine's first step is not one from before.
    flows.settle()
  }
}
