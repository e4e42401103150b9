/// The version of the library; the header's numbers.
public enum CoreVersion {
  public static let text: StaticString = "0.4.0"
}
