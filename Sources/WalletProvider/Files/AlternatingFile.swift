import Crypto
import WalletSystem

/// A small secret file whose content is replaced often, completely or not at all.
///
/// It has two slots, which are written in turn. The content is that of the last one that is whole: a
/// write that is cut off leaves the former content. Nothing but the slot changes, so one flush of it is
/// enough. A new file under the same name, as `PrivateFile` makes it, takes two flushes that change a
/// directory, and four times the processor time.
package struct AlternatingFile: Sendable {
  /// The longest content.
  package static let longest = 16 << 20
  /// The shortest length of a slot.
  private static let shortestSlot = 32 << 10
  /// Slots begin at such a multiple, so that no block of the disk has parts of both.
  private static let alignment = 4096
  private static let mark = Array("2 slots\n".utf8)
  /// Mark, number, length of the content, SHA-256 of these three and the content.
  private static let headLength = 56

  /// What is in the slots.
  private enum Current {
    case slot(place: Int, number: UInt64, content: [UInt8])
    /// Both slots are damaged.
    case damaged
    /// Some other content, without slots.
    case plain
  }

  private let path: String

  package init(_ path: String) { self.path = path }

  /// The content; nil if there is no file. Empty if both slots are damaged. The whole content of a file
  /// that has no slots.
  package func read() throws(FileProblem) -> [UInt8]? {
    guard let (file, status) = try PrivateFile.opened(path, .withoutWaiting, secret: true) else {
      return nil
    }
    defer { file.close() }
    switch try current(of: file, status) {
    case .slot(_, _, let content): return content
    case .damaged: return []
    case .plain: return try PrivateFile.read(path, secret: true)
    }
  }

  /// Replaces the content, which is on disk when this returns. If this throws, the content is the former
  /// one, or after a power cut perhaps the new one.
  package func write(_ content: [UInt8]) throws(FileProblem) {
    guard content.count <= Self.longest else {
      throw FileProblem("\(path) would have more than \(Self.longest) bytes")
    }
    if try overwrite(content) { return }
    let needed = 2 * (Self.headLength + content.count)
    let length = max(
      Self.shortestSlot, (needed + Self.alignment - 1) / Self.alignment * Self.alignment)
    let slot = Self.slot(1, content)
    try PrivateFile.write(
      slot + [UInt8](repeating: 0, count: 2 * length - slot.count), to: path, replace: true)
  }

  /// Writes the content into the slot that is not the current one.
  ///
  /// - Returns: False if there is no current one, or the content is too long; nothing was done then.
  private func overwrite(_ content: [UInt8]) throws(FileProblem) -> Bool {
    // A file that cannot be opened so is replaced.
    guard
      let (file, status) = try? PrivateFile.opened(
        path, [.readingAndWriting, .withoutWaiting], secret: true)
    else { return false }
    defer { file.close() }
    let length = Int(status.size) / 2
    guard case .slot(let place, let number, _) = try current(of: file, status),
      number < .max, Self.headLength + content.count <= length
    else { return false }
    let start = Int64((1 - place) * length)
    try FileProblem.attempt("write", path) { () throws(SystemError) in
      do throws(SystemError) {
        try file.write(Self.slot(number + 1, content), at: start)
        try file.synchroniseContent()
      } catch {
        // It may be whole, though perhaps not on disk.
        try? file.write([UInt8](repeating: 0, count: Self.headLength), at: start)
        try? file.synchroniseContent()
        throw error
      }
    }
    return true
  }

  private func current(
    of file: FileDescriptor, _ status: FileStatus
  ) throws(FileProblem) -> Current {
    try FileProblem.attempt("read", path) { () throws(SystemError) in
      try Self.current(of: file, size: Int(status.size))
    }
  }

  private static func current(
    of file: FileDescriptor, size: Int
  ) throws(SystemError) -> Current {
    let length = size / 2
    guard length >= shortestSlot, length <= 4 * longest, size % (2 * alignment) == 0 else {
      return .plain
    }
    var found: [(place: Int, number: UInt64, head: [UInt8])] = []
    for place in 0..<2 {
      let head = try file.read(headLength, at: Int64(place * length))
      if head.starts(with: mark) { found.append((place, integer(head[8..<16]), head)) }
    }
    if found.isEmpty { return .plain }
    for slot in found.sorted(by: { $0.number > $1.number }) {
      guard let count = Int(exactly: integer(slot.head[16..<24])), count <= length - headLength
      else { continue }
      let content = try file.read(count, at: Int64(slot.place * length + headLength))
      guard digest(slot.head[..<24], content) == Array(slot.head[24...]) else { continue }
      return .slot(place: slot.place, number: slot.number, content: content)
    }
    return .damaged
  }

  private static func slot(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
    let head = mark + bytes(number) + bytes(UInt64(content.count))
    return head + digest(head[...], content) + content
  }

  private static func digest(_ head: ArraySlice<UInt8>, _ content: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: Array(head))
    hash.update(data: content)
    return Array(hash.finalize())
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
