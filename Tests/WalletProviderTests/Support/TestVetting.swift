import Synchronization
import WalletProtocol
import WalletProvider
import XCTest

/// Vetting that returns the verdicts given by the test.
final class ScriptedVetting: IdentityVetting {
  private let script: Mutex<[VettingVerdict]>
  private let count = Mutex(0)

  init(_ script: [VettingVerdict]) { self.script = Mutex(script) }

  var asked: Int { count.withLock { $0 } }

  func vet(_: VettingCase, now _: Int64) async -> VettingVerdict {
    count.withLock { $0 += 1 }
    return script.withLock { $0.isEmpty ? .declined : $0.removeFirst() }
  }
}

/// A simulated verdict that the test can change.
final class SwitchedVerdict: SimulatedVerdictSource {
  private let verdict: Mutex<SimulatedVerdict?>

  init(_ verdict: SimulatedVerdict?) { self.verdict = Mutex(verdict) }

  var current: SimulatedVerdict? { verdict.withLock { $0 } }

  func set(_ verdict: SimulatedVerdict?) { self.verdict.withLock { $0 = verdict } }
}

/// The real vetting, with an action after its first verdict.
final class InterruptedVetting: IdentityVetting {
  private let happening: @Sendable () async -> Void
  private let hasHappened = Mutex(false)

  init(_ happening: @escaping @Sendable () async -> Void) { self.happening = happening }

  func vet(_ vettingCase: VettingCase, now: Int64) async -> VettingVerdict {
    let verdict = await AccountVetting(settings: .forDemonstration).vet(vettingCase, now: now)
    let isFirst = hasHappened.withLock { value in
      defer { value = true }
      return !value
    }
    if isFirst { await happening() }
    return verdict
  }
}

/// Vetting that never returns.
struct EndlessVetting: IdentityVetting {
  func vet(_: VettingCase, now _: Int64) async -> VettingVerdict {
    try? await Task.sleep(for: .seconds(3_600))
    return .proofed(sourceMatched: false)
  }
}

/// Vetting that returns once the test allows it.
final class HeldVetting: IdentityVetting {
  private let count = Mutex(0)
  private let gate: AsyncStream<Void>
  private let opening: AsyncStream<Void>.Continuation

  init() { (gate, opening) = AsyncStream.makeStream(of: Void.self) }

  var asked: Int { count.withLock { $0 } }

  func open() { opening.finish() }

  func vet(_: VettingCase, now _: Int64) async -> VettingVerdict {
    count.withLock { $0 += 1 }
    for await _ in gate {}
    return .resubmit(.notMatched)
  }
}

/// A source that covers every issuer, and counts how often it is asked.
final class CountingSource: AuthoritativeSource {
  private let state = Mutex((asked: 0, confirms: true))

  var asked: Int { state.withLock { $0.asked } }

  func setConfirms(_ confirms: Bool) { state.withLock { $0.confirms = confirms } }

  func match(_: AttributeQuery) async -> SourceAnswer {
    let confirms = state.withLock { state in
      state.asked += 1
      return state.confirms
    }
    return .answered(
      MatchIndicators(
        documentNumber: confirms, birthDate: confirms, familyName: confirms, givenName: confirms,
        expiryDate: confirms))
  }
}

/// Vetting that must not be reached.
struct NoVetting: IdentityVetting {
  func vet(_: VettingCase, now _: Int64) async -> VettingVerdict {
    XCTFail("was asked")
    return .declined
  }
}

/// A store that counts the transactions that were rolled back, for vetting or any other reason.
final class UndoCountingStore: ProviderStore {
  private let inner: any ProviderStore
  private let count = Mutex(0)

  init(inner: any ProviderStore) { self.inner = inner }

  var undone: Int { count.withLock { $0 } }

  var clock: any ProviderClock { inner.clock }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    do { return try await inner.transaction(body) } catch {
      count.withLock { $0 += 1 }
      throw error
    }
  }

  func ping() async throws { try await inner.ping() }
}
