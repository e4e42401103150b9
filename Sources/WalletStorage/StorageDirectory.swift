internal import Synchronization
public import WalletModel
public import WalletPlatform
internal import WalletSystem

/// The descriptor of the lock file that was locked last, or -1. It is atomic rather than guarded by
/// a lock, because the child of a fork reads it. In the child, a lock could stay held for ever.
private let heldLock = Atomic<Int32>(-1)

/// The directory of the wallet's files, used by this wallet alone.
///
/// A lock on `wallet.lock` keeps a second wallet, in this process or another, out of the directory.
/// The system releases it when the process ends for any reason.
public final class StorageDirectory: Sendable {
  /// The longest file name that is accepted, in bytes. Its temporary name is longer and fits too.
  private static let longestName = 64

  /// The absolute path, which SQLite needs.
  let path: String
  /// The environment whose crash points are passed.
  let environment: SystemEnvironment

  private struct Held: Sendable {
    let directory: OpenDirectory
    let lock: FileDescriptor
  }

  /// The directory's descriptor. It is closed by the last one that uses it, so that `release` on
  /// another thread does not close it during a write.
  private final class OpenDirectory: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

    deinit { descriptor.close() }
  }

  private let held: Monitor<Held?>

  /// Opens and locks the directory at `path`, which must exist.
  ///
  /// - Throws: `storageUnavailable` if there is no directory or it cannot be written,
  ///   `storageInUse` if another wallet uses it, `storageFull` if there is no space for the lock
  ///   file.
  public init(path: String, environment: SystemEnvironment = .current) throws(WalletError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw WalletError(.storageUnavailable, "The storage path is empty or contains a zero byte.")
    }
    let resolved = try StorageFailure.attempt(
      "find the storage path; it must be an existing directory"
    ) { () throws(SystemError) in try FileSystem.resolve(path) }
    self.path = resolved
    self.environment = environment
    let directory = try StorageFailure.attempt(
      "open the storage path; it must be an existing directory"
    ) { () throws(SystemError) in try FileDescriptor(opening: resolved, .directory) }
    do throws(WalletError) {
      let lock = try Self.lock(directory)
      held = Monitor(Held(directory: OpenDirectory(directory), lock: lock))
    } catch {
      directory.close()
      throw error
    }
  }

  /// Creates and locks `wallet.lock`.
  private static func lock(_ directory: FileDescriptor) throws(WalletError) -> FileDescriptor {
    let lock = try StorageFailure.attempt("create wallet.lock") { () throws(SystemError) in
      try FileDescriptor(
        opening: "wallet.lock", in: directory, [.readingAndWriting, .creating, .withoutFollowing],
        mode: 0o600)
    }
    // Noted before it is locked, so that the child of a fork closes it. A fork between the opening and
    // the note still leaves the child a copy; a few instructions long, this is not worth a lock that
    // each fork would have to wait for.
    let former = heldLock.exchange(lock.number, ordering: .acquiringAndReleasing)
    do throws(SystemError) {
      try lock.lock(waits: false)
    } catch {
      _ = heldLock.compareExchange(
        expected: lock.number, desired: former, ordering: .acquiringAndReleasing)
      lock.close()
      guard error == .wouldBlock else { throw StorageFailure.system(error, "lock wallet.lock") }
      throw WalletError(
        .storageInUse,
        "Another wallet, possibly in another process, uses this storage directory. "
          + "Give each wallet its own directory.")
    }
    return lock
  }

  deinit { release() }

  /// Closes the lock file's descriptor in the child of a fork. Otherwise the child would keep the
  /// directory locked when the parent ends. A process has one wallet, so one lock.
  public static func releaseInForkedChild() {
    let descriptor = heldLock.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 { FileDescriptor(inherited: descriptor).close() }
  }

  /// Releases the directory; nothing can be read or written through this object afterwards. Later
  /// calls do nothing.
  public func release() {
    let held = held.withLock { held in
      defer { held = nil }
      return held
    }
    guard let held else { return }
    _ = heldLock.compareExchange(
      expected: held.lock.number, desired: -1, ordering: .acquiringAndReleasing)
    held.lock.close()
  }

  /// Calls `body` with the directory's descriptor.
  func withDescriptor<Result>(
    _ body: (FileDescriptor) throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    guard let directory = held.withLock({ $0?.directory }) else {
      throw WalletError(.storageUnavailable, "The storage directory was released.")
    }
    return try withExtendedLifetime(directory) { () throws(WalletError) in
      try body(directory.descriptor)
    }
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
