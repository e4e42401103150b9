import WalletProtocol

// What the identity proofing keeps of people, sealed. Each row names the key that sealed it.

extension KeyRing where Key == any SealingKey {
  func seal(person: AccountPerson, account: String) throws -> [UInt8] {
    try seal(WireJSON.encode(person), place: .accountPerson, boundTo: [Array(account.utf8)])
  }

  /// - Throws: `StoreFailure` when it was changed or moved, or its key is not in the ring.
  func person(of account: StoredAccount) throws -> AccountPerson {
    try decode(
      AccountPerson.self, account.sealedPerson, key: account.sealingKey, place: .accountPerson,
      boundTo: account.sealOwner)
  }

  /// Seals evidence or the content of a PID for the session.
  func seal(
    _ value: some Encodable, place: SealedPlace, session: StoredProofingSession
  ) throws -> StoredProofingSession.SealedRecord {
    StoredProofingSession.SealedRecord(
      key: id,
      content: try seal(WireJSON.encode(value), place: place, boundTo: session.sealOwner))
  }

  /// - Throws: `StoreFailure` when there is none, it was changed or moved, or its key is not in the
  ///   ring.
  func open<Value: Decodable>(
    _: Value.Type, _ place: SealedPlace, of session: StoredProofingSession
  ) throws -> Value {
    guard let record = session.record else { throw StoreFailure("a sealed value is missing") }
    return try decode(
      Value.self, record.content, key: record.key, place: place, boundTo: session.sealOwner)
  }

  func seal(secret: [UInt8], pageHash: [UInt8]) throws -> [UInt8] {
    try seal(secret, place: .pageSecret, boundTo: [pageHash])
  }

  func secret(of page: StoredEnrolmentPage) throws -> [UInt8] {
    try open(page.sealedSecret, key: page.sealingKey, place: .pageSecret, boundTo: [page.hash])
  }

  /// The account with its owner's data under the current key.
  func resealed(_ account: StoredAccount) throws -> StoredAccount {
    guard isFormer(account.sealingKey) else { return account }
    var resealed = account
    resealed.sealedPerson = try reseal(
      account.sealedPerson, key: account.sealingKey, place: .accountPerson,
      boundTo: account.sealOwner)
    resealed.sealingKey = id
    return resealed
  }

  /// The session with what is kept of the person under the current key.
  func resealed(_ session: StoredProofingSession) throws -> StoredProofingSession {
    guard let record = session.record, isFormer(record.key) else { return session }
    var resealed = session
    resealed.record = StoredProofingSession.SealedRecord(
      key: id,
      content: try reseal(
        record.content, key: record.key, place: session.recordPlace, boundTo: session.sealOwner))
    return resealed
  }

  /// The page with its code's secret under the current key.
  func resealed(_ page: StoredEnrolmentPage) throws -> StoredEnrolmentPage {
    guard isFormer(page.sealingKey) else { return page }
    var resealed = page
    resealed.sealedSecret = try reseal(
      page.sealedSecret, key: page.sealingKey, place: .pageSecret, boundTo: [page.hash])
    resealed.sealingKey = id
    return resealed
  }

  private func decode<Value: Decodable>(
    _: Value.Type, _ sealed: [UInt8], key: String, place: SealedPlace, boundTo: [[UInt8]]
  ) throws -> Value {
    let bytes = try open(sealed, key: key, place: place, boundTo: boundTo)
    guard let value = try? WireJSON.decode(Value.self, from: bytes) else {
      throw StoreFailure("a sealed value is not what it must be")
    }
    return value
  }
}

extension StoredAccount {
  fileprivate var sealOwner: [[UInt8]] { [Array(id.utf8)] }
}

extension StoredProofingSession {
  fileprivate var sealOwner: [[UInt8]] {
    [Array(id.utf8), Array(account.utf8), Array(wallet.utf8)]
  }

  /// What its record is: evidence before the verdict, what the PID says after it.
  fileprivate var recordPlace: SealedPlace { state == .proofed ? .pidSubject : .evidence }
}
