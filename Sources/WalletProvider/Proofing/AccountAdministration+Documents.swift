extension AccountAdministration {
  /// The account that was proofed with the document, or nil. Wallets do not learn that a document
  /// was used for another account, so support looks here.
  public func account(ofDocument document: HeldDocument) async throws -> AccountSummary? {
    try await store.transaction { rows in
      let digest = try KeyedHashes(sealing: sealing, rows: rows).document(document)
      return try rows.account(ofDocument: digest).flatMap { try rows.account(id: $0) }
        .map { try summary($0, rows) }
    }
  }

  /// Lets the document be used for any account again. The account that was proofed with it stays
  /// as it is.
  ///
  /// - Returns: False if no account was proofed with it.
  public func free(_ document: HeldDocument) async throws -> Bool {
    try await store.transaction { rows in
      let digest = try KeyedHashes(sealing: sealing, rows: rows).document(document)
      guard try rows.account(ofDocument: digest) != nil else { return false }
      try rows.deleteDocument(digest)
      return true
    }
  }
}
