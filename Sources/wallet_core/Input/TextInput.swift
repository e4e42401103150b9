internal import WalletCrypto
internal import WalletModel
internal import WalletSystem

/// Reads texts that a host passed.
enum TextInput {
  /// Returns the text at `pointer`, which must not be NULL, must be well-formed and must have a
  /// length in `bytes`.
  static func required(
    _ pointer: UnsafePointer<CChar>?, _ name: String, bytes: ClosedRange<Int>
  ) throws(WalletError) -> String {
    let read = try measured(pointer, name, bytes)
    guard let text = valid(read.baseAddress, read.count) else {
      throw WalletError(.invalidUTF8, "\(name) is not well-formed UTF-8.")
    }
    return text
  }

  /// The same for a text that may have a secret, which is never in a `String`.
  static func requiredSecret(
    _ pointer: UnsafePointer<CChar>?, _ name: String, bytes: ClosedRange<Int>
  ) throws(WalletError) -> Secret {
    let read = UnsafeRawBufferPointer(try measured(pointer, name, bytes))
    guard isUTF8(read) else {
      throw WalletError(.invalidUTF8, "\(name) is not well-formed UTF-8.")
    }
    guard let copy = try? Secret(copying: read) else {
      throw WalletError(.outOfResources, "Not enough guarded memory for \(name).")
    }
    return copy
  }

  private static func measured(
    _ pointer: UnsafePointer<CChar>?, _ name: String, _ bytes: ClosedRange<Int>
  ) throws(WalletError) -> UnsafeBufferPointer<CChar> {
    guard let pointer else { throw .argument("\(name) is NULL.") }
    // Reads at most one byte past the limit, in case the text has no end.
    let length = CText.length(pointer, limit: bytes.upperBound + 1)
    guard bytes.contains(length) else {
      throw .argument("\(name) must have \(bytes.lowerBound) to \(bytes.upperBound) bytes.")
    }
    return UnsafeBufferPointer(start: pointer, count: length)
  }

  /// Returns the first `limit` bytes of the text, cut between characters; "" for NULL.
  static func clipped(
    _ pointer: UnsafePointer<CChar>?, _ name: String, limit: Int
  ) throws(WalletError) -> String {
    guard let pointer else { return "" }
    var length = CText.length(pointer, limit: limit)
    if length == limit {
      // Goes back to the start of a character that the cut may have split.
      var start = length - 1
      while start > 0, length - start < 4, UInt8(bitPattern: pointer[start]) & 0xC0 == 0x80 {
        start -= 1
      }
      if valid(pointer + start, length - start) == nil { length = start }
    }
    guard let text = valid(pointer, length) else {
      throw WalletError(.invalidUTF8, "\(name) is not well-formed UTF-8.")
    }
    return text
  }

  /// Returns the text at `pointer`, which must not be NULL, of at most `limit` bytes. What is not
  /// UTF-8 is replaced, because a server wrote it and not the host.
  static func ofServer(
    _ pointer: UnsafePointer<CChar>?, _ name: String, limit: Int
  ) throws(WalletError) -> String {
    guard let pointer else { throw .argument("\(name) is NULL.") }
    let length = CText.length(pointer, limit: limit + 1)
    guard length <= limit else { throw .argument("\(name) has more than \(limit) bytes.") }
    return String(
      decoding: UnsafeRawBufferPointer(start: pointer, count: length), as: UTF8.self)
  }

  /// Copies nothing.
  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  private static func valid(_ pointer: UnsafePointer<CChar>?, _ length: Int) -> String? {
    String(validating: UnsafeBufferPointer(start: pointer, count: length), as: UTF8.self)
  }
}

/// Reads structs that start with `size_t struct_size`.
enum StructInput {
  /// Returns a copy of the struct at `pointer`. The copy has as many bytes as both sides know; the
  /// rest is zero. The length is rounded down to whole words, because half a pointer is not valid.
  static func copy<Struct>(
    _ pointer: UnsafePointer<Struct>?, _ name: String, minimum: Int, empty: Struct
  ) throws(WalletError) -> Struct {
    guard let pointer else { throw .argument("\(name) is NULL.") }
    let source = UnsafeRawPointer(pointer)
    let claimed = source.loadUnaligned(as: UInt.self)
    guard claimed >= UInt(minimum) else {
      throw .argument("\(name).struct_size is too small; set it to sizeof(wallet_core_\(name)).")
    }
    let known = min(claimed, UInt(MemoryLayout<Struct>.size))
    var result = empty
    withUnsafeMutableBytes(of: &result) { target in
      let length = min(Int(known) & ~7, target.count)
      target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: length))
    }
    return result
  }
}
