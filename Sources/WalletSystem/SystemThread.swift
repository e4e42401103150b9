internal import CPosix

/// A POSIX thread. It must be joined or detached, once.
public struct SystemThread: Sendable {
  private let handle: UInt

  private final class Start: Sendable {
    let name: String
    let blocksSignals: Bool
    let body: @Sendable () -> Void

    init(name: String, blocksSignals: Bool, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.blocksSignals = blocksSignals
      self.body = body
    }

    func run() {
      wallet_thread_begin(name, blocksSignals)
      body()
    }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: At most 15 bytes.
  ///   - blocksSignals: Whether the thread blocks all signals except those of its own faults;
  ///     otherwise it blocks none. It does not inherit the caller's signal mask.
  /// - Throws: `SystemError` if the system cannot create a thread.
  public init(
    _ name: String, blocksSignals: Bool, body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let start = Unmanaged.passRetained(
      Start(name: name, blocksSignals: blocksSignals, body: body))
    var handle: UInt = 0
    let status = wallet_thread_create(
      &handle,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      throw SystemError(code: status)
    }
    self.handle = handle
  }

  /// Waits until the thread ends.
  public func join() { wallet_thread_join(handle) }

  /// Releases the thread's resources when it ends, without a join.
  public func detach() { wallet_thread_detach(handle) }
}

/// A thread-local number, 0 at first. Its key is never released.
public struct ThreadLocalNumber: Sendable {
  private let key: UInt

  /// Nil if the system has no key left.
  public init?() {
    var key: UInt = 0
    guard wallet_thread_key_create(&key) == 0 else { return nil }
    self.key = key
  }

  /// The number of the calling thread.
  public var value: Int { wallet_thread_key_value(key) }

  /// Sets the number of the calling thread.
  public func set(_ value: Int) { wallet_thread_key_set(key, value) }
}

/// A word of memory for each thread, 0 at first. The word is freed when its thread ends; the key is
/// never released. Unlike a `ThreadLocalNumber`, the word is looked up once and then read and
/// written at its address.
public struct ThreadLocalWord: Sendable {
  private let key: UInt

  /// Nil if the system has no key left.
  public init?() {
    var key: UInt = 0
    guard wallet_thread_word_create(&key) == 0 else { return nil }
    self.key = key
  }

  /// The word of the calling thread, for this thread only; nil if the system has no memory.
  public var address: UnsafeMutablePointer<Int>? { wallet_thread_word(key) }
}
