/// The version of the library; the header's numbers.
public enum CoreVersion {
  public static let text = "0.2.0"
}
