internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCredentials
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol

/// Whom a presentation is for.
struct RelyingParty {
  var nonce: String
  var audience: String
}

// A card is used only with the owner's PIN, which the provider checks for this use: without its
// answer the slots of the copies do not open. What can be refused without a PIN is refused before
// it, so that it costs no attempt. What is used is counted before it is opened.

extension WalletSession {
  /// Presents cards for one verifier.
  ///
  /// - Returns: What the provider says of the PIN; if it is right, the presentations in the order of
  ///   the selections, and wrong PINs that the owner has not been told of.
  func present(
    _ selections: [CardSelection], for verifier: RelyingParty, _ pin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> (PinCheck, [String]?, PinFailures?) {
    let account = try account(job, creating: false)
    let chosen = try choose(selections, account, job)
    let authorized = try asking(\.check) { () throws(WalletError) in
      try account.authorizeUse(
        pin, for: .presentation, act: Self.act(selections, verifier),
        slots: chosen.map(\.slot.reference)
      ) { () throws(WalletError) in try admit(job) }
    }
    guard case .valid = authorized.check else {
      return (authorized.check, nil, authorized.failures)
    }
    // A lock or a cancellation since then ends it, and nothing was used.
    try admit(job)
    let now = context.updatePolicy.providerTime
    let keys = try slotKeys(authorized.slots, of: chosen, account)
    try account.cards.countUses(chosen, at: now)
    guard let walletID = try account.walletID() else { throw Self.notRegistered }
    var presentations: [String] = []
    for ((selection, copy), key) in zip(zip(selections, chosen), keys) {
      let opened = try copy.open(with: key, walletID: walletID)
      sealAnew(copy, opened, walletID, account)
      presentations.append(
        try present(copy, opened, selection, for: verifier, now: now, account))
    }
    // Signing takes time: nothing is returned if the wallet was locked meanwhile.
    try admit(job)
    return (authorized.check, presentations, authorized.failures)
  }

  /// Checks the selections and chooses a copy for each.
  private func choose(
    _ selections: [CardSelection], _ account: Account, _ job: JobQueue.Job
  ) throws(WalletError) -> [ChosenCopy] {
    let chosen = try account.cards.chooseCopies(
      of: selections.map(\.card), at: context.updatePolicy.providerTime)
    for selection in selections {
      try CardContent(stored: opened(account.cards.content(of: selection.card), job))
        .requireClaims(at: selection.paths)
    }
    return chosen
  }

  /// The keys of the slots.
  ///
  /// - Throws: `cardRefused` if one did not open. Its copy is then used after all others.
  private func slotKeys(
    _ slots: [OpenedSlot], of copies: [ChosenCopy], _ account: Account
  ) throws(WalletError) -> [Secret] {
    var keys: [Secret] = []
    for (slot, copy) in zip(slots, copies) {
      let reason: String
      switch slot {
      case .opened(let key):
        keys.append(key)
        continue
      case .keyLost: reason = "use-key-lost"
      case .closed: reason = "slot-closed"
      }
      try account.cards.update(copy.card) { $0.noteClosedSlot(of: copy.copy) }
      throw WalletError(
        .cardRefused,
        "The provider cannot open a copy of the card (\(reason)); nothing was presented.",
        data: ["reason": .text(reason), "card": .text(copy.card)])
    }
    return keys
  }

  /// Seals a slot to the current use key if it is sealed to a former one. A failure is only logged,
  /// because the former key still opens it.
  private func sealAnew(
    _ copy: ChosenCopy, _ opened: CardCopy, _ walletID: String, _ account: Account
  ) {
    guard let useKey = currentConfiguration.known?.useKeys.first, useKey.id != copy.slot.useKeyID
    else { return }
    context.attempt("cards", "A card was not sealed to the new use key", level: .warning) {
      () throws(WalletError) in
      try account.cards.replace(
        copy.sealed(opened, walletID: walletID, to: useKey), of: copy.copy)
    }
  }

  private func present(
    _ copy: ChosenCopy, _ opened: CardCopy, _ selection: CardSelection, for verifier: RelyingParty,
    now: Int64, _ account: Account
  ) throws(WalletError) -> String {
    do {
      return try opened.presentation(
        disclosing: selection.paths, audience: verifier.audience, nonce: verifier.nonce, now: now,
        by: account)
    } catch {
      if error.kind == .cardKeyLost {
        try account.cards.update(copy.card) { $0.noteLostKey(of: copy.copy) }
      }
      throw error
    }
  }

  /// The hash of what is done, with 32 random bytes that are kept nowhere: who knows a verifier and
  /// the cards cannot recognise it.
  private static func act(_ selections: [CardSelection], _ verifier: RelyingParty) -> [UInt8] {
    let cards = selections.map { selection in
      JSONValue.array([.string(selection.card), .array(selection.paths.map(\.json))])
    }
    let act = JSONValue.array([
      .string("wallet_core.act.1"), .string(Base64URL.encode(Random.bytes(32))),
      .string(UsePurpose.presentation.rawValue), .string(verifier.audience),
      .string(verifier.nonce), .array(cards),
    ])
    return Hash.sha256(act.encoded)
  }
}
