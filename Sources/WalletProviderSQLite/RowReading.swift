import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// GRDB's own subscripts end the process on a value of another type. A file that somebody else has
// written into must end in an error instead.

extension Row {
  func text(_ column: String) throws -> String {
    guard let text = try optionalText(column) else { throw StoreFailure.unreadable(column) }
    return text
  }

  func optionalText(_ column: String) throws -> String? {
    switch try storage(column) {
    case .null: return nil
    case .string(let text): return text
    default: throw StoreFailure.unreadable(column)
    }
  }

  func integer(_ column: String) throws -> Int64 {
    guard let number = try optionalInteger(column) else { throw StoreFailure.unreadable(column) }
    return number
  }

  func optionalInteger(_ column: String) throws -> Int64? {
    switch try storage(column) {
    case .null: return nil
    case .int64(let number): return number
    default: throw StoreFailure.unreadable(column)
    }
  }

  func bytes(_ column: String) throws -> [UInt8] {
    guard let bytes = try optionalBytes(column) else { throw StoreFailure.unreadable(column) }
    return bytes
  }

  func optionalBytes(_ column: String) throws -> [UInt8]? {
    switch try storage(column) {
    case .null: return nil
    case .blob(let data): return Array(data)
    default: throw StoreFailure.unreadable(column)
    }
  }

  private func storage(_ column: String) throws -> DatabaseValue.Storage {
    guard hasColumn(column) else { throw StoreFailure.unreadable(column) }
    let value: DatabaseValue = self[column]
    return value.storage
  }
}

extension StoredWallet {
  init(row: Row) throws {
    guard let sequence = UInt64(exactly: try row.integer("sequence")) else {
      throw StoreFailure.unreadable("sequence")
    }
    var attempts = AttemptState(
      wrongAttempts: Int(clamping: try row.integer("wrong_attempts")),
      blockedPermanently: try row.integer("blocked_permanently") != 0)
    if let since = try row.optionalInteger("blocked_since"),
      let duration = try row.optionalInteger("blocked_for")
    {
      attempts.block = AttemptBlock(
        since: since, duration: duration, restarted: try row.optionalInteger("block_restarted"))
    }
    var pending: PendingPinKey?
    if let change = try row.optionalText("pending_change") {
      pending = PendingPinKey(
        change: change, sealedKey: try row.bytes("pending_sealed_pin_key"))
    }
    self.init(
      id: try row.text("id"), registration: try row.text("registration"),
      hardwareKey: try row.bytes("hardware_key"),
      hardwareKeyHash: try row.bytes("hardware_key_hash"),
      sealingKey: try row.text("sealing_key"), sealedPinKey: try row.bytes("sealed_pin_key"),
      sealedShare: try row.bytes("sealed_share"), sequence: sequence,
      confirmed: try row.integer("confirmed") != 0,
      registeredAt: try row.integer("registered_at"), attempts: attempts, pending: pending,
      committedChange: try row.optionalText("committed_change"))
  }
}

extension StoredChallenge {
  init(row: Row) throws {
    self.init(
      challenge: try row.bytes("challenge"), purpose: try row.text("purpose"),
      wallet: try row.optionalText("wallet"), expiresAt: try row.integer("expires_at"))
    if let hash = try row.optionalBytes("request_hash"), let answer = try row.optionalText("answer")
    {
      use = StoredChallenge.Use(requestHash: hash, answer: answer)
    }
  }
}

extension StoreFailure {
  static func unreadable(_ column: String) -> StoreFailure {
    StoreFailure("the column \(column) does not hold what it must")
  }
}
