import HTTPTypes
import Hummingbird
import WalletProtocol
import WalletProvider

/// Reads bodies, each up to its limit and all together up to theirs.
///
/// The memory of a body is taken before its bytes come: for the length that it declares, or in chunks for
/// that of a small one, and then for the longest.
struct RequestBodyReader {
  private let limits: RequestLimits
  private let maximumLength: Int

  /// - Parameter maximumLength: the longest body, in bytes.
  init(_ limits: RequestLimits, maximumLength: Int) {
    self.limits = limits
    self.maximumLength = maximumLength
  }

  /// Does `work` with the whole body of `request`, which counts as held until it is done.
  ///
  /// - Throws: `ProblemError`: body-too-large, request-timeout, malformed-request, unavailable; and what
  ///   `work` throws.
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

  /// A body that cannot be read is no failure of ours: a broken chunk, a connection that ended.
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
