// The files in the storage path besides the database. They are not sealed, because what they
// contain is signed by the provider or not trusted.

/// The file of the configuration. It contains both the body and the body's ETag, and is replaced as
/// a whole. So the wallet never has the ETag of a body that was not verified or not stored.
package struct StoredConfiguration: Codable, Equatable, Sendable {
  var schema = 1
  var etag: String?
  var configuration: String
}

/// The file of the update policy.
package struct StoredUpdatePolicy: Codable, Equatable {
  var schema = 1
  var policy: String
  /// The latest known time, in seconds since 1970.
  var latest: Int64
  /// The latest time that is known from signed policies alone, without the device's calendar.
  var signed: Int64?
  /// The latest known time for `valid_until`; see `ValidityTime`.
  var validity: Int64?

  enum CodingKeys: String, CodingKey {
    case schema, policy
    case latest = "latest_time"
    case signed = "signed_time"
    case validity = "validity_time"
  }

  /// The same without times that no clock shows: the file is not sealed, and may be damaged.
  var plausible: StoredUpdatePolicy {
    let times = ConfigurationAnchor.plausibleTimes
    var stored = self
    if !times.contains(latest) { stored.latest = 0 }
    if let signed, !times.contains(signed) { stored.signed = nil }
    if let validity, !times.contains(validity) { stored.validity = nil }
    return stored
  }
}
