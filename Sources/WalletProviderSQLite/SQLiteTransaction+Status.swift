import GRDB
import WalletProvider

extension SQLiteTransaction {
  func openStatusList() throws -> StoredStatusList? {
    try first(having: ["closed": .flag(false)], "LIMIT 1")
  }

  func statusList(id: String) throws -> StoredStatusList? {
    try first(having: ["id": .text(id)])
  }

  func deleteStatusList(id: String) throws {
    try run("DELETE FROM status_list WHERE id = ?1", arguments([.text(id)]))
  }

  func assignedIndices(ofList id: String, among indices: [Int64]) throws -> Set<Int64> {
    let places = indices.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    let sql = "SELECT list_index FROM status_entry WHERE list = ?1 AND list_index IN (\(places))"
    let values = [.text(id)] + indices.map { StoredValue.integer($0) }
    return Set(try all(sql, arguments(values)) { try $0.integer("list_index") })
  }

  func statusEntries(ofIssuance id: String) throws -> [StoredStatusEntry] {
    try all(having: ["issuance": .text(id)], "ORDER BY copy")
  }

  func validStatusEntries(of owner: StatusOwner, at time: Int64) throws -> [StoredStatusEntry] {
    let (column, value) = owner.condition
    return try all(
      having: [column: value],
      "AND expires_at > ?2 AND revoked_at IS NULL ORDER BY id", [.integer(time)])
  }

  func revokedStatusEntries(
    ofList id: String, at time: Int64, after index: Int64, limit: Int
  ) throws -> [StoredStatusEntry] {
    try all(
      having: ["list": .text(id)],
      """
      AND revoked_at IS NOT NULL AND revoked_at <= ?2 AND list_index > ?3
        ORDER BY list_index LIMIT ?4
      """, [.integer(time), .integer(index), .integer(Int64(limit))])
  }

  func hasStatusEntries(ofList id: String, expiringAfter time: Int64) throws -> Bool {
    try hasStatusEntries("list = ?1 AND expires_at > ?2", [.text(id), .integer(time)])
  }

  func hasStatusEntries(
    ofList id: String, expiredBy time: Int64, revokedToo: Bool
  ) throws -> Bool {
    try hasStatusEntries(Self.isEndedEntry(revokedToo), [.text(id), .integer(time)])
  }

  func deleteStatusEntries(
    ofList id: String, expiredBy time: Int64, revokedToo: Bool, limit: Int
  ) throws {
    try run(
      """
      DELETE FROM status_entry WHERE id IN
        (SELECT id FROM status_entry WHERE \(Self.isEndedEntry(revokedToo)) LIMIT ?3)
      """, arguments([.text(id), .integer(time), .integer(Int64(limit))]))
  }

  private func hasStatusEntries(_ condition: String, _ values: [StoredValue]) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM status_entry WHERE \(condition)) AS found"
    return try first(sql, arguments(values)) { try $0.flag("found") } ?? false
  }

  /// The condition that an entry of the list in the first placeholder expired by the time in the
  /// second one.
  private static func isEndedEntry(_ revokedToo: Bool) -> String {
    "list = ?1 AND expires_at <= ?2" + (revokedToo ? "" : " AND revoked_at IS NULL")
  }
}
