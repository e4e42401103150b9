/// The version of the library, as in the header.
public enum CoreVersion {
  public static let text: StaticString = "0.4.0"
}
