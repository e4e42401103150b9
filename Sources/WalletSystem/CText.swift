internal import CPosix

/// C strings that a host passes.
public enum CText {
  /// The length of `text` in bytes, at most `limit`. Never reads more than `limit` bytes.
  public static func length(_ text: UnsafePointer<CChar>, limit: Int) -> Int {
    wallet_text_length(text, limit)
  }

  /// Whether both texts have the same bytes.
  public static func areEqual(_ left: UnsafePointer<CChar>, _ right: UnsafePointer<CChar>) -> Bool {
    wallet_text_equals(left, right)
  }
}
