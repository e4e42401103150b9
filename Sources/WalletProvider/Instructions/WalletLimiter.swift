import Synchronization
public import WalletProtocol

/// How often one wallet is served. Asked inside of transactions, so it answers at once; it knows nothing
/// of a wallet but its id. Challenges are counted apart from what they are for: else a wallet that tries
/// too often would use up on challenges what it needs to go on.
public protocol WalletLimiter: Sendable {
  /// How many seconds the wallet has to wait, at least 1; nil for none. Counts nothing.
  func pause(wallet: String, for instruction: InstructionName) -> Int64?
  /// Counts a request that the wallet's hardware key signed; else as `pause(wallet:for:)`, and a
  /// request that has to wait is not counted.
  func count(wallet: String, for instruction: InstructionName) -> Int64?
}

/// Serves every wallet as often as it asks.
public struct UnlimitedWallets: WalletLimiter {
  public init() {}

  public func pause(wallet: String, for instruction: InstructionName) -> Int64? { nil }

  public func count(wallet: String, for instruction: InstructionName) -> Int64? { nil }
}

/// Counts one request once, however often its transaction is begun anew.
final class WalletAdmission: Sendable {
  private let limiter: any WalletLimiter
  private let instruction: InstructionName
  private let isCounted = Mutex(false)

  /// Refuses a wallet that has to wait before any work is done for it. Only requests with a valid
  /// signature are ever counted, so this takes nothing from a wallet that others speak for.
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
