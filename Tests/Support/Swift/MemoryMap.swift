internal import Foundation

/// The memory of this process, as Linux tells.
public enum MemoryMap {
  /// What may be done with the memory at an address, such as "r--p"; nil if nothing is there.
  public static func protection(of address: UInt) throws -> String? {
    try regions().first { $0.bounds.contains(address) }?.protection
  }

  /// How many bytes can be written and belong to no file.
  public static func writableBytes() throws -> Int {
    try regions().filter { $0.protection == "rw-p" && !$0.isOfFile }.map(\.bounds.count)
      .reduce(0, +)
  }

  private struct Region {
    let bounds: Range<UInt>
    let protection: String
    let isOfFile: Bool
  }

  private static func regions() throws -> [Region] {
    // A handle reads on; to read the file at once ends with its first page.
    guard let maps = try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else {
      throw POSIXError(.ENOENT)
    }
    return String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
      // Bounds, protection, offset, device, inode and, for some, a name.
      let fields = line.split(separator: " ")
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2, bounds[0] <= bounds[1], fields.count >= 5 else { return nil }
      return Region(
        bounds: bounds[0]..<bounds[1], protection: String(fields[1]), isOfFile: fields[4] != "0")
    }
  }
}
