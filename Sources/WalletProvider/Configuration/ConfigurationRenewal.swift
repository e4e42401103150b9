import WalletProtocol

/// Signs the published configuration again at regular times, so that kept or replayed copies
/// expire.
///
/// Each validity is divided into seven parts. All configurations of one part are equal, so that
/// clients with that ETag get 304, and are valid for at least six parts when they are sent.
actor ConfigurationRenewal {
  private static let parts: Int64 = 7

  private let keys: ProviderKeys
  /// Milliseconds.
  private let validity: Int64
  private var last: (published: PublishedConfiguration, renewed: PublishedConfiguration)?

  init(keys: ProviderKeys, validity: Int64) {
    self.keys = keys
    self.validity = validity
  }

  /// `published` as clients get it at `now`, in milliseconds since 1970.
  func current(
    _ published: PublishedConfiguration, at now: Int64
  ) throws -> PublishedConfiguration {
    let part = max(1, validity / Self.parts)
    let validUntil = (now - now % part + validity) / 1000
    if let last, last.published == published, last.renewed.claims.validUntil == validUntil {
      return last.renewed
    }
    let renewed = try published.renewed(until: validUntil, by: keys)
    last = (published, renewed)
    return renewed
  }
}
