// What stands in the files that the storage path has beside the database. They are not sealed: what they
// hold is signed by the provider, or may be anything.

/// The file of the configuration. The ETag is beside the body it belongs to, in one file that is replaced
/// as a whole: it can never speak for a body that was not verified or not written.
package struct StoredConfiguration: Codable, Equatable {
  var schema = 1
  var etag: String?
  var configuration: String
}

/// The file of the update policy.
package struct StoredUpdatePolicy: Codable, Equatable {
  var schema = 1
  var policy: String
  /// The latest time that was known, seconds since 1970.
  var latest: Int64
  /// The latest time that follows from policies alone, not from the device's calendar.
  var signed: Int64?

  enum CodingKeys: String, CodingKey {
    case schema, policy
    case latest = "latest_time"
    case signed = "signed_time"
  }
}
