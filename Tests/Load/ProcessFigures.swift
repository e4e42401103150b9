import Glibc

/// What the kernel tells of processes, summed.
struct ProcessFigures {
  /// Seconds of user and system time.
  var cpu = 0.0
  /// Bytes.
  var residentMemory = 0

  init(of processes: [Int32]) {
    for process in processes {
      // The name of the program stands in parentheses and may hold anything.
      let fields =
        Self.read("/proc/\(process)/stat").split(separator: ")").last?
        .split(separator: " ") ?? []
      if fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) {
        cpu += (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
      }
      let pages = Self.read("/proc/\(process)/statm").split(separator: " ").dropFirst().first
      residentMemory += (pages.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
  }

  /// The kernel's counter of the CPU time of this process, in seconds.
  static var ownCPU: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}

/// The value below which `share` of the sorted values lie.
func quantile(_ sorted: [Double], _ share: Double) -> Double {
  guard let last = sorted.indices.last else { return 0 }
  return sorted[min(last, Int(Double(sorted.count) * share))]
}
