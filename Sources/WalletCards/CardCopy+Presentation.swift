public import WalletAccount
public import WalletCredentials
public import WalletModel
internal import WalletProtocol

extension CardCopy {
  /// Presents the copy with what `paths` select and no other part that can be withheld, signed with
  /// its own key for this verifier and this nonce.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `cardKeyLost` if the platform has lost the key; `invalidArgument` if a path selects
  ///   nothing; what the bridge throws.
  public func presentation(
    disclosing paths: [ClaimsPath], audience: String, nonce: String, now: Int64,
    by account: Account
  ) throws(WalletError) -> String {
    do {
      let credential = try Credential(parsing: credential).reopened()
      guard let holderKey = credential.terms.holderKey else {
        throw CredentialError.holderKeyMissing
      }
      return try credential.present(
        disclosing: paths, audience: audience, nonce: nonce, now: now,
        signer: account.signer(
          of: CardKey(identifier: keyIdentifier, subjectKey: holderKey)))
    } catch let error as WalletError {
      throw error
    } catch is ClaimsPathError {
      throw CardContent.nothingSelected
    } catch {
      throw WalletError(.storageCorrupt, "A stored card is unreadable.")
    }
  }
}

extension CardContent {
  /// Checks that each path selects something.
  ///
  /// - Throws: `invalidArgument`.
  public func requireClaims(at paths: [ClaimsPath]) throws(WalletError) {
    do {
      for path in paths { _ = try path.select(in: .object(claims)) }
    } catch { throw Self.nothingSelected }
  }

  static var nothingSelected: WalletError {
    WalletError(
      .invalidArgument,
      "The card has no claim at one of the paths; wallet_core_event_card_claim_path() tells them.")
  }
}
