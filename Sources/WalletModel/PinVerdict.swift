/// The result of checking a PIN against the local policy.
public enum PinVerdict: String, Equatable, Sendable, CaseIterable {
  case accepted
  case wrongLength = "wrong_length"
  case notDigits = "not_digits"
  case tooFewDifferentDigits = "too_few_different_digits"
  case sequence
  /// One of the PINs that people choose most often.
  case common
}
