internal import WalletCredentials
public import WalletModel
internal import WalletProtocol

/// A card and the claims of it that a verifier is to see.
public struct CardSelection: Equatable, Sendable {
  let card: String
  let paths: [ClaimsPath]

  init(card: String, paths: [ClaimsPath]) {
    self.card = card
    self.paths = paths
  }

  /// - Parameters:
  ///   - card: the id of the card.
  ///   - paths: the ways to the claims, each a JSON array of names and indices.
  /// - Throws: `invalidArgument` for a text that is no such array.
  public init(card: String, paths: [String]) throws(WalletError) {
    self.card = card
    do {
      self.paths = try paths.map { try ClaimsPath(parsing: JSONValue(parsing: Array($0.utf8))) }
    } catch {
      throw WalletError(
        .invalidArgument,
        "A path must be a JSON array of names and indices, as "
          + "wallet_core_event_card_claim_path() gives it.")
    }
  }
}
