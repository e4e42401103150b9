import WalletAttempts
import Synchronization
import WalletProvider

/// Everything that a test may change or count, protected by one lock.
final class ControlledState: ProviderClock, AttemptPolicySource, ProviderObserver {
  private struct Values {
    var offset: Int64 = 0
    var policy: AttemptPolicy
    var updatePolicy: UpdatePolicy?
    var fault: Fault?
    var faults = 0
    var requests = RequestsInProgress()
    var judged = 0
    var verdict: SimulatedVerdict?
    var sourceAnswers = true
    var issued = 0
    var sealedPayloads: [String]?
  }

  private let values: Mutex<Values>

  init(policy: AttemptPolicy, verdict: SimulatedVerdict? = nil) {
    values = Mutex(Values(policy: policy, verdict: verdict))
  }

  private static let furthest = ProviderSettings.longestDuration

  /// The store's time, moved by the offset that the test set; never negative.
  func time(_ time: Int64) -> Int64 { max(0, time + values.withLock { $0.offset }) }

  /// Moves the clock forward, or back if negative; by at most 366 days in total.
  func advance(by milliseconds: Int64) {
    values.withLock {
      let (sum, overflow) = $0.offset.addingReportingOverflow(milliseconds)
      let wanted = overflow ? (milliseconds > 0 ? Self.furthest : -Self.furthest) : sum
      $0.offset = min(max(wanted, -Self.furthest), Self.furthest)
    }
  }

  var current: AttemptPolicy { values.withLock { $0.policy } }

  func setPolicy(_ policy: AttemptPolicy) { values.withLock { $0.policy = policy } }

  /// The rules set by a test; nil if it set none.
  var updatePolicy: UpdatePolicy? { values.withLock { $0.updatePolicy } }

  func setUpdatePolicy(_ policy: UpdatePolicy) { values.withLock { $0.updatePolicy = policy } }

  func attemptAnswered(_: AttemptOutcome) { values.withLock { $0.judged += 1 } }

  /// The number of PINs checked since the start of the process.
  var judged: Int { values.withLock { $0.judged } }

  func proofingAnswered(_ notice: ProofingNotice) {
    if notice.result == "issued" { values.withLock { $0.issued += 1 } }
  }

  /// The number of PIDs issued since the start of the process.
  var issued: Int { values.withLock { $0.issued } }

  var verdict: SimulatedVerdict? { values.withLock { $0.verdict } }

  func setSimulatedVerdict(_ verdict: SimulatedVerdict?) {
    values.withLock { $0.verdict = verdict }
  }

  var sourceAnswers: Bool { values.withLock { $0.sourceAnswers } }

  func setSourceAnswers(_ answers: Bool) { values.withLock { $0.sourceAnswers = answers } }

  /// Sets the fault and releases held requests.
  func setFault(_ fault: Fault?) {
    values.withLock {
      $0.faults += 1
      $0.fault = fault
      $0.fault?.number = $0.faults
    }
  }

  /// Waits until the fault is replaced or the provider ends.
  func hold(_ fault: Fault) async {
    values.withLock { $0.requests.held += 1 }
    defer { values.withLock { $0.requests.held -= 1 } }
    while values.withLock({ $0.faults == fault.number }) {
      do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
    }
  }

  /// Whether payloads are recorded, which begins with the first `takeSealedPayloads`.
  var isRecording: Bool { values.withLock { $0.sealedPayloads != nil } }

  func record(_ sealedPayload: String) {
    values.withLock { $0.sealedPayloads?.append(sealedPayload) }
  }

  /// The payloads of PIN instructions, base64url, that came since the last call. The first call
  /// returns none, because it begins the recording.
  func takeSealedPayloads() -> [String] {
    values.withLock { values in
      defer { values.sealedPayloads = [] }
      return values.sealedPayloads ?? []
    }
  }

  func requestBegan() { values.withLock { $0.requests.all += 1 } }

  func requestEnded() { values.withLock { $0.requests.all -= 1 } }

  var requests: RequestsInProgress { values.withLock { $0.requests } }

  /// The fault that applies to a request at `path`, if any. Each call counts as one request.
  func takeFault(path: String) -> Fault? {
    values.withLock {
      guard var fault = $0.fault, fault.path == nil || fault.path == path else { return nil }
      if fault.skip > 0 {
        fault.skip -= 1
        $0.fault = fault
        return nil
      }
      guard fault.count > 0 else { return nil }
      fault.count -= 1
      $0.fault = fault.count > 0 ? fault : nil
      return fault
    }
  }
}

/// The number of unfinished requests.
struct RequestsInProgress: Encodable {
  var all = 0
  /// The number of unfinished requests that the fault `hold` holds.
  var held = 0
}

/// The rules set by a test or, until a test sets any, those in the file.
struct ControlledUpdatePolicy: UpdatePolicySource {
  let state: ControlledState
  let file: UpdatePolicyFile

  var updatePolicy: UpdatePolicy {
    get async {
      if let policy = state.updatePolicy { return policy }
      return await file.updatePolicy
    }
  }
}
