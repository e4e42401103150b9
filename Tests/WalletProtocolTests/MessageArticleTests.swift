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
    | hardware key, PID key, result key, certificate key, issuer key, configuration-signing key 1, configuration-signing key 2 | the Ed25519 key of this seed |
    | encryption key, recipient | the X25519 key with this secret half |
    | challenge of NAME, share, enrolment secret | the 32 bytes |
    | salt, new salt, registration id, change, idempotency key, nonce | the first 16 bytes |
    | disclosure salt 1 to 4 | the first 16 bytes, in the order of the claims' names |
    | ephemeral key of NAME; ephemeral key of the share, NAME; ephemeral key of the PID | the secret half of the ephemeral key of a sealed box: of a payload, of the share in an answer, of the PID |

    In real messages keys, salts and ids are random. PIN keys are derived with 3 passes over 67,108,864 bytes.

    A text is exactly what is signed, sealed or sent, without a line break. Signatures are Ed25519, so anyone who has
    the keys makes the same bytes. The messages of one life are numbered through. Where an instruction has several
    results, each is an answer to the same request.


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
    XCTAssertEqual(kinds.count, 20, "\(kinds)")
    let shown = Set(
      examples.flatMap(\.parts).compactMap { part -> String? in
        guard part.name.hasPrefix("result: ") else { return nil }
        let outcome = try? JSONValue(parsing: Array(part.text.utf8))
          .decode(InstructionResultClaims.self)
        return outcome.flatMap { try? JSONValue(encoding: $0.outcome).decode(Kind.self) }?.kind
      })
    XCTAssertEqual(shown, Set(kinds))
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
        example.title.contains("_") || example.title.first?.isLowercase == true
        ? "`\(example.title)`" : example.title
      text += "## \(number + 1). \(title)\n"
      for part in example.parts { text += "\n\(part.name)\n\n```text\n\(part.text)\n```\n" }
      text += "\n"
    }
    return String(text.dropLast())
  }
}
