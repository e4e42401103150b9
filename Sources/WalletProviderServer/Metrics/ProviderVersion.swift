/// The version of the provider, which is the version of the whole project. A test checks that the C
/// header has the same one.
public enum ProviderVersion {
  public static let text = "0.4.0"
}
