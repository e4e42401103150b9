/// How long the provider's certificates are valid, in seconds.
enum CertificatePolicy {
  /// Ten years: wallets and verifiers have the authority's certificate built in or configured.
  static let authorityLife: Int64 = 3650 * day
  /// Two years for what signs PIDs and status lists.
  static let signerLife: Int64 = 730 * day
  /// A start replaces a signer's certificate that is valid for less than this. A PID is valid for 90
  /// days, and its chain has to be valid for as long: that leaves a server 30 days until it must
  /// have been restarted.
  static let renewal: Int64 = 120 * day
  /// How long before they are made certificates are valid, for clocks that are behind.
  static let early: Int64 = day

  private static let day: Int64 = 24 * 3600
}
