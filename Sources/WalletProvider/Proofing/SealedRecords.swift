import WalletProtocol

// Personal data of identity proofing, sealed. Each row names the key that sealed it.

extension KeyRing where Key == any SealingKey {
  func seal(person: AccountPerson, account: String) throws -> [UInt8] {
    try seal(WireJSON.encode(person), purpose: .accountPerson, boundTo: [Array(account.utf8)])
  }

  /// - Throws: `StoreFailure` if the sealed data was changed or moved, or if its key is not in the
  ///   ring.
  func person(of account: StoredAccount) throws -> AccountPerson {
    try decode(
      AccountPerson.self, account.sealedPerson, key: account.sealingKey, purpose: .accountPerson,
      boundTo: account.sealOwner)
  }

  /// Seals evidence or the content of a PID for the session.
  func seal(
    _ value: some Encodable, purpose: SealingPurpose, session: StoredProofingSession
  ) throws -> StoredProofingSession.SealedRecord {
    StoredProofingSession.SealedRecord(
      key: id,
      content: try seal(WireJSON.encode(value), purpose: purpose, boundTo: session.sealOwner))
  }

  /// - Throws: `StoreFailure` if there is no record, it was changed or moved, or its key is not in
  ///   the ring.
  func open<Value: Decodable>(
    _: Value.Type, _ purpose: SealingPurpose, of session: StoredProofingSession
  ) throws -> Value {
    guard let record = session.record else { throw StoreFailure("a sealed value is missing") }
    return try decode(
      Value.self, record.content, key: record.key, purpose: purpose, boundTo: session.sealOwner)
  }

  func seal(secret: [UInt8], pageHash: [UInt8]) throws -> [UInt8] {
    try seal(secret, purpose: .pageSecret, boundTo: [pageHash])
  }

  func secret(of page: StoredEnrolmentPage) throws -> [UInt8] {
    try open(page.sealedSecret, key: page.sealingKey, purpose: .pageSecret, boundTo: [page.hash])
  }

  private func decode<Value: Decodable>(
    _: Value.Type, _ sealed: [UInt8], key: String, purpose: SealingPurpose, boundTo: [[UInt8]]
  ) throws -> Value {
    let bytes = try open(sealed, key: key, purpose: purpose, boundTo: boundTo)
    guard let value = try? WireJSON.decode(Value.self, from: bytes) else {
      throw StoreFailure("a sealed value is not what it must be")
    }
    return value
  }
}

extension StoredAccount: SealedRow {
  func resealed(by sealing: SealingKeyRing) throws -> StoredAccount {
    guard sealing.isFormer(sealingKey) else { return self }
    var account = self
    account.sealedPerson = try sealing.reseal(
      sealedPerson, key: sealingKey, purpose: .accountPerson, boundTo: sealOwner)
    account.sealingKey = sealing.id
    return account
  }

  fileprivate var sealOwner: [[UInt8]] { [Array(id.utf8)] }
}

extension StoredProofingSession: SealedRow {
  func resealed(by sealing: SealingKeyRing) throws -> StoredProofingSession {
    guard let record, sealing.isFormer(record.key) else { return self }
    var session = self
    session.record = SealedRecord(
      key: sealing.id,
      content: try sealing.reseal(
        record.content, key: record.key, purpose: recordPurpose, boundTo: sealOwner))
    return session
  }

  fileprivate var sealOwner: [[UInt8]] {
    [Array(id.utf8), Array(account.utf8), Array(wallet.utf8)]
  }

  /// The content of the record: evidence before the verdict, the PID's data after it.
  fileprivate var recordPurpose: SealingPurpose { state == .proofed ? .pidSubject : .evidence }
}

extension StoredEnrolmentPage: SealedRow {
  func resealed(by sealing: SealingKeyRing) throws -> StoredEnrolmentPage {
    guard sealing.isFormer(sealingKey) else { return self }
    var page = self
    page.sealedSecret = try sealing.reseal(
      sealedSecret, key: sealingKey, purpose: .pageSecret, boundTo: [hash])
    page.sealingKey = sealing.id
    return page
  }
}
