import Glibc
import XCTest

/// Ways to run out of space without filling a disk.
enum LimitedSpace: CaseIterable {
  /// No file can grow beyond the size (RLIMIT_FSIZE), which any user may set.
  case fileSizeLimit
  /// A file system of that size. It needs the right to mount; without it, the file size limit is
  /// used.
  case smallFileSystem

  /// Calls `body` with a directory of limited space.
  func use(
    for test: XCTestCase, kilobytes: Int = 256, _ body: (Scratch) throws -> Void
  ) throws {
    let scratch = try Scratch(for: test)
    if self == .smallFileSystem,
      mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(kilobytes)k") == 0
    {
      defer { umount2(scratch.path, Int32(MNT_DETACH)) }
      return try body(scratch)
    }
    var before = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
    let handler = signal(SIGXFSZ, SIG_IGN)
    var limit = before
    limit.rlim_cur = rlim_t(kilobytes * 1024)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    defer {
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
      signal(SIGXFSZ, handler)
    }
    try body(scratch)
  }
}
