internal import CPosix

/// This process: its id and user, its limits and its exit.
public enum CurrentProcess {
  /// The process id. The child of a fork has a different one from its parent.
  public static var identifier: Int32 { wallet_process_identifier() }

  /// The id of the user whose rights the process has.
  public static var effectiveUser: UInt32 { wallet_process_effective_user() }

  /// Ends the process as SIGKILL does: nothing is flushed and no handler runs.
  public static func kill() -> Never { wallet_process_kill() }

  /// Ends the process with `status` after its output was flushed. No exit handler and no finalizer of
  /// a library runs, because another thread may still be inside the library.
  public static func end(_ status: Int32) -> Never { wallet_process_end(status) }

  /// Registers `handler` to run in `exit`; the last one registered runs first. Returns false if
  /// there is not enough memory.
  public static func atExit(_ handler: @convention(c) () -> Void) -> Bool {
    wallet_process_at_exit(handler) == 0
  }

  /// Registers `handler` to run in each child of a fork, before any other code of the child.
  /// Returns false if there is not enough memory.
  public static func inForkedChild(_ handler: @convention(c) () -> Void) -> Bool {
    wallet_process_in_forked_child(handler) == 0
  }

  /// Raises the number of files that the process may open to `count`, or as far as the system
  /// allows.
  ///
  /// - Returns: The limit if it stays lower; nil if `count` files are allowed or the limit is
  ///   unknown.
  public static func allowOpenFiles(_ count: UInt64) -> UInt64? {
    var allowed: UInt64 = 0
    return wallet_process_allow_open_files(count, &allowed) ? nil : allowed
  }

  /// The number of clock ticks in a second. `/proc` gives processor times in ticks.
  public static var ticksPerSecond: Int64 { wallet_process_ticks_per_second() }

  /// The size of a page of memory in bytes.
  public static var pageBytes: Int64 { wallet_process_page_bytes() }

  /// Flushes the C library's output buffers.
  public static func flushOutput() { wallet_process_flush_output() }
}

/// The environment of this process. It may be changed only before other threads read it.
public enum ProcessEnvironment {
  /// The value of a variable; nil if it is not set.
  public static func value(_ name: String) -> String? {
    wallet_environment_value(name).map { String(cString: $0) }
  }

  /// Returns the value of a variable and removes the variable. The original memory is overwritten,
  /// because other processes can read it.
  public static func take(_ name: String) -> String? {
    let value = value(name)
    wallet_environment_wipe(name)
    return value
  }
}
