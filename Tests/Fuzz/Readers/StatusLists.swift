internal import CZlib
internal import WalletCredentials
internal import WalletJOSE
internal import WalletProtocol

// Status lists, and what inflates them.

private let uri = "https://status.example/1"

/// Accepted where it is a list. The written form is the payload in one line, in which "#" stands for
/// the list, and the bytes of the list as they are before compression.
func readStatusList(_ bytes: [UInt8]) -> Bool {
  let lines = writtenLines(bytes, atMost: 2)
  let entries = lines.map { $0.count > 1 ? $0[1] : [] }
  let text =
    lines.map { writtenToken($0[0], entries ?? []) } ?? String(decoding: bytes, as: UTF8.self)
  guard let token = try? StatusListToken(parsing: text) else { return false }
  let believer = Believer(algorithm: .es256)
  precondition((try? token.verify(uri: uri + "0", by: believer)) == nil, "another list")
  guard let list = try? token.verify(uri: uri, by: believer) else { return false }
  precondition((try? token.verify(uri: uri, by: believer)) == list, "a list read in two ways")
  precondition(list.count <= StatusList.maximumLength * 8)
  for index in [.min, -1, Int64(list.count), Int64(list.count) + 1, .max] {
    precondition((try? list.status(at: index)) == nil, "an entry outside of the list")
  }
  for index in stride(from: 0, to: list.count, by: max(1, list.count / 64)) {
    precondition((try? list.status(at: Int64(index))) != nil, "no entry inside of the list")
  }
  if let entries, let stated = lines.flatMap({ statement($0[0]) }), stated.isMarked {
    checkEntries(of: list, bits: stated.bits, entries)
  }
  let times: [(Int64, Int64)] = [(.min, .max), (.max, .min), (1_788_264_000, 1_788_264_000)]
  for (now, fetchedAt) in times {
    let age = list.age(at: now, fetchedAt: fetchedAt)
    let isOver = list.expires.map { $0 <= now } ?? false
    precondition(age != .fresh || !isOver, "fresh although it is over")
  }
  return true
}

/// Compares every look-up with one that counts bits.
private func checkEntries(of list: StatusList, bits: Int, _ entries: [UInt8]) {
  precondition(list.count == entries.count * 8 / bits, "entries that are not in the list")
  for index in 0..<list.count {
    var value: UInt8 = 0
    for bit in 0..<bits {
      let place = index * bits + bit
      value |= (entries[place / 8] >> UInt8(place % 8) & 1) << UInt8(bit)
    }
    precondition((try? list.status(at: Int64(index))) == TokenStatus(value: value))
  }
}

private func writtenToken(_ payload: [UInt8], _ entries: [UInt8]) -> String {
  let header = Array(#"{"alg":"ES256","typ":"statuslist+jwt"}"#.utf8)
  let list = Array("\"\(Base64URL.encode(compressed(entries, level: 9)))\"".utf8)
  let mark = Array("\"#\"".utf8)
  guard let place = payload.indices.first(where: { payload[$0...].starts(with: mark) }) else {
    return unsignedJWS(header, payload)
  }
  return unsignedJWS(header, payload[..<place] + list + payload[(place + mark.count)...])
}

/// The bits that a payload states, and whether its list is the marked one.
private func statement(_ payload: [UInt8]) -> (bits: Int, isMarked: Bool)? {
  let list = (try? JSONValue(parsing: payload, profile: .foreign))?.object?["status_list"]?.object
  guard let bits = list?["bits"]?.integer else { return nil }
  return (Int(truncatingIfNeeded: bits), list?["lst"]?.string == "#")
}

// MARK: Inflation

private func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8] {
  var length = compressBound(uLong(bytes.count))
  var output = [UInt8](repeating: 0, count: Int(length))
  precondition(compress2(&output, &length, bytes, uLong(bytes.count), level) == Z_OK)
  return Array(output.prefix(Int(length)))
}

private enum Inflated: Equatable {
  case bytes([UInt8])
  case refused(Zlib.Failure)
}

private func inflated(_ input: [UInt8], limit: Int) -> Inflated {
  do throws(Zlib.Failure) { return .bytes(try Zlib.inflate(input, limit: limit)) } catch {
    return .refused(error)
  }
}

/// The first byte chooses between a stream and bytes to compress, the next two are the limit.
/// Accepted where the stream is whole.
func readCompressed(_ bytes: [UInt8]) -> Bool {
  guard bytes.count >= 3 else { return false }
  let (limit, content) = (Int(bytes[1]) << 8 | Int(bytes[2]), Array(bytes.dropFirst(3)))
  let isStream = bytes[0] % 2 == 0
  let stream = isStream ? content : compressed(content, level: Int32(bytes[0] / 2 % 10))
  // DEFLATE makes at most 1,032 bytes of one.
  let whole = inflated(stream, limit: stream.count * 1032)
  precondition(whole != .refused(.tooLong), "more than DEFLATE can make")
  if !isStream { precondition(whole == .bytes(content), "other bytes than were compressed") }
  let bounded = inflated(stream, limit: limit)
  guard case .bytes(let output) = whole else {
    if case .bytes = bounded { preconditionFailure("two results of one stream") }
    return false
  }
  precondition(bounded == (output.count <= limit ? whole : .refused(.tooLong)))
  precondition(inflated(stream, limit: output.count) == whole, "a bound that is one too low")
  if !output.isEmpty {
    precondition(inflated(stream, limit: output.count - 1) == .refused(.tooLong))
  }
  for more in [[0], stream] {
    precondition(inflated(stream + more, limit: output.count) == .refused(.malformed))
  }
  precondition(inflated(Array(stream.dropLast()), limit: output.count) == .refused(.malformed))
  return true
}
