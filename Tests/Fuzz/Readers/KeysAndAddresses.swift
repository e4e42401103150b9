internal import WalletModel
internal import WalletProtocol
internal import WalletTransport
internal import WalletUseCases

// What a platform replies of its keys, and the small texts of options, links and policies.

/// The first byte chooses between a key and a signature.
func readHardwareReply(_ bytes: [UInt8]) -> Bool {
  guard let kind = bytes.first else { return false }
  let reply = Array(bytes.dropFirst())
  if kind % 2 == 0 {
    guard let key = try? SubjectPublicKey(der: reply) else { return false }
    precondition(key.der == reply && reply.suffix(key.rawKey.count).elementsEqual(key.rawKey))
    precondition((try? SubjectPublicKey(jwk: key.jwk)) == key, "a key that its JWK does not name")
  } else {
    guard let raw = try? ECDSASignature.raw(fromDER: reply) else { return false }
    precondition(raw.count == 64 && reply == derForm(raw), "a signature with two spellings")
  }
  return true
}

/// The one DER form of r||s.
private func derForm(_ raw: [UInt8]) -> [UInt8] {
  let integers = [raw.prefix(32), raw.suffix(32)].flatMap { half -> [UInt8] in
    let digits = Array(half.drop { $0 == 0 })
    let padded = (digits.first ?? 0) & 0x80 == 0 ? digits : [0] + digits
    return [0x02, UInt8(padded.count)] + padded
  }
  return [0x30, UInt8(integers.count)] + integers
}

func readKeyAsJSON(_ bytes: [UInt8]) -> Bool {
  guard let value = try? JSONValue(parsing: bytes) else { return false }
  precondition((try? JSONValue(parsing: value.encoded)) == value, "JSON that changes when written")
  guard let key = try? SubjectPublicKey(jwk: value) else { return false }
  precondition((try? SubjectPublicKey(jwk: key.jwk)) == key, "a key that its JWK does not name")
  return true
}

func readProviderURL(_ text: String) -> Bool {
  var isAccepted = false
  for allowsHTTP in [false, true] {
    guard let address = try? ProviderAddress(url: text, allowLoopbackHTTP: allowsHTTP) else {
      continue
    }
    precondition(address.scheme == .https || (allowsHTTP && address.isLoopback), "not safe")
    let again = try? ProviderAddress(url: address.url, allowLoopbackHTTP: allowsHTTP)
    precondition(again == address, "an address with two spellings")
    precondition(address.url(for: "/v2/../x") == nil && address.url(for: "/v1") != nil)
    isAccepted = true
  }
  return isAccepted
}

func readLink(_ text: String) -> Bool {
  let hosts = ["id.example.org", "localhost"]
  let link = UniversalLink(text.utf8, hosts: hosts)
  precondition(link == UniversalLink(Array(text.utf8), hosts: hosts))
  if link != .invalid {
    precondition(hosts.contains { text.hasPrefix("https://\($0)/") }, "a link of somebody else")
  }
  return link != .invalid
}

/// Two versions with a line between them.
func readVersions(_ text: String) -> Bool {
  let versions = text.split(separator: "\n", omittingEmptySubsequences: false)
    .prefix(2).map { AppVersion(String($0)) }
  guard versions.count == 2, let one = versions[0], let other = versions[1] else {
    return false
  }
  precondition(!(one < other && other < one) && (one == other) == !(one < other || other < one))
  return true
}
