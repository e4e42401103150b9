/// What goes wrong with the next requests.
struct Fault: Decodable, Sendable {
  enum Kind: String, Decodable, Sendable {
    /// 503 with a problem; the provider never sees the request.
    case unavailable
    /// The connection closes; the provider never sees the request.
    case drop
    /// The request waits for `delayMilliseconds`, then all goes well.
    case delay
    /// The request waits until the faults are set anew, then all goes well.
    case hold
    /// The provider does its work, then the connection closes without the answer.
    case dropAnswer = "drop_answer"
    /// The process is killed when the work is done and not yet committed.
    case crashBeforeCommit = "crash_before_commit"
    /// The process is killed when the work is committed and not yet answered.
    case crashAfterCommit = "crash_after_commit"
    /// The process is killed while a case is vetted: where there is a simulated verdict as it is looked up, else as
    /// the authoritative source is asked.
    case crashWhileVetting = "crash_while_vetting"
  }

  var kind: Kind
  /// How many requests meet it.
  var count: Int
  /// How many requests pass before.
  var skip: Int
  /// At most an hour.
  var delayMilliseconds: Int64
  /// Which of the faults that were set this is, from 1 on: what is held waits until there is a later one.
  var number = 0
  /// Only requests at this path meet it, or are counted; nil: all.
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
