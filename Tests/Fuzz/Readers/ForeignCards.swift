internal import WalletCredentials
internal import WalletJOSE
internal import WalletProtocol

// Cards of other issuers. The written form has a line each for header and payload of the issuer's
// JWS and for each disclosure, and may end with a question mark and a path. "#0" stands for the digest
// of the first disclosure and so on: no fuzzer would find a hash.

/// Accepted where it is a card, and shown in many ways.
func readForeignCard(_ bytes: [UInt8]) -> Bool {
  var lines = writtenLines(bytes, atMost: 66)
  var asked: [UInt8]?
  if lines?.last?.first == UInt8(ascii: "?") { asked = lines?.removeLast() }
  let text = lines.map(writtenCard) ?? String(decoding: bytes, as: UTF8.self)
  guard let received = try? Credential(parsing: text) else { return false }
  precondition(received.text.utf8.elementsEqual(text.utf8), "a text that changes when read")
  precondition(text.utf8.count <= Credential.maximumLength)
  let believer = Believer(algorithm: .es256)
  guard let card = try? received.verify(by: believer) else { return false }
  precondition((try? received.verify(by: believer)) == card, "a card that is read in two ways")
  checkDepth(card.claims, Credential.maximumDepth)
  let ways = card.disclosable
  let disclosures = parts(of: text)
  precondition(ways.count == disclosures.count, "a disclosure that nobody can choose")
  precondition(ways.count <= Credential.maximumDisclosures)
  for way in ways { precondition((try? way.select(in: card.claims))?.count == 1) }
  for now in [Int64.min, 0, 1_788_264_000, Int64.max] { _ = card.terms.validity(at: now) }
  guard card.terms.holderKey != nil else { return true }
  precondition(shown(card, []).map { parts(of: $0.credential.text) } == [], "more than nothing")
  let all = shown(card, ways)
  precondition(all?.claims == card.claims && all?.credential.text == text, "less than all")
  let path = asked.flatMap { try? JSONValue(parsing: Array($0.dropFirst()), profile: .foreign) }
    .flatMap { try? ClaimsPath(parsing: $0) }
  for way in ways.prefix(8) + [path].compactMap(\.self) { check(way, of: card) }
  return true
}

/// Checks what is shown where `path` is asked for.
private func check(_ path: ClaimsPath, of card: VerifiedCredential) {
  precondition((try? ClaimsPath(parsing: path.json)) == path, "a path that changes when written")
  let selected = try? path.select(in: card.claims)
  let seen = shown(card, [path])
  precondition((selected == nil) == (seen == nil), "a card without what was asked for")
  guard let seen else { return }
  // Elements that are withheld move those after them.
  let isSteady = path.components.allSatisfy { if case .element = $0 { false } else { true } }
  if isSteady { precondition((try? path.select(in: seen.claims)) == selected, "other claims") }
  let names = path.components
  guard names.allSatisfy({ if case .name = $0 { true } else { false } }) else { return }
  for way in seen.disclosable.map(\.components) {
    precondition(names.starts(with: way) || way.starts(with: names), "more than was asked for")
  }
}

/// The card as a verifier reads it who asked for `paths`; nil if there is nothing to show.
private func shown(_ card: VerifiedCredential, _ paths: [ClaimsPath]) -> VerifiedCredential? {
  guard let algorithm = card.terms.holderKey?.algorithm else { return nil }
  let text = try? card.present(
    disclosing: paths, audience: "verifier", nonce: "nonce", now: 0,
    signer: AnyHand(algorithm: algorithm))
  guard let text else { return nil }
  guard let end = text.lastIndex(of: "~") else { preconditionFailure("not an SD-JWT") }
  let presented = String(text[...end])
  let whole = parts(of: card.credential.text)
  precondition(parts(of: presented).allSatisfy(whole.contains), "a disclosure of another card")
  let read = try? Credential(parsing: presented).verify(by: Believer(algorithm: .es256))
  guard let read else { preconditionFailure("a presentation that nobody can read") }
  return read
}

/// The disclosures, between the tildes.
private func parts(of text: String) -> [String] {
  text.split(separator: "~", omittingEmptySubsequences: false).dropFirst().dropLast()
    .map(String.init)
}

private func checkDepth(_ value: JSONValue, _ depth: Int) {
  precondition(depth >= 0, "too deep")
  switch value {
  case .array(let elements): for element in elements { checkDepth(element, depth - 1) }
  case .object(let members): for member in members.values { checkDepth(member, depth - 1) }
  default: break
  }
}

/// The card of a written form. A disclosure may hold digests of later ones.
func writtenCard(_ lines: [[UInt8]]) -> String {
  var digests: [String?] = lines.dropFirst(2).map { _ in nil }
  var texts: [String] = []
  for (index, line) in lines.dropFirst(2).enumerated().reversed() {
    let text = Base64URL.encode(filled(line, digests))
    digests[index] = Base64URL.encode(JOSEDigest.sha256(text.utf8))
    texts.insert(text, at: 0)
  }
  let payload = lines.count > 1 ? filled(lines[1], digests) : []
  return ([unsignedJWS(lines[0], payload)] + texts).joined(separator: "~") + "~"
}

/// Puts digests into the places that are marked for them.
private func filled(_ line: [UInt8], _ digests: [String?]) -> [UInt8] {
  var output: [UInt8] = []
  for byte in line {
    output.append(byte)
    guard byte == UInt8(ascii: "\""), output.count >= 4 else { continue }
    let mark = output.suffix(4)
    let number = Int(mark[mark.startIndex + 2]) - Int(UInt8(ascii: "0"))
    guard mark.starts(with: Array("\"#".utf8)), digests.indices.contains(number),
      let digest = digests[number]
    else { continue }
    output.removeLast(3)
    output += Array(digest.utf8) + [UInt8(ascii: "\"")]
  }
  return output
}
