internal import CPosix

/// This process: who it is, its limits, its end.
public enum CurrentProcess {
  /// Its number; the child of a fork has another one than its parent.
  public static var identifier: Int32 { wallet_process_identifier() }

  /// The id of the user whose rights it has.
  public static var effectiveUser: UInt32 { wallet_process_effective_user() }

  /// Ends the process as a kill does: nothing is flushed, no handler runs.
  public static func kill() -> Never { wallet_process_kill() }

  /// Has `exit` call `handler`, the last registered first. False where there is no memory for it.
  public static func atExit(_ handler: @convention(c) () -> Void) -> Bool {
    wallet_process_at_exit(handler) == 0
  }

  /// Has each child of a fork call `handler` before anything else. False where there is no memory
  /// for it.
  public static func inForkedChild(_ handler: @convention(c) () -> Void) -> Bool {
    wallet_process_in_forked_child(handler) == 0
  }

  /// Raises how many files the process may open to `count`, as far as that is allowed.
  ///
  /// - Returns: How many are allowed where that is fewer; nil where all are, or where nothing is
  ///   known.
  public static func allowOpenFiles(_ count: UInt64) -> UInt64? {
    var allowed: UInt64 = 0
    return wallet_process_allow_open_files(count, &allowed) ? nil : allowed
  }

  /// The unit of processor times in `/proc`: so many of them are a second.
  public static var ticksPerSecond: Int64 { wallet_process_ticks_per_second() }

  /// Bytes of a page of memory.
  public static var pageBytes: Int64 { wallet_process_page_bytes() }

  /// Hands on at once what was printed.
  public static func flushOutput() { wallet_process_flush_output() }
}

/// The environment of this process. It is changed only before other threads might read it.
public enum ProcessEnvironment {
  /// The value of a variable; nil where it is not set.
  public static func value(_ name: String) -> String? {
    wallet_environment_value(name).map { String(cString: $0) }
  }

  /// The value of a variable, which is removed and overwritten where the system shows it to others.
  public static func take(_ name: String) -> String? {
    let value = value(name)
    wallet_environment_wipe(name)
    return value
  }
}
