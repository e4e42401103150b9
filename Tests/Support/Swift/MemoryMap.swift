internal import Foundation

/// The memory of this process, as Linux tells.
public enum MemoryMap {
  /// What may be done with the memory at an address, such as "r--p"; nil if nothing is there.
  public static func protection(of address: UInt) throws -> String? {
    try regions().first { $0.bounds.contains(address) }?.protection
  }

  /// The system's flags of the memory at an address: "lo" if it is locked, "dd" if it is left out of
  /// dumps; empty if nothing is there.
  public static func flags(of address: UInt) throws -> Set<String> {
    var isThere = false
    for line in try lines(of: "smaps") {
      let fields = line.split(separator: " ")
      if let bounds = bounds(fields.first ?? "") {
        isThere = bounds.contains(address)
      } else if isThere, fields.first == "VmFlags:" {
        return Set(fields.dropFirst().map(String.init))
      }
    }
    return []
  }

  /// Whether memory that the process locks is locked. Not under the address sanitizer, which only says
  /// that it has locked it.
  public static func canLock() throws -> Bool {
    let length = Int(sysconf(Int32(_SC_PAGESIZE)))
    let page = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let page, page != MAP_FAILED else { throw POSIXError(.ENOMEM) }
    defer { munmap(page, length) }
    return try mlock(page, length) == 0 && flags(of: UInt(bitPattern: page)).contains("lo")
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
    try lines(of: "maps").compactMap { line in
      // Bounds, protection, offset, device, inode and, for some, a name.
      let fields = line.split(separator: " ")
      guard fields.count >= 5, let bounds = bounds(fields[0]) else { return nil }
      return Region(bounds: bounds, protection: String(fields[1]), isOfFile: fields[4] != "0")
    }
  }

  private static func bounds(_ text: Substring) -> Range<UInt>? {
    let bounds = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
    return bounds[0]..<bounds[1]
  }

  private static func lines(of name: String) throws -> [Substring] {
    // A handle reads on; to read the file at once ends with its first page.
    guard let text = try FileHandle(forReadingAtPath: "/proc/self/\(name)")?.readToEnd() else {
      throw POSIXError(.ENOENT)
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
}
