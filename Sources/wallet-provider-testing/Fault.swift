/// A fault for the next requests.
struct Fault: Decodable, Sendable {
  enum Kind: String, Decodable, Sendable {
    /// 503 with a problem; the provider never sees the request.
    case unavailable
    /// The connection closes; the provider never sees the request.
    case drop
    /// The request is delayed by `delayMilliseconds` and then handled.
    case delay
    /// The request waits until the fault is replaced, and is then handled.
    case hold
    /// The request is handled, then the connection closes without the answer.
    case dropAnswer = "drop_answer"
    /// The process is killed after the work is done and before it is committed.
    case crashBeforeCommit = "crash_before_commit"
    /// The process is killed after the work is committed and before the answer.
    case crashAfterCommit = "crash_after_commit"
    /// The process is killed while an identity is vetted: when the simulated verdict is looked up,
    /// or else when the authoritative source is asked.
    case crashWhileVetting = "crash_while_vetting"
  }

  var kind: Kind
  /// The number of requests that the fault affects.
  var count: Int
  /// The number of requests that are handled normally before the fault begins.
  var skip: Int
  /// The delay for `delay`; at most an hour.
  var delayMilliseconds: Int64
  /// The number of this fault, counted from 1 with each change of faults. Held requests wait until
  /// this number is no longer the latest.
  var number = 0
  /// Only requests at this path are affected or counted; nil for all.
  var path: String?

  private enum CodingKeys: String, CodingKey {
    case kind, count, skip, path
    case delayMilliseconds = "delay_ms"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kind = try members.decode(Kind.self, forKey: .kind)
    count = max(0, try members.decodeIfPresent(Int.self, forKey: .count) ?? 1)
    skip = max(0, try members.decodeIfPresent(Int.self, forKey: .skip) ?? 0)
    let delay = try members.decodeIfPresent(Int64.self, forKey: .delayMilliseconds) ?? 0
    delayMilliseconds = min(max(0, delay), 3_600_000)
    path = try members.decodeIfPresent(String.self, forKey: .path)
  }
}
