import Synchronization

/// The memory that bodies take while they are read and worked on, all connections together.
///
/// Small bodies have memory of their own: long ones that come slowly from a few addresses keep no PIN out.
final class BodyMemory: Sendable {
  /// The longest body that is small, in bytes: every instruction but evidence fits.
  static let smallBody = 16 * 1024

  /// Memory for one body.
  struct Share {
    /// How long the body may become.
    let bytes: Int
    fileprivate let isSmall: Bool
  }

  private let forSmall: Pool
  private let forAny: Pool

  /// - Parameters:
  ///   - small: bytes for small bodies only.
  ///   - any: further bytes, for bodies of any length.
  init(small: Int, any: Int) {
    forSmall = Pool(small)
    forAny = Pool(any)
  }

  /// Memory for a body of at most `bytes`; nil when there is not so much.
  func take(_ bytes: Int) -> Share? {
    if bytes <= Self.smallBody, forSmall.take(bytes) { return Share(bytes: bytes, isSmall: true) }
    return forAny.take(bytes) ? Share(bytes: bytes, isSmall: false) : nil
  }

  /// Gives back what was taken.
  func giveBack(_ share: Share) { (share.isSmall ? forSmall : forAny).giveBack(share.bytes) }

  /// Bytes that are taken.
  var taken: Int { forSmall.taken + forAny.taken }

  private final class Pool: Sendable {
    private let size: Int
    private let used = Atomic(0)

    init(_ size: Int) { self.size = size }

    var taken: Int { used.load(ordering: .relaxed) }

    func take(_ bytes: Int) -> Bool {
      guard used.add(bytes, ordering: .relaxed).newValue <= size else {
        giveBack(bytes)
        return false
      }
      return true
    }

    func giveBack(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
  }
}
