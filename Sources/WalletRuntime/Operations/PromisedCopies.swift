internal import WalletCards
internal import WalletPlatform

/// The copies of cards that a PIN was entered for and that are not used yet. Another use in between
/// takes other copies: the provider has opened exactly these slots, so the confirmed use cannot take
/// others, and a copy that two relying parties see would let them recognise its holder.
final class PromisedCopies: Sendable {
  /// Keeps the promise of some copies for as long as it lives.
  final class Promise: Sendable {
    private let promises: PromisedCopies
    private let number: UInt64

    fileprivate init(_ promises: PromisedCopies, _ number: UInt64) {
      self.promises = promises
      self.number = number
    }

    deinit { promises.forget(number) }
  }

  private struct State: Sendable {
    var copies: [UInt64: [ChosenCopy]] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Monitor(State())

  /// The number of promises.
  var count: Int { state.withLock { $0.copies.count } }

  var all: [ChosenCopy] { state.withLock { $0.copies.values.flatMap(\.self) } }

  func promise(_ copies: [ChosenCopy]) -> Promise {
    Promise(
      self,
      state.withLock { state in
        state.lastNumber &+= 1
        state.copies[state.lastNumber] = copies
        return state.lastNumber
      })
  }

  private func forget(_ number: UInt64) {
    state.withLock { _ = $0.copies.removeValue(forKey: number) }
  }
}
