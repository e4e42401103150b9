import HTTPTypes
import Hummingbird
import WalletProtocol
import WalletProvider

/// Reads request bodies. Each body has a limit, and all bodies together have one.
///
/// Memory is reserved before the bytes of a body arrive: the declared length or, for a chunked
/// body, first the length of a small body and, if it proves longer, the maximum length.
struct RequestBodyReader {
  private let limits: RequestLimits
  private let maximumLength: Int

  /// - Parameter maximumLength: the maximum length of a body, in bytes.
  init(_ limits: RequestLimits, maximumLength: Int) {
    self.limits = limits
    self.maximumLength = maximumLength
  }

  /// Calls `work` with the complete body of `request`. The body's memory stays reserved until
  /// `work` is done.
  ///
  /// - Throws: `ProblemError`: body-too-large, request-timeout, malformed-request, unavailable; and
  ///   any error of `work`.
  func with<Result>(
    _ request: Request, _ work: ([UInt8]) async throws -> Result
  ) async throws -> Result {
    var declared: Int?
    if let text = request.headers[.contentLength] {
      guard let length = Int(text), (0...maximumLength).contains(length) else { throw tooLarge }
      declared = length
    }
    var share = try limits.memory(forBody: declared ?? min(maximumLength, BodyMemory.smallBody))
    defer { limits.bodies.giveBack(share) }
    var body: [UInt8] = []
    body.reserveCapacity(share.bytes)
    var parts = request.body.makeAsyncIterator()
    while let part = try await next(&parts) {
      guard part.readableBytes <= maximumLength - body.count else { throw tooLarge }
      if part.readableBytes > share.bytes - body.count {
        let wider = try limits.memory(forBody: maximumLength)
        limits.bodies.giveBack(share)
        share = wider
        body.reserveCapacity(maximumLength)
      }
      body.append(contentsOf: part.readableBytesView)
    }
    return try await work(body)
  }

  private var tooLarge: ProblemError {
    limits.metrics.limitsHit.add(Limit.bodyBytes.rawValue)
    return ProblemError(.bodyTooLarge)
  }

  /// An unreadable body, such as a broken chunk or a closed connection, is the client's error.
  private func next(
    _ parts: inout RequestBody.AsyncIterator
  ) async throws(ProblemError) -> ByteBuffer? {
    do {
      return try await parts.next()
    } catch is RequestTooSlow {
      throw ProblemError(.requestTimeout)
    } catch { throw ProblemError(.malformedRequest) }
  }
}
