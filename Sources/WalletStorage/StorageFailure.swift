internal import CSQLite
internal import WalletModel
internal import WalletSystem

/// Turns the errors of the system and of SQLite into the storage errors of the core.
enum StorageFailure {
  /// The errors of a file that cannot grow.
  private static let full: [SystemError] = [.noSpace, .quotaExceeded, .fileTooLarge]

  /// The errors of a system without descriptors or memory.
  private static let exhausted: [SystemError] = [.tooManyFiles, .tooManyFilesInSystem, .noMemory]

  /// Returns the error of a system call that failed while doing `purpose`, e.g. "write
  /// configuration.json".
  static func system(_ error: SystemError, _ purpose: String) -> WalletError {
    let code = error.code
    return switch error {
    case _ where full.contains(error):
      WalletError(
        .storageFull, "No space left in the storage directory to \(purpose).",
        data: ["errno": .number(Int64(code))])
    case _ where exhausted.contains(error):
      WalletError(
        .outOfResources, "No file descriptor or memory left to \(purpose) (errno \(code)).",
        data: ["errno": .number(Int64(code))])
    case .readOnlyFileSystem, .accessDenied, .notPermitted:
      WalletError(
        .storageUnavailable,
        "The storage directory cannot be written to \(purpose) (errno \(code)). "
          + "Give the wallet a directory that the app owns.",
        data: ["errno": .number(Int64(code))])
    default:
      WalletError(
        .storageUnavailable, "The storage directory failed to \(purpose) (errno \(code)).",
        data: ["errno": .number(Int64(code))])
    }
  }

  /// Runs system calls that serve `purpose`, and throws the storage error of the first that fails.
  static func attempt<Result>(
    _ purpose: String, _ body: () throws(SystemError) -> Result
  ) throws(WalletError) -> Result {
    do { return try body() } catch { throw system(error, purpose) }
  }

  /// Returns the error of an SQLite result code; `systemCode` is the errno that SQLite kept, or 0.
  static func sqlite(_ code: Int32, systemCode: Int32, _ purpose: String) -> WalletError {
    let systemError = SystemError(code: systemCode)
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      return damage("SQLite failed to \(purpose)", systemCode: systemCode)
    case SQLITE_FULL:
      return system(.noSpace, purpose)
    case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM:
      if (full + exhausted).contains(systemError) { return system(systemError, purpose) }
      return WalletError(
        .storageUnavailable,
        "The wallet's database could not be used to \(purpose) "
          + "(SQLite \(code), errno \(systemCode)).",
        data: ["sqlite_code": .number(Int64(code)), "errno": .number(Int64(systemCode))])
    case SQLITE_BUSY, SQLITE_LOCKED:
      return WalletError(
        .storageInUse,
        "The wallet's database is locked by another connection; failed to \(purpose).")
    case SQLITE_NOMEM:
      return WalletError(.outOfResources, "Not enough memory to \(purpose).")
    default:
      return WalletError(
        .internalDefect, "SQLite refused to \(purpose) (code \(code)).",
        data: ["sqlite_code": .number(Int64(code))])
    }
  }

  /// Returns the error of a database that SQLite reports as damaged. SQLite also reports damage if
  /// the system failed to read the file. Then the next attempt may succeed, so the message does not
  /// ask for a wipe.
  static func damage(_ what: String, systemCode: Int32) -> WalletError {
    let error = SystemError(code: systemCode)
    return [.inputOutput, .noSuchDevice, .outOfRange].contains(error)
      ? system(error, "read wallet.db") : corrupt(what)
  }

  /// Returns the error of a damaged file.
  static func corrupt(_ what: String) -> WalletError {
    WalletError(
      .storageCorrupt,
      "The wallet's storage is damaged: \(what). It was left unchanged; wipe to start over.")
  }
}
