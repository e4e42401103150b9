internal import WalletCrypto

/// Texts in one block of memory that hosts may read as long as the object lives.
final class StableTexts: @unchecked Sendable {
  // Sendable: the memory is written only in init, before the object is shared, then only read, and
  // freed in deinit, after the last reference.
  private let memory: UnsafeMutableRawPointer
  private let size: Int
  /// The offset of each text.
  private let starts: [Int]

  /// Copies `texts`. A NUL inside a text becomes a space, because it would end the text for C
  /// hosts.
  init(_ texts: [String]) {
    var starts: [Int] = []
    starts.reserveCapacity(texts.count)
    var size = 0
    for index in texts.indices {
      starts.append(size)
      size += texts[index].utf8.count + 1
    }
    memory = .allocate(byteCount: max(size, 1), alignment: 1)
    self.size = size
    self.starts = starts
    for index in texts.indices {
      let (target, length) = (memory + starts[index], length(index))
      texts[index].withCString { target.copyMemory(from: $0, byteCount: length + 1) }
      let bytes = UnsafeMutableRawBufferPointer(start: target, count: length)
      for index in bytes.indices where bytes[index] == 0 { bytes[index] = UInt8(ascii: " ") }
    }
  }

  deinit {
    // Some texts contain personal data.
    Memory.wipe(UnsafeMutableRawBufferPointer(start: memory, count: size))
    memory.deallocate()
  }

  /// Returns the text at `index`, ended by a NUL.
  func start(_ index: Int) -> UnsafePointer<CChar> {
    UnsafePointer((memory + starts[index]).assumingMemoryBound(to: CChar.self))
  }

  /// Returns the length of the text at `index` in bytes, without the NUL.
  func length(_ index: Int) -> Int {
    (index + 1 < starts.count ? starts[index + 1] : size) - starts[index] - 1
  }
}

/// One text that hosts may read as long as the object lives.
final class StableText: Sendable {
  private let texts: StableTexts

  init(_ text: String) { texts = StableTexts([text]) }

  var start: UnsafePointer<CChar> { texts.start(0) }
  /// In bytes, without the NUL.
  var length: Int { texts.length(0) }
}

/// Texts that live as long as the library.
enum StaticText {
  /// The bytes of a literal, which the compiler ends with a NUL.
  static func pointer(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Returns the text of a getter: the object's text, or `fallback` if there is no object.
  static func show(
    _ text: StableText?, or fallback: StaticString, _ length: UnsafeMutablePointer<Int>?
  ) -> UnsafePointer<CChar> {
    length?.pointee = text?.length ?? fallback.utf8CodeUnitCount
    return text?.start ?? pointer(fallback)
  }
}
