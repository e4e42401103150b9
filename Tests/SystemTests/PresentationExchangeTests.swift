import CWalletCore
import Foundation
import WalletProtocol
import XCTest

/// Presentations of a running wallet, for verifiers of other projects.
///
/// If the environment variable WALLET_CORE_EXCHANGES names a directory, or a file in one, the
/// presentations are written there as presented.json for Tests/Interop/sdjwt.sh, with the app's
/// configuration.
final class PresentationExchangeTests: ProofingTestCase {
  private static let claims: [Set<String>] = [
    [], ["age_equal_or_over"], ["family_name", "birthdate"], PIDClaims.disclosable,
  ]

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

  func testPresentationsOfARunningWalletForOtherVerifiers() throws {
    let embedded = try provider.clientConfiguration(url: middle.url)
    try flow.obtainPID(applicant, account().link)
    let all = try cardClaims()
    XCTAssertTrue(PIDClaims.disclosable.isSubset(of: all.keys))
    let directory = try Self.directory()
    let configuration = directory.appendingPathComponent("presented-configuration.json")
    var exchanges: [JSONValue] = []
    for (index, names) in Self.claims.enumerated() {
      let nonce = "nonce-\(index)-\(UUID().uuidString)"
      let audience = "https://verifier.example"
      let presentation = try flow.host.present(
        names.sorted(), nonce: nonce, audience: audience
      ).get()
      XCTAssertEqual(presentation.split(separator: "~").count, names.count + 2)
      let shown = all.filter { !PIDClaims.disclosable.subtracting(names).contains($0.key) }
      exchanges.append(
        .object([
          "configuration": .string(configuration.path), "aud": .string(audience),
          "nonce": .string(nonce),
          "presented_at": .integer(Int64(Date().timeIntervalSince1970)),
          "presentation": .string(presentation), "presented_claims": .object(shown),
        ]))
    }
    try embedded.write(to: configuration)
    try Data(JSONValue.array(exchanges).encoded).write(
      to: directory.appendingPathComponent("presented.json"))
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
