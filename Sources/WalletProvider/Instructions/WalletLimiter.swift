import Synchronization
public import WalletProtocol

/// Limits how often a wallet is served. Called within transactions, so it must return at once. It
/// learns nothing of a wallet but the id. Requests for challenges are counted separately from the
/// instructions that the challenges are for. Otherwise a wallet that tries too often would spend on
/// challenges the requests that it needs for its instructions. An attempt at the PIN is counted with
/// its challenge. So a limiter refuses no answer to it that is sent once or twice; otherwise
/// the limit would cost an attempt.
public protocol WalletLimiter: Sendable {
  /// The number of seconds the wallet has to wait, at least 1; nil if it need not wait. Counts
  /// nothing.
  func pause(wallet: String, for instruction: InstructionName) -> Int64?
  /// Counts a request signed with the wallet's hardware key. If the wallet has to wait, the request
  /// is not counted and the result is that of `pause(wallet:for:)`.
  func count(wallet: String, for instruction: InstructionName) -> Int64?
}

/// Does not limit wallets.
public struct UnlimitedWallets: WalletLimiter {
  public init() {}

  public func pause(wallet: String, for instruction: InstructionName) -> Int64? { nil }

  public func count(wallet: String, for instruction: InstructionName) -> Int64? { nil }
}

/// Counts one request only once, however often its transaction is repeated.
final class WalletAdmission: Sendable {
  private let limiter: any WalletLimiter
  private let instruction: InstructionName
  private let isCounted = Mutex(false)

  /// Throws if the wallet has to wait, before any work is done for it. Only requests with a valid
  /// signature are ever counted, so nobody can use up another wallet's quota.
  ///
  /// - Throws: `ProblemError`, too-many-requests.
  init(_ limiter: any WalletLimiter, _ claims: InstructionClaims) throws(ProblemError) {
    self.limiter = limiter
    instruction = claims.instruction
    try Self.refuse(limiter.pause(wallet: claims.wallet, for: instruction))
  }

  /// Counts the request, whose signature was verified.
  ///
  /// - Throws: `ProblemError`, too-many-requests.
  func count(wallet: String) throws(ProblemError) {
    let isFirst = isCounted.withLock { isCounted in
      defer { isCounted = true }
      return !isCounted
    }
    if isFirst { try Self.refuse(limiter.count(wallet: wallet, for: instruction)) }
  }

  private static func refuse(_ seconds: Int64?) throws(ProblemError) {
    if let seconds { throw ProblemError(.tooManyRequests, retryAfterSeconds: seconds) }
  }
}
