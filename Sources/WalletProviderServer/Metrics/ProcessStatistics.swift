import WalletSystem

/// Statistics of this process, under the names that the Prometheus client libraries use. Available
/// on Linux only.
enum ProcessStatistics {
  static var text: String {
    var text = ""
    func add(_ name: String, _ type: String, _ help: String, _ value: Double?) {
      guard let value else { return }
      text += MetricText.head(name, type, help) + "\(name) \(value)\n"
    }
    // proc(5): the first field after the name in parentheses has the number 3.
    let fields = read("/proc/self/stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    let field = { (number: Int) in
      fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
    }
    let ticks = Double(CurrentProcess.ticksPerSecond)
    let pageBytes = Double(CurrentProcess.pageBytes)
    add(
      "process_resident_memory_bytes", "gauge", "Resident memory.", field(24).map { $0 * pageBytes }
    )
    add(
      "process_cpu_seconds_total", "counter", "CPU time of user and system.",
      field(14).flatMap { user in field(15).map { (user + $0) / ticks } })
    add(
      "process_start_time_seconds", "gauge", "Start of the process since 1970.",
      field(22).flatMap { start in bootTime.map { $0 + start / ticks } })
    return text
  }

  /// Seconds since 1970.
  private static var bootTime: Double? {
    read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      .flatMap { Double($0.dropFirst("btime ".count)) }
  }

  private static func read(_ path: String) -> String? {
    guard let file = try? FileDescriptor(opening: path) else { return nil }
    defer { file.close() }
    // /proc/stat can be long: it has a line for each processor and a count for each interrupt.
    guard let content = try? file.readAll(limit: 1 << 20) else { return nil }
    return String(decoding: content, as: UTF8.self)
  }
}
