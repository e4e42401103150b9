internal import WalletSystem

/// Postpones the release of secrets on a thread that holds a lock. Wiping and freeing guarded
/// memory takes system calls, which can take long while other threads allocate. No other thread may
/// have to wait for that. `Monitor` is the only caller.
public enum SecretReleases {
  /// A block that was given up under a lock.
  private final class Postponed {
    let block: GuardedBlock
    let count: Int
    /// The state of the thread before.
    let before: Int

    init(_ block: GuardedBlock, _ count: Int, before: Int) {
      self.block = block
      self.count = count
      self.before = before
    }
  }

  /// The state of each thread: 0 if it holds no lock, `holdsLock` if it does, otherwise the address
  /// of the block that it gave up last. Nil if the system has no key left; then nothing is
  /// postponed.
  private static let states = ThreadLocalWord()

  /// Never the address of an object.
  private static let holdsLock = 1

  /// Begins to postpone the releases of this thread.
  ///
  /// - Returns: What the caller must pass to `resume`; nil if they are postponed already.
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

  /// Gives a block back, or notes it if this thread holds a lock.
  static func giveBack(_ block: GuardedBlock, _ count: Int) {
    guard let state = states?.address, state.pointee != 0 else { return block.giveBack(count) }
    let postponed = Postponed(block, count, before: state.pointee)
    state.pointee = Int(bitPattern: Unmanaged.passRetained(postponed).toOpaque())
  }
}
