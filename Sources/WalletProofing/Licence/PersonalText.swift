internal import WalletCrypto
public import WalletProtocol

/// Text about a person, in memory of its own that is wiped when the last reference is released.
///
/// The memory is ordinary, not guarded: a licence has many such texts, and they live for a few
/// minutes.
public struct PersonalText: Hashable, Sendable, RedactedDescription {
  private final class Storage: Sendable {
    // Written only in the initialiser, before the object is shared.
    nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
    let count: Int

    init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Int) {
      memory = .allocate(byteCount: max(capacity, 1), alignment: 1)
      count = min(max(fill(memory), 0), memory.count)
    }

    deinit {
      Memory.wipe(memory)
      memory.deallocate()
    }

    var bytes: Slice<UnsafeMutableRawBufferPointer> { memory[..<count] }
  }

  private let storage: Storage

  /// Converts ISO 8859-1 characters. Blanks at the beginning and the end are dropped, and several
  /// blanks in a row become one.
  ///
  /// - Parameter commasAreBlanks: For names, whose parts some issuers join by commas.
  /// - Returns: Nil if no text is left.
  init?(latin1 characters: ArraySlice<UInt8>, commasAreBlanks: Bool = false) {
    storage = Storage(capacity: characters.count * 2) { memory in
      var count = 0
      var blankIsDue = false
      for character in characters {
        if character == 0x20 || character == 0xA0 || commasAreBlanks && character == 0x2C {
          blankIsDue = count > 0
          continue
        }
        if blankIsDue {
          memory[count] = 0x20
          count += 1
          blankIsDue = false
        }
        if character < 0x80 {
          memory[count] = character
        } else {
          memory[count] = 0xC0 | character >> 6
          memory[count + 1] = 0x80 | character & 0x3F
          count += 1
        }
        count += 1
      }
      return count
    }
    guard storage.count > 0 else { return nil }
  }

  /// Copies `text`.
  public init(_ text: String) {
    var text = text
    storage = text.withUTF8 { characters in
      Storage(capacity: characters.count) { memory in
        memory.copyBytes(from: characters)
        return characters.count
      }
    }
  }

  /// The number of UTF-8 bytes.
  public var count: Int { storage.count }

  /// Calls `body` with the UTF-8 bytes, which are valid only during the call.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: storage.bytes))
  }

  /// Whether `condition` is true for every character, and there are at most `count`.
  func holds(atMost count: Int = .max, _ condition: (Unicode.Scalar) -> Bool) -> Bool {
    withBytes { bytes in
      var characters = bytes.makeIterator()
      var decoder = UTF8()
      for _ in 0..<count {
        switch decoder.decode(&characters) {
        case .scalarValue(let character): guard condition(character) else { return false }
        case .emptyInput: return true
        case .error: return false
        }
      }
      return characters.next() == nil
    }
  }

  /// Returns the text as an ordinary string, to be sent or shown.
  public func disclosed() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }

  public static func == (left: PersonalText, right: PersonalText) -> Bool {
    left.storage.bytes.elementsEqual(right.storage.bytes)
  }

  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
  }
}

extension PersonalText: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(disclosed())
  }
}
