import Synchronization

/// Counts the memory of request bodies while they are read and processed, for all connections
/// together.
///
/// Some memory is reserved for small bodies, so that long, slow bodies from a few addresses cannot
/// block PIN instructions.
final class BodyMemory: Sendable {
  /// The maximum length of a small body, in bytes. Every instruction except the one with evidence
  /// fits.
  static let smallBody = 16 * 1024

  /// Memory reserved for one body.
  struct Share {
    /// The maximum length of the body, in bytes.
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

  /// Reserves memory for a body of at most `bytes`; nil if there is not enough.
  func take(_ bytes: Int) -> Share? {
    if bytes <= Self.smallBody, forSmall.take(bytes) { return Share(bytes: bytes, isSmall: true) }
    return forAny.take(bytes) ? Share(bytes: bytes, isSmall: false) : nil
  }

  /// Releases a reservation.
  func giveBack(_ share: Share) { (share.isSmall ? forSmall : forAny).giveBack(share.bytes) }

  /// The number of reserved bytes.
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
