internal import WalletCrypto

/// Texts in one piece of memory of their own that hosts may read as long as the object lives.
final class StableTexts: @unchecked Sendable {
  // Sendable: the memory is written only in init, before anyone else has the object, read-only from
  // then on and freed in deinit, when nobody has it any more.
  private let memory: UnsafeMutableRawPointer
  private let size: Int
  /// Where each text begins.
  private let starts: [Int]

  /// Copies `texts`; a NUL inside of one would end it early for C hosts and becomes a space.
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
    // Some of them speak of the card's owner.
    Memory.wipe(UnsafeMutableRawBufferPointer(start: memory, count: size))
    memory.deallocate()
  }

  /// The text of that number, ended by a NUL.
  func start(_ index: Int) -> UnsafePointer<CChar> {
    UnsafePointer((memory + starts[index]).assumingMemoryBound(to: CChar.self))
  }

  /// Its length in bytes, without the NUL.
  func length(_ index: Int) -> Int {
    (index + 1 < starts.count ? starts[index + 1] : size) - starts[index] - 1
  }
}

/// One such text.
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

  /// Answers a getter: the object's text, or `fallback` where there is no object.
  static func show(
    _ text: StableText?, or fallback: StaticString, _ length: UnsafeMutablePointer<Int>?
  ) -> UnsafePointer<CChar> {
    length?.pointee = text?.length ?? fallback.utf8CodeUnitCount
    return text?.start ?? pointer(fallback)
  }
}
