extension Provider {
  /// How many lists are read at once.
  private static let listsAtOnce = 100
  /// How many entries are deleted in one transaction.
  private static let entriesAtOnce = 500

  /// Closes the list that is too old for more entries, deletes entries of PIDs that ended some days
  /// ago, and the lists that have no other ones.
  ///
  /// An entry is deleted only when its list is closed, so that its index is not assigned again.
  /// Entries that are revoked stay until all PIDs of their list have ended: those of a batch end at
  /// the same time, and a list in which they are valid again would show which belong together.
  func deleteEndedStatusLists() async throws {
    try await store.transaction { rows in
      guard var list = try rows.openStatusList(), list.isFull(now: try rows.now) else { return }
      list.closed = true
      try rows.update(list)
    }
    var last: StoredValue?
    while true {
      let page = try await store.transaction { [last] rows in
        try rows.page(StoredStatusList.self, after: last, limit: Self.listsAtOnce)
      }
      // One that cannot be read is left; `check` names it.
      for list in page.compactMap({ try? $0.row.get() }) where list.closed {
        try await deleteEndedEntries(ofList: list.id)
      }
      guard page.count == Self.listsAtOnce, page.last?.key != last else { return }
      last = page.last?.key
    }
  }

  private func deleteEndedEntries(ofList id: String) async throws {
    for _ in 1...Self.sweepRounds {
      let isMore = try await store.transaction { rows in
        let time = try rows.now - StatusListSettings.grace
        let isNeeded = try rows.hasStatusEntries(ofList: id, expiringAfter: time)
        guard try rows.hasStatusEntries(ofList: id, expiredBy: time, revokedToo: !isNeeded) else {
          if !isNeeded { try rows.deleteStatusList(id: id) }
          return false
        }
        try rows.deleteStatusEntries(
          ofList: id, expiredBy: time, revokedToo: !isNeeded, limit: Self.entriesAtOnce)
        return true
      }
      if !isMore { return }
    }
  }
}
