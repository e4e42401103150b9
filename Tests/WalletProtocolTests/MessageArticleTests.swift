import CSodium
import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// Holds the article with worked examples, byte for byte, against the messages that the wallet's and
/// the provider's own types make; writes it if `WALLET_CORE_WRITE_FLOWS` is set.
final class MessageArticleTests: XCTestCase {
  private static let article = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/wallet_core/wallet_core.docc/message-examples.md")

  private static let head = """
    # Message examples

    One worked example of every message, with real bytes.

    ## Overview

    [Messages](messages.md) defines the members. Every secret here is made from a seed, the SHA-256 of the text
    `wallet_core example: NAME`. NAME of an instruction is its name, such as `check_pin`.

    | NAME | what is made of the seed |
    |---|---|
    | hardware key, result key, certificate key, evaluator key, configuration-signing key 1, configuration-signing key 2 | the Ed25519 key of this seed |
    | encryption key, use key, recipient | the X25519 key with this secret half |
    | challenge of NAME, opening of NAME, share, enrolment secret, registration state | the 32 bytes |
    | salt, new salt, PIN key, new PIN key, evaluation of NAME, registration id, change, idempotency key, nonce | the first 16 bytes |
    | evaluator's half, provider's half, new evaluator's half, new provider's half | the scalar: the bytes in little-endian order, without the four highest bits |
    | blind of NAME | the scalar that blinds the PIN, made likewise |
    | proof of the evaluator, NAME; proof of the provider, NAME | the random scalar of a proof (r in RFC 9497), made likewise |
    | ephemeral key of NAME; ephemeral key of the share, NAME; ephemeral key of the PID | the secret half of the ephemeral key of a sealed box: of a payload, of the share in an answer, of the PID |

    The evaluation of the new PIN has the NAME `the new PIN`. In real messages keys, salts, blinds, the scalars of proofs and
    ids are random. PINs are stretched with 3 passes over 67,108,864 bytes.

    A text is exactly what is signed, sealed or sent, without a line break. Signatures are Ed25519, so anyone who has
    the keys makes the same bytes. ES256 signatures are random, so `issue_pid` has words in place of keys, proofs and
    copies. The messages of one life are numbered through. Where an instruction has several results, each is an answer
    to the same request.


    """

  func testTheArticleHasTheBytesOfEveryMessage() throws {
    let text = try Self.text()
    if ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil {
      try text.write(to: Self.article, atomically: true, encoding: .utf8)
    } else {
      let present = try? String(contentsOf: Self.article, encoding: .utf8)
      XCTAssert(present == text, "message-examples.md is stale; run make flows")
    }
  }

  func testEveryInstructionAndEveryKindOfOutcomeHasAnExample() throws {
    let examples = try ExampleMessages.all()
    XCTAssertEqual(
      Set(examples.map(\.title)).intersection(InstructionName.allCases.map(\.rawValue)),
      Set(InstructionName.allCases.map(\.rawValue)))
    // The kinds in the table of the article that defines them.
    let definitions = try String(
      contentsOf: Self.article.deletingLastPathComponent().appendingPathComponent("messages.md"),
      encoding: .utf8)
    let table = try XCTUnwrap(definitions.components(separatedBy: "| `kind` | members |").last)
    let kinds = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .prefix { $0.hasPrefix("|") }
      .flatMap { row in
        row.split(separator: "|")[0].split(separator: ",")
          .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      }
    XCTAssertEqual(kinds.count, 21, "\(kinds)")
    let shown = Set(
      examples.flatMap(\.parts).compactMap { part -> String? in
        guard part.name.hasPrefix("result: ") else { return nil }
        let outcome = try? JSONValue(parsing: Array(part.text.utf8))
          .decode(InstructionResultClaims.self)
        return outcome.flatMap { try? JSONValue(encoding: $0.outcome).decode(Kind.self) }?.kind
      })
    XCTAssertEqual(shown, Set(kinds))
  }

  /// The wallet's own code accepts what the examples show: proofs, keys and the way to the vault.
  func testTheEvaluationsOfTheExamplesHoldAndGiveTheKeysOfTheExamples() throws {
    let parties = try ExampleParties()
    let examples = try ExampleMessages.all()
    var shown = 0
    for part in examples.flatMap(\.parts) where part.name.hasPrefix("result: ") {
      let result = try JSONValue(parsing: Array(part.text.utf8)).decode(
        InstructionResultClaims.self)
      let evaluation: PinEvaluation
      let pin: ExamplePin
      let name: String
      switch result.outcome {
      case .challenge(_, _, let made?, _):
        (evaluation, pin) = (made, parties.pin)
        name = try XCTUnwrap(
          InstructionName.allCases.filter { $0 == .register || $0.isAttempt }.first {
            ExamplePin.evaluationID($0.rawValue) == made.evaluator.evaluation
          }
        ).rawValue
      case .valid(_, _, let made?): (evaluation, pin, name) = (made, parties.newPin, "the new PIN")
      default: continue
      }
      shown += 1
      let key = try XCTUnwrap(pin.verifiedKey(of: evaluation, blindOf: name), name)
      XCTAssertEqual(key.publicKey, pin.key.publicKey, name)
      XCTAssertEqual(evaluation.publicValue != nil, evaluation.evaluator.grant != nil, name)
    }
    XCTAssertEqual(shown, 6)
  }

  func testASealedExampleOpensByTheFunctionOfLibsodium() throws {
    let parties = try ExampleParties()
    for example in try ExampleMessages.all() {
      guard let sealed = example.parts.first(where: { $0.name == "the same, sealed" }) else {
        continue
      }
      let plain = example.parts.last {
        $0.name == "inner message" || $0.name == "payload"
      }
      let box = try XCTUnwrap(Base64URL.decode(sealed.text))
      XCTAssertEqual(
        String(decoding: try parties.encryption.open(box), as: UTF8.self), plain?.text,
        example.title)
    }
  }

  private struct Kind: Decodable { var kind: String }

  private static func text() throws -> String {
    var text = head
    for (number, example) in try ExampleMessages.all().enumerated() {
      let title =
        InstructionName(rawValue: example.title) != nil
        ? "`\(example.title)`" : example.title
      text += "## \(number + 1). \(title)\n"
      for part in example.parts { text += "\n\(part.name)\n\n```text\n\(part.text)\n```\n" }
      text += "\n"
    }
    return String(text.dropLast())
  }
}
