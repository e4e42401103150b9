internal import Crypto
internal import WalletCredentials
internal import WalletJOSE
internal import WalletPresentation
internal import WalletProtocol

// Request objects of relying parties. A fuzzer finds no signature, so the written form has a line with
// the members of a request and maybe one with those of a registration. Both are signed here, and the
// second stands where the first has the text "#".

/// 1 September 2026, noon in UTC.
private let now: Int64 = 1_788_264_000

/// The certificate of party and registrar without its signature, as `ChainSeedTests` makes it: of
/// shop.example and the organisation NTRNL-1, below the anchor.
let fuzzedParty =
  "MIIBSKADAgECAgEBMAoGCCqGSM49BAMCMBwxCzAJBgNVBAYTAk5MMQ0wCwYDVQQKDARyb290MB4XDTI2MDgyOTEwNDAwMF"
  + "oXDTI2MDkyMTE0MTMyMFowLjELMAkGA1UEBhMCTkwxDTALBgNVBAoMBGxlYWYxEDAOBgNVBGEMB05UUk5MLTEwWTATBgcq"
  + "hkjOPQIBBggqhkjOPQMBBwNCAARRXD1uueOWuQTT_sp_VP3NDMHpl783XcpRWtCmw7QDX0U2vjpQ8xj7-aVHWQKiIVAr7w"
  + "1X4IxTsswKVvF9n5NUo2kwZzAOBgNVHQ8BAf8EBAMCB4AwLwYDVR0RBCgwJoIMc2hvcC5leGFtcGxlhhZodHRwczovL3No"
  + "b3AuZXhhbXBsZS94MA8GA1UdIwQIMAaABHJvb3QwEwYDVR0lBAwwCgYIKwYBBQUHAwI"

private let chain = Base64URL.decode(fuzzedParty).map { [signedCertificate($0)] }
private let link = try? PresentationLink(
  parsing: "openid4vp://?client_id=x509_san_dns:shop.example&request_uri=https://shop.example/r")

private struct FuzzedHand: Signer {
  let algorithm = SignatureAlgorithm.es256
  let keyID: String? = nil

  func sign(_ message: [UInt8]) -> [UInt8] {
    guard let signature = try? fuzzedKey?.signature(for: message) else {
      preconditionFailure("no signature")
    }
    return Array(signature.rawRepresentation)
  }
}

/// Accepted where the request is, and the registration counts if there is one.
func readRequestObject(_ bytes: [UInt8]) -> Bool {
  let lines = writtenLines(bytes, atMost: 2)
  let text = lines.map(writtenRequest) ?? String(decoding: bytes, as: UTF8.self)
  guard let request = read(text) else { return false }
  precondition(request == read(text), "a request that is read in two ways")
  precondition(request.expiresAt > now, "a request that is over")
  precondition(request.party.host == "shop.example", "an answer to somebody else")
  let ids = request.query.credentials.map(\.id)
  var judged: Set<String> = []
  for registration in request.registrations {
    precondition(registration.expiresAt ?? .max > now, "a registration that is over")
    precondition(!registration.queries.isEmpty && registration.queries.isSubset(of: ids))
    precondition(judged.isDisjoint(with: registration.queries), "two registrations for one query")
    judged.formUnion(registration.queries)
    precondition(!registration.purposes.values.contains(""), "a purpose that says nothing")
  }
  checkExcess(request)
  precondition(!PresentationResponse(denying: request).body.isEmpty)
  return (lines?.count ?? 1) < 2 || request.registration != nil
}

private func checkExcess(_ request: PresentationRequest) {
  let excess = request.exceedsRegistration
  precondition(!request.registrations.isEmpty || excess.isEmpty, "more than nothing")
  for query in request.query.credentials {
    let paths = query.claims?.map(\.path) ?? []
    for found in excess where found.query == query.id {
      precondition(found.path.map(paths.contains) ?? true, "a path that nobody asks for")
    }
    // What is registered itself is covered.
    let credentials = request.registrations.first { $0.queries.contains(query.id) }?.credentials
    guard query.format == CredentialQuery.sdJWT, let types = query.types else { continue }
    for entry in credentials ?? [] where entry.format == query.format && entry.types == types {
      for path in paths where entry.paths.contains(path) {
        precondition(!excess.contains { $0.query == query.id && $0.path == path })
      }
    }
  }
}

private func read(_ text: String) -> PresentationRequest? {
  guard let anchors = fuzzedAnchors, let link else { preconditionFailure("no anchors") }
  return try? PresentationRequest(
    parsing: text, calledBy: link, walletNonce: nil, anchors: anchors, now: now)
}

/// The request object of a written form.
func writtenRequest(_ lines: [[UInt8]]) -> String {
  guard lines.count > 1 else { return signed(lines[0], type: "oauth-authz-req+jwt") }
  let registration = signed(lines[1], type: "rc-wrp+jwt")
  let members = try? JSONValue(parsing: lines[0], profile: .foreign)
  return signed(
    members.map { filled($0, registration).encoded } ?? lines[0], type: "oauth-authz-req+jwt")
}

private func signed(_ payload: [UInt8], type: String) -> String {
  let text = try? CompactJWS.sign(payload, type: type, chain: chain ?? [], signer: FuzzedHand())
  guard let text else { preconditionFailure("no signature") }
  return text
}

/// Puts `text` into the places that are marked for it.
private func filled(_ value: JSONValue, _ text: String) -> JSONValue {
  switch value {
  case .string("#"): .string(text)
  case .array(let elements): .array(elements.map { filled($0, text) })
  case .object(let members): .object(members.mapValues { filled($0, text) })
  default: value
  }
}
