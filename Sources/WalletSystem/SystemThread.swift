internal import CPosix

/// A POSIX thread. It is joined or detached, once.
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
  ///   - blocksSignals: Whether its mask of signals is full, but for those that say that this very
  ///     thread did something wrong; otherwise it is empty. The mask of the caller does not matter.
  /// - Throws: Where the system has no thread left.
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

  /// Waits for the thread's end.
  public func join() { wallet_thread_join(handle) }

  /// Lets the thread end on its own.
  public func detach() { wallet_thread_detach(handle) }
}

/// A number that each thread has its own of, 0 at first. Its key is never given back.
public struct ThreadLocalNumber: Sendable {
  private let key: UInt

  /// Nil where the system has no key left.
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
