import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// The provider's result key in the hands of a man in the middle.
struct StolenResultKey {
  let key: Ed25519.SigningKey

  /// Takes the key that is in force.
  init(of provider: TestProvider) throws {
    let text = try String(
      contentsOf: provider.data.appendingPathComponent("keys/result.key"), encoding: .utf8)
    let seed = try XCTUnwrap(Base64URL.decode(text.trimmingCharacters(in: .newlines)))
    let client = try WireJSON.decode(
      ClientConfiguration.self, from: Array(provider.clientConfiguration()))
    let configuration = try SignedMessage(parsing: client.configuration).unverifiedContent(
      ConfigurationClaims.self)
    key = try Ed25519.SigningKey(
      seed: Secret(copying: seed), keyID: configuration.resultKeys[0].id)
  }

  /// The claims of the provider's result; nil if the answer has none.
  static func claims(_ exchange: ManInTheMiddle.Exchange) -> InstructionResultClaims? {
    let body = String(decoding: exchange.answer, as: UTF8.self).components(
      separatedBy: "\r\n\r\n"
    ).last
    guard let body,
      let answer = try? WireJSON.decode(InstructionAnswer.self, from: Array(body.utf8))
    else { return nil }
    return try? SignedMessage(parsing: answer.result).unverifiedContent(
      InstructionResultClaims.self)
  }

  /// The provider's result with this change, signed with the key; nil if the answer has no result.
  func resign(
    _ exchange: ManInTheMiddle.Exchange,
    change: (inout InstructionResultClaims) -> Void = { _ in }
  ) -> [UInt8]? {
    guard var claims = Self.claims(exchange) else { return nil }
    change(&claims)
    guard let forged = try? SignedMessage.sign(claims, type: .instructionResult, signer: key)
    else { return nil }
    return ManInTheMiddle.http(200, #"{"result":"\#(forged)"}"#)
  }
}
