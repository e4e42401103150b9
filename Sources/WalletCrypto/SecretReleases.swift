internal import WalletSystem

/// Postpones the release of secrets on a thread that holds a lock. Wiping and freeing guarded
/// memory takes system calls, which can take long while other threads allocate memory. No other
/// thread may have to wait for the lock meanwhile. `Monitor` is the only caller.
public enum SecretReleases {
  /// A block whose secret was dropped while the thread held a lock.
  private final class Postponed {
    let block: GuardedBlock
    let count: Int
    /// The thread's state before this block was postponed.
    let before: Int

    init(_ block: GuardedBlock, _ count: Int, before: Int) {
      self.block = block
      self.count = count
      self.before = before
    }
  }

  /// The state of each thread: 0 if it holds no lock, `holdsLock` if it holds one, and the address
  /// of the latest `Postponed` if releases wait. Nil if the system has no thread-local key left;
  /// then nothing is postponed.
  private static let states = ThreadLocalWord()

  /// The state of a thread that holds a lock while no release waits. No object has the address 1.
  private static let holdsLock = 1

  /// Begins to postpone the releases of this thread.
  ///
  /// - Returns: What the caller must pass to `resume`; nil if this thread already postpones
  ///   releases or cannot postpone them.
  public static func postpone() -> UnsafeMutablePointer<Int>? {
    guard let state = states?.address, state.pointee == 0 else { return nil }
    state.pointee = holdsLock
    return state
  }

  /// Whether releases of this thread are waiting.
  public static func areWaiting(_ state: UnsafeMutablePointer<Int>) -> Bool {
    state.pointee != holdsLock
  }

  /// Wipes and releases what was postponed. Call it on the same thread, without the lock.
  public static func resume(_ state: UnsafeMutablePointer<Int>) {
    var next = state.pointee
    state.pointee = 0
    while next != holdsLock, let address = UnsafeRawPointer(bitPattern: next) {
      let postponed = Unmanaged<Postponed>.fromOpaque(address).takeRetainedValue()
      postponed.block.giveBack(postponed.count)
      next = postponed.before
    }
  }

  /// Gives a block back. If this thread holds a lock, that is postponed until `resume`.
  static func giveBack(_ block: GuardedBlock, _ count: Int) {
    guard let state = states?.address, state.pointee != 0 else { return block.giveBack(count) }
    let postponed = Postponed(block, count, before: state.pointee)
    state.pointee = Int(bitPattern: Unmanaged.passRetained(postponed).toOpaque())
  }
}
