import Foundation
import WalletProtocol
import WalletProvider
import XCTest

@testable import WalletEvaluator
@testable import WalletProviderStores

/// Bytes in rows and in the record: text, and the lists of numbers that earlier versions wrote.
final class StoredBytesTests: EvaluatorTestCase {
  /// The JSON with a list of numbers in place of each text that is a member of one of these names.
  private func withLists(_ value: some Encodable, _ names: Set<String>) throws -> [UInt8] {
    try list(JSONValue(encoding: value), names).encoded
  }

  private func list(_ value: JSONValue, _ names: Set<String>) throws -> JSONValue {
    switch value {
    case .object(let members):
      var changed = members
      for (name, member) in members {
        if names.contains(name), let text = member.string {
          let bytes = try XCTUnwrap(Base64URL.decode(text))
          changed[name] = .array(bytes.map { .integer(Int64($0)) })
        } else {
          changed[name] = try list(member, names)
        }
      }
      return .object(changed)
    case .array(let values): return .array(try values.map { try list($0, names) })
    default: return value
    }
  }

  private let rowNames: Set = ["hardwareKey", "half", "publicKey", "blinded", "request", "message"]

  private func storedWallet(_ evaluator: Evaluator, _ key: String) async throws -> EvaluatedWallet {
    let wallet = try await evaluator.store.transaction { try $0.wallet(key: key) }
    return try XCTUnwrap(wallet)
  }

  func testAWalletIsReadAsItWasWrittenWithAndWithoutAnAdoptedKey() async throws {
    let evaluator = try evaluator()
    let opened = try await evaluator.opened(TestWallet()).half.key
    let wallet = TestWallet()
    let adopted = try await evaluator.adopted(wallet)
    _ = try await evaluator.proven(wallet, try await evaluator.begun(wallet, adopted))
    for key in [opened, adopted] {
      let stored = try await storedWallet(evaluator, key)
      XCTAssertEqual(stored.current.publicKey == nil, key == opened)
      let json = try WireJSON.encode(stored)
      XCTAssertEqual(try WireJSON.decode(EvaluatedWallet.self, from: json), stored)
      XCTAssertTrue(String(decoding: json, as: UTF8.self).contains("\"half\":\""))
    }
  }

  func testARowOfAnEarlierVersionIsRead() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.proven(wallet, try await evaluator.begun(wallet, key))
    let stored = try await storedWallet(evaluator, key)
    let former = try withLists(stored, rowNames)
    XCTAssertTrue(String(decoding: former, as: UTF8.self).contains("\"half\":["))
    XCTAssertEqual(try WireJSON.decode(EvaluatedWallet.self, from: former), stored)
  }

  func testARecordOfAnEarlierVersionIsRead() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let file = EvaluatorRecordFile(directory: directory)
    let keys = try keys()
    let record = try XCTUnwrap(RowRecord(sealed: try XCTUnwrap(file.read()), keys: keys))
    let former = try withLists(record, ["markKey", "marks"])
    XCTAssertTrue(String(decoding: former, as: UTF8.self).contains("\"marks\":["))
    XCTAssertEqual(try WireJSON.decode(RowRecord.self, from: former), record)
    // As the earlier version wrote it: the file has nothing but the content.
    try PrivateFile.write(
      try keys.seal(former, authenticating: Array("wallet-evaluator record".utf8)), to: self.record,
      replace: true)
    let count = try await self.evaluator().countNow(wallet, key)
    XCTAssertEqual(count, 0)
    XCTAssertEqual(findings(), [])
  }

  func testWhatIsNeitherIsRefused() throws {
    for text in ["\"A\"", "\"AA==\"", "[256]", "[\"AA\"]", "1", "null", "{}"] {
      XCTAssertThrowsError(
        try WireJSON.decode(StoredBytes.self, from: Array(text.utf8)), text)
    }
  }
}
