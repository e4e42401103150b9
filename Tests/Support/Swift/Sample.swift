import Foundation
import Synchronization

/// The part of an exhaustive test that `make test` runs: a few elements of each kind, the same ones
/// in every run, so that results do not vary. With `WALLET_CORE_EXHAUSTIVE=1`, as in `make
/// test-full`, everything runs.
public enum Sample {
  /// Decides which elements of a kind are taken.
  public static let seed: UInt64 = 17

  public static let isExhaustive =
    ProcessInfo.processInfo.environment["WALLET_CORE_EXHAUSTIVE"] == "1"

  /// `count` elements of each kind, in the order of `elements`; all of them if the run is
  /// exhaustive.
  ///
  /// Prints with the seed how many were left out.
  public static func of<Element>(
    _ elements: [Element], _ count: Int = 1, kind: (Element) -> String
  ) -> [Element] {
    guard !isExhaustive else { return elements }
    let chosen = choose(elements.map(kind), count)
    if chosen.count < elements.count {
      let kinds = Set(elements.map(kind)).count
      tell("sample: \(chosen.count) of \(elements.count), \(kinds) kinds, seed \(seed)")
    }
    return chosen.map { elements[$0] }
  }

  private static let told = Mutex<Set<String>>([])

  /// Once in a process, because some tests draw a sample for each of many inputs.
  private static func tell(_ line: String) {
    if told.withLock({ $0.insert(line).inserted }) { print(line) }
  }

  /// The number of rounds: `short` of them, or `long` if the run is exhaustive.
  public static func rounds(_ short: Int, of long: Int) -> Int { isExhaustive ? long : short }

  /// The seed of a stress run, which prints it: that of `WALLET_CORE_STRESS_SEED`, or another one in
  /// each exhaustive run, or else always the same.
  public static var stressSeed: UInt64 {
    ProcessInfo.processInfo.environment["WALLET_CORE_STRESS_SEED"].flatMap(UInt64.init)
      ?? (isExhaustive ? .random(in: 1...UInt64(UInt32.max)) : seed)
  }

  /// The indices of `count` elements of each kind, sorted.
  package static func choose(_ kinds: [String], _ count: Int) -> [Int] {
    var random = SeededGenerator(seed: seed)
    var chosen: [Int] = []
    for kind in Set(kinds).sorted() {
      var left = kinds.indices.filter { kinds[$0] == kind }
      for _ in 0..<min(count, left.count) {
        chosen.append(left.remove(at: Int(random.next() % UInt64(left.count))))
      }
    }
    return chosen.sorted()
  }
}
