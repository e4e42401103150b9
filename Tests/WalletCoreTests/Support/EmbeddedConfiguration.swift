import wallet_core_testing

/// The document that the hosts of these tests embed.
enum EmbeddedConfiguration {
  static let inactiveTimeout: UInt64 = 123_000

  static func document(version: UInt64 = 1) throws -> [UInt8] {
    try TestingConfiguration.make(
      version: version, proofingHosts: ["proofing.example"], inactiveTimeout: inactiveTimeout)
  }
}
