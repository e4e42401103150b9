public import WalletModel

/// The rule for PINs that are hard enough to guess: six ASCII digits, at least two different, not
/// strictly ascending or descending by one, and none of the 100 other PINs that people choose most
/// often. Of 1,000,000 six-digit PINs it refuses 120.
public enum PinPolicy {
  /// The number of digits.
  public static let length = 6

  /// Returns the verdict on `pin`; keeps nothing of it.
  public static func verdict(on pin: UnsafeRawBufferPointer) -> PinVerdict {
    guard pin.count == length else { return .wrongLength }
    guard pin.allSatisfy({ (0x30...0x39).contains($0) }) else { return .notDigits }
    // Lazy, so that no array in memory reveals the PIN.
    let steps = zip(pin, pin.dropFirst()).lazy.map { Int($1) - Int($0) }
    if steps.allSatisfy({ $0 == 0 }) { return .tooFewDifferentDigits }
    if steps.allSatisfy({ $0 == 1 }) || steps.allSatisfy({ $0 == -1 }) { return .sequence }
    if CommonPins.contain(pin) { return .common }
    return .accepted
  }
}
