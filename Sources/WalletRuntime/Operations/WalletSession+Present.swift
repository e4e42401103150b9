internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCredentials
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage

/// What the provider says of a PIN that is to authorise a use of cards.
struct CheckedUse {
  let check: PinCheck
  /// As in `PinCheckResult`.
  let wasCounted: Bool
  let failures: PinFailures?
  /// Only if the PIN is right.
  var use: AuthorizedUse?
}

/// A use of cards that the provider has authorised. The keys of the slots are in guarded memory.
struct AuthorizedUse: Sendable {
  let selections: [CardSelection]
  /// One of each card that is selected.
  let copies: [ChosenCopy]
  /// One for each copy.
  let slots: [OpenedSlot]
  /// Keeps other uses from taking these copies meanwhile.
  let promise: PromisedCopies.Promise
}

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
    _ selections: [CardSelection], for verifier: RelyingParty, _ pin: PinOnce, _ job: JobQueue.Job
  ) throws(WalletError) -> (PinCheck, [String]?, PinFailures?) {
    let checked = try authorizeUse(of: selections, for: verifier, pin.take(), job)
    let presentations = try checked.use.map { use throws(WalletError) in
      try perform(use, for: verifier, job)
    }
    return (checked.check, presentations, checked.failures)
  }

  /// Lets the provider check the PIN for a use of cards.
  func authorizeUse(
    of selections: [CardSelection], for verifier: RelyingParty, _ pin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> CheckedUse {
    let account = try account(job, creating: false)
    let chosen = try choose(selections, account, job)
    let authorized = try asking(\.check) { () throws(WalletError) in
      try account.authorizeUse(
        pin, for: .presentation, act: Self.act(selections, verifier),
        slots: chosen.map(\.slot.reference)
      ) { () throws(WalletError) in try admit(job) }
    }
    var checked = CheckedUse(
      check: authorized.check, wasCounted: authorized.wasCounted, failures: authorized.failures)
    if case .valid = authorized.check {
      context.replacement.note(untold: authorized.failures)
      checked.use = AuthorizedUse(
        selections: selections, copies: chosen, slots: authorized.slots,
        promise: context.promisedCopies.promise(chosen))
    }
    return checked
  }

  /// Makes the presentations of an authorised use.
  ///
  /// - Parameter changes: What changes together with the count of the uses.
  func perform(
    _ use: AuthorizedUse, for verifier: RelyingParty, _ job: JobQueue.Job,
    with changes: (SealedStore.Transaction) throws -> Void = { _ in }
  ) throws(WalletError) -> [String] {
    // A lock or a cancellation since then ends it, and nothing was used.
    try admit(job)
    let account = try account(job, creating: false)
    let now = context.updatePolicy.providerTime
    let keys = try slotKeys(use.slots, of: use.copies, account)
    try account.cards.countUses(use.copies, at: now, with: changes)
    guard let walletID = try account.walletID() else { throw Self.notRegistered }
    var presentations = [String](repeating: "", count: use.selections.count)
    for (copy, key) in zip(use.copies, keys) {
      let opened = try copy.open(with: key, walletID: walletID)
      sealAnew(copy, opened, walletID, account)
      for (index, selection) in use.selections.enumerated() where selection.card == copy.card {
        presentations[index] = try present(
          copy, opened, selection, for: verifier, now: now, account)
      }
    }
    // Signing takes time: nothing is returned if the wallet was locked meanwhile.
    try admit(job)
    return presentations
  }

  /// Checks the selections and chooses a copy of each card.
  private func choose(
    _ selections: [CardSelection], _ account: Account, _ job: JobQueue.Job
  ) throws(WalletError) -> [ChosenCopy] {
    let chosen = try account.cards.chooseCopies(
      of: selections.map(\.card), at: context.updatePolicy.providerTime,
      besides: context.promisedCopies.all)
    for selection in selections {
      guard let content = try content(of: selection.card, account, job) else {
        throw CardStore.unreadable
      }
      try content.requireClaims(at: selection.paths)
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
        lookAtCards(account)
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
