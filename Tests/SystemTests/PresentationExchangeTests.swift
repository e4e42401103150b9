import CWalletCore
import Foundation
import TestSupport
import WalletPlatform
import WalletProtocol
import WalletTransport
import XCTest

/// Presentations of a running wallet, for verifiers of other projects who know the anchor alone.
///
/// The environment variable WALLET_CORE_PID_REQUESTS names the file with their requests, which the
/// part `judges` makes. If WALLET_CORE_EXCHANGES names a directory, or a file in one, the answers are
/// written there as pids_presented.json for Tests/Interop/pids.sh.
final class PresentationExchangeTests: ProofingTestCase {
  private struct Request: Decodable {
    var name, audience, nonce: String
    var paths: [[String]]
  }

  private static let type = "urn:wallet-provider:pid:1"
  /// What is revoked is in all lists after twice the time between two lists.
  private static let listSeconds = 60

  override func setUpWithError() throws {
    try super.setUpWithError()
    try newProvider(settings: [
      "public-url": "https://issuer.example", "pid-type": Self.type, "issuing-country": "US",
      "status-list-seconds": "\(Self.listSeconds)",
    ])
    try newWallet()
  }

  func testPresentationsOfARunningWalletForOtherVerifiers() throws {
    let file = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_PID_REQUESTS"],
      "WALLET_CORE_PID_REQUESTS is not set: the part `judges` makes the file that it names")
    let requests = try JSONDecoder().decode(
      [Request].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    XCTAssertEqual(requests.count, 5)
    let account = try account()
    try flow.obtainPID(applicant, account.link)
    let claims = try cardClaims()
    let anchors = try get("/issuer-authority.pem")
    var answers: [[String: JSONValue]] = []
    for request in requests {
      let paths = try request.paths.map {
        String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
      }
      let (completion, texts) = try flow.host.presented(
        ["pid"], paths: [paths], nonce: request.nonce, audience: request.audience, pin: pin)
      XCTAssertEqual(completion.status, 0, "\(completion)")
      let presentation = try XCTUnwrap(texts.first)
      XCTAssertEqual(presentation.split(separator: "~").count, request.paths.count + 2)
      let presentedAt = Int64(Date().timeIntervalSince1970)
      let uri = try statusList(of: presentation)
      answers.append([
        "name": .string(request.name), "audience": .string(request.audience),
        "nonce": .string(request.nonce),
        "paths": .array(request.paths.map { .array($0.map(JSONValue.string)) }),
        "presented_at": .integer(presentedAt),
        // Later than the list with the revocations, below.
        "now": .integer(presentedAt + 4 * Int64(Self.listSeconds)),
        "presentation": .string(presentation),
        "presented_claims": .object(Self.shown(claims, request.paths)),
        "anchors": .array([.string(anchors)]), "type": .string(Self.type),
        "status_lists": .object([uri: .string(try get(path(of: uri)))]),
      ])
    }
    XCTAssertTrue(try provider.run(["account", "revoke", account.id]).contains("10"))
    try restartProvider()
    try provider.advanceClock(milliseconds: 3 * Self.listSeconds * 1000)
    for index in answers.indices {
      guard case .object(let lists)? = answers[index]["status_lists"] else { continue }
      answers[index]["status_lists_revoked"] = .object(
        Dictionary(
          uniqueKeysWithValues: try lists.keys.map { ($0, .string(try get(path(of: $0)))) }))
    }
    try Data(JSONValue.array(answers.map(JSONValue.object)).encoded).write(
      to: Self.directory().appendingPathComponent("pids_presented.json"))
  }

  /// The claims in the card's JSON.
  private func cardClaims() throws -> [String: JSONValue] {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    let json = Array(String(cString: wallet_core_event_json(event, nil)).utf8)
    guard case .object(let members) = try JSONValue(parsing: json),
      case .array(let cards)? = members["cards"], case .object(let card)? = cards.first,
      case .object(let claims)? = card["claims"]
    else { throw TestFailure("no card") }
    return claims
  }

  /// The claims without those that are withheld.
  private static func shown(
    _ claims: [String: JSONValue], _ paths: [[String]]
  ) -> [String: JSONValue] {
    var shown = claims
    for name in ["family_name", "given_name", "birthdate"] where !paths.contains([name]) {
      shown[name] = nil
    }
    if case .object(let ages)? = claims["age_equal_or_over"] {
      shown["age_equal_or_over"] = .object(
        ages.filter { paths.contains(["age_equal_or_over", $0.key]) })
    }
    return shown
  }

  private func statusList(of presentation: String) throws -> String {
    let payload = try XCTUnwrap(presentation.split(separator: ".").dropFirst().first)
    let claims = try JSONValue(parsing: XCTUnwrap(Base64URL.decode(payload)))
    guard case .object(let members) = claims, case .object(let status)? = members["status"],
      case .object(let entry)? = status["status_list"], case .string(let uri)? = entry["uri"]
    else { throw TestFailure("no status in \(claims)") }
    return uri
  }

  private func path(of uri: String) throws -> String {
    let origin = "https://issuer.example"
    XCTAssertTrue(uri.hasPrefix(origin + "/"), uri)
    return String(uri.dropFirst(origin.count))
  }

  /// What the provider serves at a path.
  private func get(_ path: String) throws -> String {
    let address = try ProviderAddress(url: provider.url, allowLoopbackHTTP: true)
    let answer = try ProviderTransport(address: address, certificateAuthority: nil).send(
      HTTPRequest(.get, path, timeout: Patience.milliseconds), cancellation: Cancellation())
    XCTAssertEqual(answer.status, 200, path)
    return String(decoding: answer.body, as: UTF8.self)
  }

  private static func directory() throws -> URL {
    guard let path = ProcessInfo.processInfo.environment["WALLET_CORE_EXCHANGES"] else {
      return try Scratch.directory("exchanges")
    }
    let url = URL(fileURLWithPath: path)
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return isDirectory.boolValue ? url : url.deletingLastPathComponent()
  }
}
