/// The rule for the sequence numbers of a wallet's instructions.
public enum SequenceNumber {
  /// Every number is lower than this. JSON numbers are exact up to here (RFC 8259 section 6).
  public static let limit: UInt64 = 1 << 53

  /// How far a number may be above the last one. Without this maximum, one signed number near the
  /// limit would leave the wallet no number for its next instruction. With steps of this size, at
  /// the provider's standard rate, it takes eight years to reach the limit. No wallet loses so many
  /// numbers on the way.
  public static let longestStep: UInt64 = 1 << 24

  /// Whether `number` may come after `last`.
  public static func mayFollow(_ last: UInt64, _ number: UInt64) -> Bool {
    number > last && number < limit && number - last <= longestStep
  }

  /// Whether a wallet may continue after `current`, which a signed answer names because it refused
  /// `sent`. That `current` is higher is the usual case, after a restored backup. That it is lower
  /// by more than a step happens to a wallet that followed a number that the provider never
  /// accepted, because a stolen key signed it. Any other answer is not one to this number.
  public static func mayContinue(after current: UInt64, refused sent: UInt64) -> Bool {
    if current < sent { return sent - current > longestStep }
    return current > sent && current < limit - longestStep
  }
}
