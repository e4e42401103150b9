internal import Glibc
public import WalletModel
public import WalletPlatform

/// The directory of the wallet's files, used by this wallet alone.
///
/// A lock on `wallet.lock` keeps a second wallet, in this process or another, out of the directory.
/// The system releases it when the process ends for any reason.
public final class StorageDirectory: Sendable {
  /// The longest file name, in bytes, so that temporary names fit too.
  private static let longestName = 64

  /// The absolute path, which SQLite needs.
  let path: String
  /// The environment whose crash points are passed.
  let world: SystemEnvironment

  private struct Held: Sendable {
    var directory: Int32
    var lock: Int32
  }

  private let held: Monitor<Held?>

  /// Opens and locks the directory at `path`, which must exist.
  ///
  /// - Throws: `storageUnavailable` if there is no directory or it cannot be written,
  ///   `storageInUse` if another wallet uses it, `storageFull` if there is no space for the lock
  ///   file.
  public init(path: String, world: SystemEnvironment = .current) throws(WalletError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw WalletError(.storageUnavailable, "The storage path is empty or contains a zero byte.")
    }
    guard let resolved = realpath(path, nil) else {
      throw StorageFailure.system(errno, "find the storage path; it must be an existing directory")
    }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    self.world = world
    let directory = open(resolved, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw StorageFailure.system(errno, "open the storage path; it must be an existing directory")
    }
    let lock = openat(
      directory, "wallet.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
    guard lock >= 0 else {
      let code = errno
      close(directory)
      throw StorageFailure.system(code, "create wallet.lock")
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(lock)
      close(directory)
      guard code == EWOULDBLOCK else { throw StorageFailure.system(code, "lock wallet.lock") }
      throw WalletError(
        .storageInUse,
        "Another wallet, possibly in another process, uses this storage directory. "
          + "Give each wallet its own directory.")
    }
    held = Monitor(Held(directory: directory, lock: lock))
  }

  deinit { release() }

  /// Releases the directory; nothing can be read or written through this object afterwards. Later
  /// calls do nothing.
  public func release() {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let held else { return }
    close(held.lock)
    close(held.directory)
  }

  /// Calls `body` with the directory's descriptor.
  ///
  /// It is a copy of the descriptor, so that `release` on another thread does not close it during a
  /// write.
  func withDescriptor<Result>(
    _ body: (Int32) throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    let copy = held.withLock { held in held.map { fcntl($0.directory, F_DUPFD_CLOEXEC, 0) } }
    guard let copy else {
      throw WalletError(.storageUnavailable, "The storage directory was released.")
    }
    guard copy >= 0 else {
      throw WalletError(.outOfResources, "No file descriptor left for the storage directory.")
    }
    defer { close(copy) }
    return try body(copy)
  }

  /// Throws if `name` is not the plain name of a file in the directory.
  static func check(_ name: String) throws(WalletError) {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= longestName, bytes.first != UInt8(ascii: "."),
      !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0)
    else {
      throw WalletError(.invalidArgument, "Not the plain name of a file in the storage directory.")
    }
  }
}
