import WalletAttempts
import Synchronization
public import WalletProvider

/// The metrics of a process. They contain no address and no id.
public final class ServerMetrics: Sendable {
  let requests = CounterFamily(
    "wallet_provider_http_requests_total", "Requests that were answered.",
    labels: ["endpoint", "status"])
  let durations = DurationFamily(
    "wallet_provider_http_request_duration_seconds", "Time from a request's head to its answer.",
    label: "endpoint")
  let attempts = CounterFamily(
    "wallet_provider_attempts_judged_total", "PINs that were checked.", labels: ["judgement"],
    zeros: AttemptOutcome.allCases.map { [$0.rawValue] })
  let proofings = CounterFamily(
    "wallet_provider_proofing_answers_total", "Instructions of the identity proofing.",
    labels: ["instruction", "result"])
  let limitsHit = CounterFamily(
    "wallet_provider_limits_hit_total", "Requests and connections that a limit kept out.",
    labels: ["limit"], zeros: Limit.allCases.map { [$0.rawValue] })
  let connectionsOpened = CounterFamily(
    "wallet_provider_connections_total", "Connections that were taken.")
  let storeFailures = CounterFamily(
    "wallet_provider_store_failures_total", "Requests that the store failed.")
  let unauthenticRows = CounterFamily(
    "wallet_provider_unauthentic_rows_total",
    "Requests that met a row which the provider did not write.", labels: ["table"],
    zeros: StoredTable.allCases.map { [$0.rawValue] })

  private struct Gauge: Sendable {
    var name: String
    var help: String
    var value: @Sendable () -> Double
  }

  private let gauges = Mutex<[Gauge]>([])

  public init() {}

  /// Adds a gauge whose `value` is computed each time the metrics are read.
  func addGauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Double) {
    gauges.withLock { $0.append(Gauge(name: name, help: help, value: value)) }
  }

  /// An observer that counts the outcomes of attempts and proofings, and forwards them to `next`.
  public func observer(_ next: any ProviderObserver) -> any ProviderObserver {
    MetricsObserver(metrics: self, next: next)
  }

  /// Counts the error with which a request failed.
  func count(_ error: any Error) {
    guard let failure = error as? StoreFailure else { return }
    storeFailures.add()
    if let row = failure.unauthenticRow { unauthenticRows.add(row.table.rawValue) }
  }

  /// All metrics in the text format of Prometheus.
  var text: String {
    var text = [
      requests.text, durations.text, attempts.text, proofings.text, limitsHit.text,
      connectionsOpened.text, storeFailures.text, unauthenticRows.text,
    ].joined()
    for gauge in gauges.withLock({ $0 }) {
      text += MetricText.head(gauge.name, "gauge", gauge.help)
      text += "\(gauge.name) \(gauge.value())\n"
    }
    let build = "wallet_provider_build_info"
    text += MetricText.head(build, "gauge", "The version that runs.")
    text += build + MetricText.labels(["version"], [ProviderVersion.text]) + " 1\n"
    return text + ProcessStatistics.text
  }
}

private struct MetricsObserver: ProviderObserver {
  let metrics: ServerMetrics
  let next: any ProviderObserver

  func attemptAnswered(_ outcome: AttemptOutcome) {
    metrics.attempts.add(outcome.rawValue)
    next.attemptAnswered(outcome)
  }

  func proofingAnswered(_ notice: ProofingNotice) {
    metrics.proofings.add(notice.instruction, notice.result)
    next.proofingAnswered(notice)
  }
}
