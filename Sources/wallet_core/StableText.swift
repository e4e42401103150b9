internal import WalletCrypto

/// A text in memory of its own that hosts may read as long as the owning object lives.
final class StableText: @unchecked Sendable {
  // Sendable: the memory is written only in init, before anyone else has the object, read-only from
  // then on and freed in deinit, when nobody has it any more.
  let start: UnsafePointer<CChar>
  /// In bytes, without the NUL.
  let length: Int

  /// Copies `text`; a NUL inside would end it early for C hosts and becomes a space.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() {
      memory[index] = byte == 0 ? 0x20 : CChar(bitPattern: byte)
    }
    memory[bytes.count] = 0
    start = UnsafePointer(memory)
    length = bytes.count
  }

  deinit {
    // Some of them speak of the card's owner.
    let memory = UnsafeMutableRawPointer(mutating: start)
    Memory.wipe(UnsafeMutableRawBufferPointer(start: memory, count: length))
    start.deallocate()
  }
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
