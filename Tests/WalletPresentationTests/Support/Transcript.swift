import Foundation
import WalletTrust
import XCTest

/// What was said between a wallet and polaris-oid4vp, and the verdicts on it:
/// Tests/Vectors/Presentations. Tests/Interop/README.md says how they were recorded.
struct Transcript: Decodable {
  struct Fetch: Decodable {
    let method: String
    let walletNonce: String?
    let walletMetadata: String?
    /// The request object as it was signed; it was sent encrypted if a key was offered.
    let signed: String
  }

  struct Verdicts: Decodable {
    /// `authentic`, or why polaris-oid4vp refuses the answer.
    let verdict: String
    /// `accepted`, or `refused: ` and why openvc-core does.
    let second: String
  }

  struct Answer: Decodable {
    struct Form: Decodable { let response: [String] }
    struct Content: Decodable {
      let state: String
      let vpToken: [String: [String]]
    }
    struct Reply: Decodable {
      let redirectUri: String?
      let error: String?
    }

    /// What was spoilt in the answer, or in what the verifier expected of it; nil if nothing was.
    let fault: String?
    /// As it was posted; nil with a fault, which was put in afterwards.
    let form: Form?
    /// The answer as the wallet has given it, without the fault.
    let sent: Content
    let reply: Reply
    let status: Int
    let enc: String
    let verdicts: Verdicts
    /// Those of the same answer without the fault.
    let unfaulted: Verdicts?

    private enum Member: CodingKey {
      case fault, form, sent, decrypted, reply, status, enc, unfaulted
    }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: Member.self)
      fault = try members.decodeIfPresent(String.self, forKey: .fault)
      form = try members.decodeIfPresent(Form.self, forKey: .form)
      sent =
        try members.decodeIfPresent(Content.self, forKey: .sent)
        ?? members.decode(Content.self, forKey: .decrypted)
      reply = try members.decode(Reply.self, forKey: .reply)
      status = try members.decode(Int.self, forKey: .status)
      enc = try members.decode(String.self, forKey: .enc)
      verdicts = try Verdicts(from: decoder)
      unfaulted = try members.decodeIfPresent(Verdicts.self, forKey: .unfaulted)
    }
  }

  let now: Int64
  /// The authorities that the wallet knew, by their roles, as PEM.
  let anchors: [String: String]
  let link: String
  let clientId: String
  let fetches: [Fetch]
  let answers: [Answer]

  /// Those that were accepted, or those that were refused, sorted by name.
  static func all(refused: Bool) throws -> [(name: String, transcript: Transcript)] {
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Vectors/Presentations").standardizedFileURL
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      .filter { $0.hasPrefix("refused-") == refused }
      .map {
        let data = try Data(contentsOf: directory.appendingPathComponent($0))
        return ($0, try decoder.decode(Transcript.self, from: data))
      }
  }

  func trustAnchors() throws -> TrustAnchors {
    try TrustAnchors(
      anchors.map { role, pem in
        let text = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return try TrustAnchor(
          name: role, role: XCTUnwrap(TrustRole(rawValue: role)),
          certificate: Array(XCTUnwrap(Data(base64Encoded: text))), inForce: now...now)
      })
  }
}
