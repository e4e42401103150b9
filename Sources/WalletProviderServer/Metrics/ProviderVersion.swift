/// The version of the provider: that of the whole project, as in the C header. A test compares
/// them.
public enum ProviderVersion {
  public static let text = "0.4.0"
}
