import WalletSignatures

/// Where the status of one copy is published.
public struct StatusReference: Sendable, Equatable {
  /// The address of the list.
  public var uri: String
  /// The index in the list (`idx`).
  public var index: Int64

  public init(uri: String, index: Int64) {
    self.uri = uri
    self.index = index
  }
}

/// The PIDs of one batch, for which entries of status lists are assigned.
public struct StatusAssignment: Sendable {
  /// The most copies of a batch.
  public static let mostCopies = 64
  /// How many random indices are looked up at once.
  public static let candidates = 64

  /// The id of the issuance. The same id gets the same entries.
  public var issuance: String
  public var copies: Int
  public var wallet: String
  public var account: String
  /// The end of the PIDs, in milliseconds since 1970.
  public var expiresAt: Int64

  public init(issuance: String, copies: Int, wallet: String, account: String, expiresAt: Int64) {
    self.issuance = issuance
    self.copies = copies
    self.wallet = wallet
    self.account = account
    self.expiresAt = expiresAt
  }
}

extension StatusTransaction {
  /// Assigns an entry to each copy of a batch, in the transaction in which the PIDs are issued. The
  /// indices are random, and an index is assigned once in the life of its list.
  ///
  /// The list stays locked until the transaction ends, so it should be called late in it.
  ///
  /// - Parameters:
  ///   - publicURL: the server's address, without a slash at its end. It is part of the address of
  ///     a new list.
  ///   - random: a random number below its argument; `SecureRandom` if nil.
  /// - Returns: an entry for each copy, in their order. For an issuance that has entries already:
  ///   these.
  package func assignStatusEntries(
    _ assignment: StatusAssignment, publicURL: String, settings: StatusListSettings, now: Int64,
    random: ((Int64) -> Int64)? = nil
  ) throws -> [StatusReference] {
    guard (1...StatusAssignment.mostCopies).contains(assignment.copies) else {
      throw StoreFailure("a batch has 1 to \(StatusAssignment.mostCopies) copies")
    }
    let former = try statusEntries(ofIssuance: assignment.issuance)
    guard former.isEmpty else { return try references(former, of: assignment) }

    var list = try openedStatusList(publicURL: publicURL, settings: settings, now: now)
    let indices = try freeIndices(
      assignment.copies, of: list, random ?? { SecureRandom.number(below: $0) })
    for (copy, index) in indices.enumerated() {
      try insert(
        StoredStatusEntry(
          list: list.id, index: index, issuance: assignment.issuance, copy: copy,
          wallet: assignment.wallet, account: assignment.account,
          expiresAt: assignment.expiresAt))
    }
    list.assigned += Int64(assignment.copies)
    list.closed = list.isFull(now: now)
    try update(list)
    return indices.map { StatusReference(uri: list.uri, index: $0) }
  }

  /// - Throws: `StoreFailure` if the entries are not those of the batch.
  private func references(
    _ entries: [StoredStatusEntry], of assignment: StatusAssignment
  ) throws -> [StatusReference] {
    let entries = entries.sorted { $0.copy < $1.copy }
    guard entries.map(\.copy) == Array(0..<assignment.copies),
      entries.allSatisfy({ $0.wallet == assignment.wallet && $0.account == assignment.account })
    else { throw StoreFailure("the status entries of an issuance are not those of its batch") }
    var uris: [String: String] = [:]
    for id in Set(entries.map(\.list)) {
      guard let list = try statusList(id: id) else { throw StoreFailure("a status list is gone") }
      uris[id] = list.uri
    }
    return entries.compactMap { entry in
      uris[entry.list].map { StatusReference(uri: $0, index: entry.index) }
    }
  }

  /// The list that accepts entries, locked. A new one begins if there is none.
  private func openedStatusList(
    publicURL: String, settings: StatusListSettings, now: Int64
  ) throws -> StoredStatusList {
    if var list = try openStatusList() {
      guard list.isFull(now: now) else { return list }
      list.closed = true
      try update(list)
    }
    let id = SecureRandom.identifier()
    let list = StoredStatusList(
      id: id, uri: publicURL + StatusListRoute.path(list: id), size: settings.entries,
      createdAt: now)
    try insert(list)
    return list
  }

  /// Random indices that nobody has. At most half of a list is assigned, so few are drawn in vain.
  private func freeIndices(
    _ count: Int, of list: StoredStatusList, _ random: (Int64) -> Int64
  ) throws -> [Int64] {
    var free: [Int64] = []
    for _ in 0..<Self.draws {
      var drawn: [Int64] = []
      while drawn.count < StatusAssignment.candidates { drawn.append(random(list.size)) }
      let assigned = try assignedIndices(ofList: list.id, among: drawn)
      for index in drawn where free.count < count && !assigned.contains(index) {
        if !free.contains(index) { free.append(index) }
      }
      if free.count == count { return free }
    }
    throw StoreFailure("no free index was found in a status list")
  }

  /// How often indices are drawn at most. Each time half of them are free at least.
  private static var draws: Int { 100 }
}
