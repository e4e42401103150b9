internal import Foundation

/// The memory of this process, as Linux tells.
public enum MemoryMap {
  /// What may be done with the memory at an address, such as "r--p"; nil if nothing is there.
  public static func protection(of address: UInt) throws -> String? {
    // A handle reads on; to read the file at once ends with its first page.
    guard let maps = try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else {
      throw POSIXError(.ENOENT)
    }
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      if bounds.count == 2, bounds[0] <= address, address < bounds[1] { return String(fields[1]) }
    }
    return nil
  }
}
