import Foundation
import WalletTrust
import XCTest

/// Chains that openssl made, and what openvc-core makes of them.
///
/// Tests/Interop/chains_by_openssl.py makes them and explains each difference; the environment
/// variable WALLET_CORE_CHAINS_BY_OPENSSL names its file.
final class ChainsByOpenSSLTests: XCTestCase {
  private struct Judged: Decodable {
    let name: String
    let chain: [Data]
    let anchor: Data
    let role: String
    let anchorRole: String
    let now: Int64
    /// The rule for which the core has to refuse the chain; nil if it has to trust it.
    let core: String?
    /// Why openvc-core refuses the chain; nil if it does not.
    let openvc: String?
    /// Why the two differ.
    let difference: String?
  }

  private func chains() throws -> [Judged] {
    let path = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_CHAINS_BY_OPENSSL"],
      "WALLET_CORE_CHAINS_BY_OPENSSL is not set: the part `judges` makes the file that it names, "
        + "and .ci/tests/run.py runs this test as the part `swift-judged`")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(
      [Judged].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Returns the rule that the chain breaks; nil if it is trusted.
  private func refusal(of judged: Judged) throws -> TrustError? {
    let role = try XCTUnwrap(TrustRole(rawValue: judged.role))
    let anchorRole = try XCTUnwrap(TrustRole(rawValue: judged.anchorRole))
    do throws(TrustError) {
      let anchor = try TrustAnchor(
        name: "Example", role: anchorRole, types: anchorRole == .issuer ? ["urn:example:card"] : [],
        certificate: Array(judged.anchor), inForce: judged.now...judged.now)
      _ = try TrustAnchors([anchor]).judge(
        chain: judged.chain.map { Array($0) }, role: role, now: judged.now)
      return nil
    } catch { return error }
  }

  func testVerdictsAreThoseOfOpenvcCoreOrTheDifferenceIsExplained() throws {
    let all = try chains()
    var alike: (trusted: Int, refused: Int) = (0, 0)
    for judged in all {
      let refusal = try refusal(of: judged)
      XCTAssertEqual(refusal.map { "\($0)" }, judged.core, judged.name)
      if let difference = judged.difference {
        XCTAssertNotEqual(refusal == nil, judged.openvc == nil, judged.name)
        print("\(judged.name): \(judged.core ?? "trusted") by the core: \(difference)")
      } else {
        XCTAssertEqual(refusal == nil, judged.openvc == nil, judged.name)
        if refusal == nil { alike.trusted += 1 } else { alike.refused += 1 }
      }
    }
    print(
      "chains of openssl: \(all.count), both trust \(alike.trusted) and refuse \(alike.refused)")
    XCTAssertGreaterThanOrEqual(alike.trusted, 10)
    XCTAssertGreaterThanOrEqual(alike.refused, 30)
  }
}
