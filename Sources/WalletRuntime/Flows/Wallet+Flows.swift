public import WalletCrypto
public import WalletModel
internal import WalletUseCases

// The flows as hosts use them.

/// The input of a choice.
public enum ChoiceInput: Sendable {
  case none
  case pin(Pin)
  /// The content of a scanned symbol. It may contain a secret or personal data.
  case scan(Symbology, Secret)
  /// The index of an option of a request.
  case option(Int)
}

extension Wallet {
  /// The current step; nil before the app is opened.
  public var step: Versioned<Step>? { flows.current }

  /// Opens the app (UC1.2); never waits.
  ///
  /// - Parameter universalLink: The bytes of the link that opened the app, unchecked. They may
  ///   contain a secret.
  public func openApp(_ startup: Startup, universalLink: Secret?) {
    flows.open(startup, link: universalLink)
  }

  /// Answers the current step; never waits.
  ///
  /// - Throws: `staleStep` if `serial` is not that of the current step; `invalidArgument` if the
  ///   step has no such action or the action takes another input; `pinRefused` if the action needs
  ///   a PIN.
  public func choose(_ serial: UInt64, action: String, input: ChoiceInput) throws(WalletError) {
    try flows.choose(serial, action, input)
  }

  /// Lets a new UI engine replace one that died: locks the wallet, then shows the current step
  /// again.
  public func takeOver() {
    lock()
    context.sharings.removeAll()
    flows.post(.takenOver)
    // Waits, so that the new engine never receives a step from before the lock.
    flows.settle()
  }
}
