import WalletProvider

extension PostgreSQLTransaction {
  func wallet(id: String) throws -> StoredWallet? { try wallet(where: "id", is: .text(id)) }

  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet? {
    try wallet(where: "hardware_key_hash", is: .bytes(hardwareKeyHash))
  }

  /// Reads and locks the row, then reads the time. The outer query, which reads the time, runs only
  /// when the inner one has the lock.
  private func wallet(where column: String, is value: StoredValue) throws -> StoredWallet? {
    let statement = Statement(
      """
      SELECT w.*, \(ServerTime.expression) AS \(ServerTime.column)
      FROM (\(statements[.wallet].select(having: [column], "FOR UPDATE"))) w
      """, [value])
    guard let row = try row(statement) else { return nil }
    try noteTime(row)
    return try read(row, having: [column: value])
  }

  func deleteWallet(id: String) throws {
    // The deletion changes accounts and deletes sessions, so their accounts are locked first. Every
    // transaction locks accounts in the same order, so that no two wait for each other.
    run(
      Statement(
        """
        SELECT id FROM account WHERE wallet = $1
          OR id IN (SELECT account FROM proofing_session WHERE wallet = $1)
        ORDER BY id FOR UPDATE
        """, [.text(id)]))
    try forgetWallet(id)
    run(Statement("DELETE FROM challenge WHERE wallet = $1", [.text(id)]))
    run(Statement("DELETE FROM wallet WHERE id = $1", [.text(id)]))
  }

  func unconfirmedWallets(
    registeredBy time: Int64, limit: Int
  ) throws -> [FoundRow<StoredWallet>] {
    try page(
      Statement(
        """
        \(statements[.wallet].select) WHERE NOT confirmed AND registered_at <= $1
          AND NOT EXISTS (SELECT FROM account WHERE account.wallet = wallet.id)
        ORDER BY registered_at LIMIT $2
        """, [.integer(time), .integer(Int64(limit))]))
  }

  // MARK: Challenges

  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge? {
    try first(having: ["challenge": .bytes(challenge)], "FOR UPDATE")
  }

  func deleteChallenges(expiredBy time: Int64) throws {
    sweep(
      Statement(
        """
        DELETE FROM challenge WHERE number IN (SELECT number FROM challenge
          WHERE expires_at <= $1 ORDER BY expires_at LIMIT \(Self.sweepLimit)
          FOR UPDATE SKIP LOCKED)
        """, [.integer(time)]))
  }

  func keepLatestChallenges(_ count: Int, ofWallet id: String) throws {
    run(
      Statement(
        """
        DELETE FROM challenge WHERE wallet = $1 AND number <= (SELECT number FROM challenge
          WHERE wallet = $1 ORDER BY number DESC OFFSET $2 LIMIT 1)
        """, [.text(id), .integer(Int64(count))]))
  }

  func hasEndedRows(by time: Int64) throws -> Bool {
    let row = try row(
      Statement(
        """
        SELECT EXISTS (SELECT FROM challenge WHERE expires_at <= $1)
          OR EXISTS (SELECT FROM proofing_session WHERE expires_at <= $1)
          OR EXISTS (SELECT FROM enrolment_page p WHERE \(Self.isEndedPage)) AS found
        """, [.integer(time)]))
    return try row?.flag("found") ?? false
  }

  /// The maximum number of expired rows that a request deletes; the periodic sweep repeats until
  /// none is left.
  static let sweepLimit = 100
}
