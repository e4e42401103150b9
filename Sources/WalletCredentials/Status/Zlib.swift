internal import CZlib

/// Compression and decompression in the format of RFC 1950 (zlib), which is DEFLATE (RFC 1951) with a checksum.
package enum Zlib {
  package enum Failure: Error, Equatable {
    /// Not one whole stream: damaged, cut off, with a dictionary, or followed by other bytes.
    case malformed
    /// Longer than allowed when decompressed.
    case tooLong
  }

  private static let chunkLength = 32 * 1024

  /// Returns the decompressed bytes.
  ///
  /// The output grows with what is written, so a short input that claims much takes no memory for
  /// it, and never more than `limit` bytes are kept.
  package static func inflate(_ input: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard let length = uInt(exactly: input.count) else { throw .malformed }
    var output: [UInt8] = []
    var stream = z_stream()
    // zlib keeps the address of the stream.
    let failure: Failure? = withUnsafeMutablePointer(to: &stream) { stream in
      guard wallet_zlib_start(stream) == Z_OK else { return .malformed }
      defer { inflateEnd(stream) }
      return input.withUnsafeBufferPointer { input in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = length
        return run(stream, limit, &output)
      }
    }
    if let failure { throw failure }
    return output
  }

  /// Returns the compressed bytes, as short as zlib can make them.
  package static func deflate(_ input: [UInt8]) throws(Failure) -> [UInt8] {
    guard let count = uLong(exactly: input.count) else { throw .tooLong }
    var length = compressBound(count)
    guard let room = Int(exactly: length) else { throw .tooLong }
    var output = [UInt8](repeating: 0, count: room)
    guard compress2(&output, &length, input, count, Z_BEST_COMPRESSION) == Z_OK else {
      throw .malformed
    }
    return Array(output.prefix(Int(clamping: length)))
  }

  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>, _ limit: Int, _ output: inout [UInt8]
  ) -> Failure? {
    var chunk = [UInt8](repeating: 0, count: chunkLength)
    while true {
      let (status, count) = chunk.withUnsafeMutableBufferPointer { chunk in
        stream.pointee.next_out = chunk.baseAddress
        stream.pointee.avail_out = uInt(chunk.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        return (status, chunk.count - Int(stream.pointee.avail_out))
      }
      guard count <= limit - output.count else { return .tooLong }
      output += chunk.prefix(count)
      switch status {
      case Z_OK: continue
      case Z_STREAM_END: return stream.pointee.avail_in == 0 ? nil : .malformed
      // Z_BUF_ERROR too: the input ended before the stream.
      default: return .malformed
      }
    }
  }
}
