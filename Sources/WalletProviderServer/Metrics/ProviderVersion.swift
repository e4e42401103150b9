/// The version of the provider: that of the whole house, as the header has it; a test holds them together.
public enum ProviderVersion {
  public static let text = "0.4.0"
}
