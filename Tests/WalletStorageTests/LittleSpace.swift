import Glibc
import XCTest

/// Ways to run out of space that need no disk to be filled.
enum LittleSpace: CaseIterable {
  /// No file may grow beyond the size (RLIMIT_FSIZE); anybody may set that.
  case fileSizeLimit
  /// A file system of that size; needs the right to mount, otherwise the limit stands in for it.
  case smallFileSystem

  /// Calls `body` with a directory in which space ends.
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
