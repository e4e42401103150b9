/// The statements of one table, made of its columns: a new column is named here and in the two places
/// that read and write a row. Columns are named one by one, since a newer program may have added some.
struct Table {
  /// Reads rows; a condition and mostly `FOR UPDATE` follow.
  let select: String
  /// Adds a row; its values are those of `columns` and then that of the key.
  let insert: String
  /// Replaces the row with the key; the values stand as for `insert`. Fails when there is none.
  let update: String

  init(_ name: String, key: String, columns: [String]) {
    let all = columns + [key]
    let places = (1...all.count).map { "$\($0)" }.joined(separator: ", ")
    let settings = columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: ", ")
    let names = all.joined(separator: ", ")
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(places))"
    update = RowCheck.changing("UPDATE \(name) SET \(settings) WHERE \(key) = $\(all.count)")
  }

  static let wallet = Table(
    "wallet", key: "id",
    columns: [
      "registration", "hardware_key", "hardware_key_hash", "sealing_key", "sealed_pin_key",
      "sealed_share", "sequence", "confirmed", "registered_at", "wrong_attempts", "blocked_since",
      "blocked_for", "block_restarted", "blocked_permanently", "pending_change",
      "pending_sealed_pin_key", "committed_change",
    ])
  static let challenge = Table(
    "challenge", key: "challenge",
    columns: ["purpose", "wallet", "expires_at", "request_hash", "answer"])
  static let account = Table(
    "account", key: "id",
    columns: [
      "sealing_key", "sealed_person", "created_at", "closed", "locked_until", "failed_attempts",
      "failed_at", "proofed_at", "wallet",
    ])
  static let code = Table(
    "enrolment_code", key: "hash",
    columns: ["account", "expires_at", "wallet", "verdict", "attempts_left"])
  static let session = Table(
    "proofing_session", key: "id",
    columns: [
      "code", "account", "wallet", "expires_at", "state", "reason", "reference", "idempotency_key",
      "evidence_digest", "sealing_key", "sealed_record", "decided_at", "source_matched", "pid_key",
    ])
  static let secret = Table("provider_secret", key: "name", columns: ["sealing_key", "sealed"])
  static let page = Table(
    "enrolment_page", key: "hash",
    columns: ["account", "code", "sealing_key", "sealed_secret", "expires_at"])
}
