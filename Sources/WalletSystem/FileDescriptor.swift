internal import CPosix

/// An open file or directory. The code that opens it must close it, once.
public struct FileDescriptor: Sendable {
  /// Its number in this process.
  public let number: Int32

  /// Standard error of the process.
  public static let standardError = FileDescriptor(number: Int32(wallet_standard_error))

  /// Options for opening a file; no option opens it for reading.
  public struct Options: OptionSet, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ constant: Int) { rawValue = Int32(constant) }

    public static let writing = Options(wallet_open_writing)
    public static let readingAndWriting = Options(wallet_open_reading_and_writing)
    public static let creating = Options(wallet_open_creating)
    /// With `creating`: fails if the file exists.
    public static let exclusively = Options(wallet_open_exclusively)
    public static let appending = Options(wallet_open_appending)
    /// Fails if the path is not a directory.
    public static let directory = Options(wallet_open_directory)
    /// Fails with `tooManyLinks` if the path is a symbolic link.
    public static let withoutFollowing = Options(wallet_open_without_following)
    /// Does not wait until the other end of a pipe is opened.
    public static let withoutWaiting = Options(wallet_open_without_waiting)
  }

  init(number: Int32) { self.number = number }

  /// The copy of a parent's descriptor in the child of a fork.
  public init(inherited number: Int32) { self.number = number }

  /// Opens a file. Programs that this process starts do not inherit it.
  ///
  /// - Parameters:
  ///   - directory: Where a relative `path` starts; nil is the working directory.
  ///   - mode: The permissions of a file that is created, less those of the umask.
  public init(
    opening path: String, in directory: FileDescriptor? = nil, _ options: Options = [],
    mode: UInt32 = 0
  ) throws(SystemError) {
    number = wallet_file_open(directory.number, path, options.rawValue, mode)
    guard number >= 0 else { throw SystemError(code: -number) }
  }

  /// Closes the descriptor.
  public func close() { wallet_file_close(number) }

  /// Reads the rest of the file. Returns nil if it is longer than `limit` bytes.
  public func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      let count = wallet_file_read(number, &piece, piece.count)
      guard count >= 0 else { throw SystemError(code: Int32(-count)) }
      guard count > 0 else { return content }
      content.append(contentsOf: piece.prefix(Int(count)))
      guard content.count <= limit else { return nil }
    }
  }

  /// Reads what there is, at most `limit` bytes, and waits for the first one. Returns nil at the end.
  public func readSome(limit: Int) throws(SystemError) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: limit)
    let count = wallet_file_read(number, &piece, piece.count)
    guard count >= 0 else { throw SystemError(code: Int32(-count)) }
    return count > 0 ? Array(piece.prefix(Int(count))) : nil
  }

  /// Writes all of `content`, in one call if the system accepts it at once.
  public func write(_ content: [UInt8]) throws(SystemError) {
    try SystemError.check(wallet_file_write(number, content, content.count))
  }

  /// Reads `count` bytes from `place` on, fewer only if the file ends before.
  public func read(_ count: Int, at place: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = wallet_file_read_at(number, &bytes, count, place)
    guard found >= 0 else { throw SystemError(code: Int32(-found)) }
    return found < count ? Array(bytes.prefix(Int(found))) : bytes
  }

  /// Writes all of `content` from `place` on, in one call if the system accepts it at once.
  public func write(_ content: [UInt8], at place: Int64) throws(SystemError) {
    try SystemError.check(wallet_file_write_at(number, content, content.count, place))
  }

  /// Flushes the content to the disk, but not the times of the file. If content was only overwritten,
  /// this is quicker than `synchronise`.
  public func synchroniseContent() throws(SystemError) {
    try SystemError.check(wallet_file_synchronise_content(number))
  }

  /// Flushes the file or directory to the disk, so that its content survives a power cut.
  public func synchronise() throws(SystemError) {
    try SystemError.check(wallet_file_synchronise(number))
  }

  /// Sets the permissions; the umask has no effect on them.
  public func setMode(_ mode: UInt32) throws(SystemError) {
    try SystemError.check(wallet_file_set_mode(number, mode))
  }

  /// Takes an exclusive lock, until this descriptor and its duplicates are closed or the process
  /// ends.
  ///
  /// - Parameter waits: Whether to wait for the lock; if not, fails with `wouldBlock` while it is
  ///   held elsewhere.
  public func lock(waits: Bool) throws(SystemError) {
    try SystemError.check(wallet_file_lock(number, waits))
  }
}

extension FileDescriptor? {
  /// The number that the C functions take for a directory.
  var number: Int32 { self?.number ?? Int32(wallet_no_directory) }
}
