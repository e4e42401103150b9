internal import Crypto
internal import FoundationEssentials
internal import WalletJOSE
internal import WalletProtocol
internal import WalletTrust

// Certificate chains below one anchor. A fuzzer finds no signature, so with an odd first byte the
// parts are certificates without one (RFC 5280 section 4.1.1.1) that are signed here. All keys are one.
// Each part has its length in two bytes before it.

/// The private key of every certificate in the corpus.
let fuzzedScalar = (1...32).map { UInt8($0) }

/// 1 September 2026, noon in UTC.
private let now: Int64 = 1_788_264_000

/// The anchor without its signature, as `ChainSeedTests` makes it.
let fuzzedAnchor =
  "MIIBE6ADAgECAgEBMAoGCCqGSM49BAMCMBwxCzAJBgNVBAYTAk5MMQ0wCwYDVQQKDARyb290MB4XDTI2MDgyOTEwNDAw"
  + "MFoXDTI2MDkyMTE0MTMyMFowHDELMAkGA1UEBhMCTkwxDTALBgNVBAoMBHJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMB"
  + "BwNCAARRXD1uueOWuQTT_sp_VP3NDMHpl783XcpRWtCmw7QDX0U2vjpQ8xj7-aVHWQKiIVAr7w1X4IxTsswKVvF9n5NU"
  + "o0YwRDASBgNVHRMBAf8ECDAGAQH_AgECMA4GA1UdDwEB_wQEAwICBDANBgNVHQ4EBgQEcm9vdDAPBgNVHSMECDAGgARy"
  + "b290"

let fuzzedKey = try? P256.Signing.PrivateKey(rawRepresentation: fuzzedScalar)
private let types: Set = ["urn:example:card:1"]
/// One anchor for each role.
let fuzzedAnchors: TrustAnchors? = {
  guard let unsigned = Base64URL.decode(fuzzedAnchor) else { return nil }
  let certificate = signedCertificate(unsigned)
  return try? TrustAnchors(
    TrustRole.allCases.map { role throws(TrustError) in
      try TrustAnchor(
        name: role.rawValue, role: role, types: role == .issuer ? types : [],
        certificate: certificate, inForce: now...now)
    })
}()

/// Accepted where a role trusts it.
func readChain(_ bytes: [UInt8]) -> Bool {
  guard let anchors = fuzzedAnchors else { preconditionFailure("no anchors") }
  guard let first = bytes.first else { return false }
  let parts = parts(of: Array(bytes.dropFirst()))
  let chain = first % 2 == 0 ? parts : parts.map(signedCertificate)
  return !TrustRole.allCases.filter { isTrusted(chain, $0, anchors) }.isEmpty
}

private func isTrusted(_ chain: [[UInt8]], _ role: TrustRole, _ anchors: TrustAnchors) -> Bool {
  func judge(_ chain: [[UInt8]], now: Int64 = now) -> TrustedLeaf? {
    try? anchors.judge(chain: chain, role: role, now: now)
  }
  guard let leaf = judge(chain) else { return false }
  precondition((1...TrustAnchors.maximumDepth).contains(chain.count), "too many certificates")
  precondition(leaf.digest == JOSEDigest.sha256(chain[0]), "another certificate")
  precondition(leaf.anchorName == role.rawValue, "an anchor of another role")
  precondition(leaf.mayIssue(Array(types)) == (role == .issuer))
  precondition(!leaf.mayIssue(["urn:example:card:2"]) && !leaf.mayIssue([]))
  precondition(leaf.organizationName?.isEmpty != true)
  precondition(leaf.authorityKeyIdentifiers.count <= chain.count + 1)
  precondition(judge(chain, now: now + 1) == nil, "an anchor beyond its time")
  precondition(judge(chain + [chain[0]]) == nil, "a certificate too many")
  // What is above the leaf is an authority, which signs no messages.
  for start in chain.indices.dropFirst() {
    precondition(judge(Array(chain[start...])) == nil, "an authority that signs messages")
  }
  return true
}

private func parts(of bytes: [UInt8]) -> [[UInt8]] {
  var parts: [[UInt8]] = []
  var rest = bytes[...]
  while rest.count >= 2, parts.count <= TrustAnchors.maximumDepth {
    let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
    parts.append(Array(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return parts
}

/// The certificate of what is to be signed.
func signedCertificate(_ unsigned: [UInt8]) -> [UInt8] {
  guard let signature = try? fuzzedKey?.signature(for: unsigned).derRepresentation else {
    preconditionFailure("no signature")
  }
  // ecdsa-with-SHA256 (RFC 5758 section 3.2).
  let algorithm: [UInt8] = [
    0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02,
  ]
  return element(0x30, unsigned + algorithm + element(0x03, [0] + signature))
}

private func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
  let count = content.count
  let length: [UInt8] =
    switch count {
    case ..<0x80: [UInt8(count)]
    case ..<0x100: [0x81, UInt8(count)]
    default: [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    }
  return [tag] + length + content
}
