import Foundation
import XCTest

/// The verifier polaris-oid4vp on loopback, with openvc-core as a second judge:
/// Tests/Interop/verifier_judge.py. The environment variable WALLET_CORE_JUDGES names the directory
/// where Tests/Interop/python.sh keeps their packages.
final class VerifierJudge {
  private let process: LineProcess
  /// The file for a provider, whose wallets then trust the verifier.
  let trustAnchors: String

  /// What was asked for: how a wallet is called, and the name of the request.
  struct Asked {
    let link: String
    let session: String
  }

  /// - Parameters:
  ///   - issuerAnchor: a PEM file, the authority of the issuers that it trusts.
  ///   - directory: gets its certificates, and the transcripts, unless WALLET_CORE_TRANSCRIPTS
  ///     names another directory for these.
  init(issuerAnchor: URL, in directory: URL) throws {
    let packages = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_JUDGES"],
      "WALLET_CORE_JUDGES is not set: it names the build directory, whose packages of Python the "
        + "part `judges` installs")
    let transcripts = ProcessInfo.processInfo.environment["WALLET_CORE_TRANSCRIPTS"]
    let interop = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Interop").standardizedFileURL
    let modules = ["../Support", "../Hosts", "../../Examples/Verifier"].map {
      interop.appendingPathComponent($0).standardizedFileURL.path
    }
    process = try LineProcess(
      interop.appendingPathComponent("python.sh"),
      [
        packages, interop.appendingPathComponent("verifier_judge.py").path,
        "--issuer-anchor", issuerAnchor.path,
        "--pki", directory.appendingPathComponent("pki").path,
        "--record", transcripts ?? directory.appendingPathComponent("record").path,
      ],
      environment: [
        "REQUIREMENTS": interop.appendingPathComponent("judges.txt").path,
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": modules.joined(separator: ":"),
      ])
    trustAnchors = try process.take("trust_anchors")["trust_anchors"] as? String ?? ""
  }

  func stop() { process.stop() }

  func ask(_ options: [String: Any]) throws -> Asked {
    try process.send(options)
    let told = try process.take("link")
    guard let link = told["link"] as? String, let session = told["session"] as? String else {
      throw TestFailure("no link")
    }
    return Asked(link: link, session: session)
  }

  /// Waits for what it says of the next answer of a wallet.
  func verdict(line: UInt = #line) throws -> JudgedAnswer {
    JudgedAnswer(try process.take("verdict", line: line))
  }

  /// Whether it has judged an answer that nobody has taken.
  var hasVerdict: Bool { process.has("verdict") }
}

/// What the verifier says of an answer of a wallet.
struct JudgedAnswer: CustomStringConvertible {
  private let members: [String: Any]

  init(_ members: [String: Any]) { self.members = members }

  var session: String? { members["session"] as? String }
  /// `authentic`, or why polaris-oid4vp refuses it.
  var verdict: String? { members["verdict"] as? String }
  var detail: String { members["detail"] as? String ?? "" }
  /// `accepted` or `refused` by openvc-core.
  var second: String? {
    (members["second"] as? String)?.split(separator: ":").first.map(String.init)
  }
  var status: Int? { members["status"] as? Int }
  var enc: String? { members["enc"] as? String }
  /// Which answer to the request it is, from 1.
  var count: Int? { members["answers"] as? Int }
  var claims: [String: Any] { members["claims"] as? [String: Any] ?? [:] }
  /// How the request was fetched, each time.
  var fetches: [[String: Any]] { members["fetches"] as? [[String: Any]] ?? [] }
  /// What is said of the same answer without the fault.
  var unfaulted: JudgedAnswer? { (members["unfaulted"] as? [String: Any]).map(JudgedAnswer.init) }

  /// All that both say: of the answer and of the reply to it, then of the answer without the fault.
  var verdicts: [String] {
    let of = [verdict, second, status.map { "\($0)" }].map { $0 ?? "none" }
    return of + (unfaulted?.verdicts ?? [])
  }

  var description: String { "\(members)" }
}
