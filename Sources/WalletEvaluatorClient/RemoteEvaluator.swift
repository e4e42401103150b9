public import WalletProtocol
public import WalletProvider

/// An evaluator on another machine, as its description said it is.
public struct RemoteEvaluator: PinEvaluator {
  public let id: String
  public let grantKeys: [PublishedKey]
  private let connection: EvaluatorConnection

  private static let mostKeys = 16

  /// Asks the evaluator for its description.
  ///
  /// - Throws: `StoreFailure` if it cannot be reached or is of no use.
  public init(_ connection: EvaluatorConnection) async throws(StoreFailure) {
    let found = try await connection.description()
    guard found.version == wireVersion else {
      throw StoreFailure(
        "the evaluator at \(connection.url) speaks version \(found.version) of the messages, this"
          + " program \(wireVersion): run the same release at both")
    }
    let keys = found.grantKeys
    guard Base64URL.decode(found.id)?.count == 16, (1...Self.mostKeys).contains(keys.count),
      keys.allSatisfy({
        Base64URL.decode($0.key)?.count == 32 && (1...64).contains($0.id.utf8.count)
      })
    else { throw StoreFailure("the evaluator at \(connection.url) has no usable description") }
    self.connection = connection
    id = found.id
    grantKeys = keys
  }

  public func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    try await connection.answer(request)
  }
}

extension RemoteEvaluator: EvaluatorAdministration {
  public func delete(key: String) async throws { try await connection.delete(key: key) }

  public func unblock(key: String) async throws -> Bool {
    try await connection.unblock(key: key)
  }
}

extension EvaluatorConnection: EvaluatorAdministration {
  public func delete(key: String) async throws {
    guard try await answer(.delete(key: key)) == .done else {
      throw StoreFailure("the evaluator at \(url) did not delete the wallet")
    }
  }

  /// No message of a provider takes attempts back.
  public func unblock(key: String) async throws -> Bool {
    throw StoreFailure(
      """
      the evaluator at \(url) counts the attempts of this wallet too, and only its operator begins \
      them anew: wallet-provider evaluate unblock \(key)
      """)
  }
}
