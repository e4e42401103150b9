import Synchronization

/// The text format of Prometheus, version 0.0.4.
enum MetricText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  static func head(_ name: String, _ type: String, _ help: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// `{name="value",...}`; empty if there are no labels.
  static func labels(_ names: [String], _ values: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let pairs = zip(names, values).map { "\($0)=\"\(escaped($1))\"" }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

/// Counters, one for each combination of label values. Label values are fixed names and never come
/// from a client, so there are few of them.
final class CounterFamily: Sendable {
  private let name: String
  private let help: String
  private let labels: [String]
  private let counts: Mutex<[[String]: UInt64]>

  /// - Parameter zeros: label values that are reported as 0 before anything is counted.
  init(_ name: String, _ help: String, labels: [String] = [], zeros: [[String]] = []) {
    self.name = name
    self.help = help
    self.labels = labels
    let zeros = labels.isEmpty ? [[]] : zeros
    counts = Mutex(Dictionary(zeros.map { ($0, 0) }, uniquingKeysWith: { first, _ in first }))
  }

  /// - Parameter values: the values of the labels, in the order of `labels`.
  func add(_ values: String...) { counts.withLock { $0[values, default: 0] &+= 1 } }

  func value(_ values: String...) -> UInt64 { counts.withLock { $0[values] ?? 0 } }

  var text: String {
    let counts = counts.withLock { $0 }
    return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .reduce(into: MetricText.head(name, "counter", help)) { text, count in
        text += "\(name)\(MetricText.labels(labels, count.key)) \(count.value)\n"
      }
  }
}

/// A histogram of durations, by the value of one label.
final class DurationFamily: Sendable {
  private struct Distribution {
    var buckets: [UInt64]
    var count: UInt64 = 0
    var seconds = 0.0
  }

  /// Upper bounds in seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  private let name: String
  private let help: String
  private let label: String
  private let distributions = Mutex<[String: Distribution]>([:])

  init(_ name: String, _ help: String, label: String) {
    self.name = name
    self.help = help
    self.label = label
  }

  func add(_ value: String, _ duration: Duration) {
    let (whole, fraction) = duration.components
    let seconds = Double(whole) + Double(fraction) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 }
    distributions.withLock { distributions in
      let none = Distribution(buckets: Array(repeating: 0, count: Self.bounds.count))
      var distribution = distributions[value] ?? none
      if let bucket { distribution.buckets[bucket] &+= 1 }
      distribution.count &+= 1
      distribution.seconds += seconds
      distributions[value] = distribution
    }
  }

  var text: String {
    let distributions = distributions.withLock { $0 }
    var text = MetricText.head(name, "histogram", help)
    for (value, distribution) in distributions.sorted(by: { $0.key < $1.key }) {
      let labels = MetricText.labels([label], [value])
      var below: UInt64 = 0
      for (bound, count) in zip(Self.bounds, distribution.buckets) {
        below &+= count
        text += "\(name)_bucket\(MetricText.labels([label, "le"], [value, "\(bound)"])) \(below)\n"
      }
      let all = MetricText.labels([label, "le"], [value, "+Inf"])
      text += "\(name)_bucket\(all) \(distribution.count)\n"
      text += "\(name)_sum\(labels) \(distribution.seconds)\n"
      text += "\(name)_count\(labels) \(distribution.count)\n"
    }
    return text
  }
}
