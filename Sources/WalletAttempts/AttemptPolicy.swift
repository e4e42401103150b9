/// How many attempts at the PIN are allowed. The attempts come in rounds: after each round but the last the
/// wallet is blocked for a time, and after the last one permanently.
public struct AttemptPolicy: Sendable, Equatable {
  /// 1 to 100.
  public let rounds: Int
  /// 2 to 100. With one attempt per round, the answer to a wrong PIN could never say how many are
  /// left.
  public let attemptsPerRound: Int
  /// How long the block after each round but the last one lasts, in milliseconds; each 1 ms to 366
  /// days.
  public let blockDurations: [Int64]
  /// How many wrong PINs there may be in any 30 days; 2 to 1,000,000. The last of them blocks the
  /// wallet permanently. Without this limit, a guesser would have new rounds of attempts after
  /// every right PIN that the owner enters.
  public let failuresPerMonth: Int

  /// 366 days, in milliseconds.
  private static let longestBlock: Int64 = 366 * 24 * 3_600_000

  /// 4 rounds of 4; blocks of 1, 5 and 60 minutes; 50 wrong PINs in any 30 days.
  public static let standard = AttemptPolicy(
    checkedRounds: 4, attemptsPerRound: 4, blockDurations: [60_000, 300_000, 3_600_000],
    failuresPerMonth: 50)

  /// - Throws: `AttemptPolicyError` that names the value out of range.
  public init(
    rounds: Int, attemptsPerRound: Int, blockDurations: [Int64],
    failuresPerMonth: Int = AttemptPolicy.standard.failuresPerMonth
  ) throws(AttemptPolicyError) {
    guard (1...100).contains(rounds) else {
      throw AttemptPolicyError("attempt rounds must be 1 to 100, not \(rounds)")
    }
    guard (2...100).contains(attemptsPerRound) else {
      throw AttemptPolicyError("attempts per round must be 2 to 100, not \(attemptsPerRound)")
    }
    guard blockDurations.count == rounds - 1 else {
      throw AttemptPolicyError(
        "block durations must be one fewer than the \(rounds) rounds, not \(blockDurations.count)")
    }
    guard blockDurations.allSatisfy((1...Self.longestBlock).contains) else {
      throw AttemptPolicyError("each block duration must be above zero and at most 366 days")
    }
    guard (2...1_000_000).contains(failuresPerMonth) else {
      throw AttemptPolicyError(
        "failures in 30 days must be 2 to 1000000, not \(failuresPerMonth)")
    }
    self.init(
      checkedRounds: rounds, attemptsPerRound: attemptsPerRound, blockDurations: blockDurations,
      failuresPerMonth: failuresPerMonth)
  }

  private init(
    checkedRounds: Int, attemptsPerRound: Int, blockDurations: [Int64], failuresPerMonth: Int
  ) {
    self.rounds = checkedRounds
    self.attemptsPerRound = attemptsPerRound
    self.blockDurations = blockDurations
    self.failuresPerMonth = failuresPerMonth
  }

  /// The number of the wrong attempt that blocks the wallet permanently.
  public var lastAttempt: Int { rounds * attemptsPerRound }
}

/// The source of the current policy.
public protocol AttemptPolicySource: Sendable {
  /// The policy for the next attempt.
  var current: AttemptPolicy { get }
}

extension AttemptPolicy: AttemptPolicySource {
  public var current: AttemptPolicy { self }
}

/// A value of an attempt policy that is out of range.
public struct AttemptPolicyError: Error, Equatable, CustomStringConvertible {
  /// A message for the operator.
  public let description: String

  init(_ description: String) { self.description = description }
}
