public import WalletCrypto
internal import WalletModel
internal import WalletPlatform

/// The PIN of a request that goes on after the PIN was used. It is given away once, so that it is wiped
/// then and not only when the request ends: a relying party can hold its reply back.
public final class PinOnce: Sendable {
  private let pin: Monitor<Pin?>

  public init(_ pin: Pin) { self.pin = Monitor(pin) }

  /// Returns the PIN and keeps no reference to it.
  func take() throws(WalletError) -> Pin {
    let taken = pin.withLock { pin -> Pin? in
      defer { pin = nil }
      return pin
    }
    guard let taken else {
      throw WalletError(.internalDefect, "The PIN of a request was used twice.")
    }
    return taken
  }
}
