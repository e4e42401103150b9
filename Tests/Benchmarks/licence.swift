internal import FoundationEssentials
internal import WalletModel
internal import WalletProofing

/// Prints the medians, in nanoseconds, of reading the licence in a file and of reading each of its
/// bytes once.
///
///     licence-benchmark FILE ROUNDS
@main
enum LicenceBenchmark {
  private enum Failure: Error {
    case usage
    case noSeparators
  }

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let rounds = Int(arguments[2]), rounds > 0 else {
      throw Failure.usage
    }
    let card = [UInt8](try Data(contentsOf: URL(filePath: arguments[1])))
    // 1 September 2026.
    let now: Int64 = 1_788_264_000
    let reading = try median(rounds) {
      try card.withUnsafeBytes { raw in
        _ = try LicenceEvidence(
          scanned: raw, symbology: .pdf417, now: now, policy: ProofingPolicy())
      }
    }
    var separators = 0
    // One pass is too short for the clock.
    let passes = 100
    let scanning = median(rounds) {
      for _ in 0..<passes { separators &+= scan(card) }
    }
    guard separators > 0 else { throw Failure.noSeparators }
    print(reading, Double(scanning) / Double(passes))
  }

  /// Counts the bytes below a space, one after the other.
  @inline(never)
  private static func scan(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for byte in bytes where byte < 0x20 { count &+= 1 }
      return count
    }
  }

  private static func median(_ rounds: Int, _ body: () throws -> Void) rethrows -> Int64 {
    let clock = ContinuousClock()
    var times: [Int64] = []
    for _ in 0..<rounds {
      let time = try clock.measure(body)
      times.append(time.components.attoseconds / 1_000_000_000)
    }
    return times.sorted()[rounds / 2]
  }
}
