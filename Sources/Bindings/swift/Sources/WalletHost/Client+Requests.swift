// SPDX-License-Identifier: Apache-2.0
import CWalletCore

// The flows: the library sends steps for the user to see, and the app answers them.
extension Client {
  /// Opens the app; call it for each universal link too. It is a launch unless the process was
  /// active before.
  public func open(isLaunch: Bool = true, link: String? = nil) throws(WalletCoreError) {
    try refuseNUL(in: link)
    let startup = isLaunch ? WALLET_CORE_STARTUP_LAUNCH : WALLET_CORE_STARTUP_RESUME
    try check { wallet_core_open_app(id, startup, link, $0) }
  }

  /// Answers the step with this serial with one of its actions, "enter" with a PIN.
  public func choose(
    _ serial: UInt64, _ action: String, pin: consuming Pin = Pin([])
  ) throws(WalletCoreError) {
    try refuseNUL(in: action)
    try check { wallet_core_choose(id, serial, action, pin.bytes, pin.count, $0) }
  }

  /// Answers the step with this serial with the raw bytes of a scanned code.
  public func chooseScanned(
    _ serial: UInt64, symbology: wallet_core_symbology, _ bytes: [UInt8]
  ) throws(WalletCoreError) {
    try check { wallet_core_choose_scanned(id, serial, symbology, bytes, bytes.count, $0) }
  }
}

// Requests. Each function waits for the completion.
extension Client {
  /// Registers a new wallet, which is then unlocked.
  public func register(_ pin: consuming Pin) async throws(WalletCoreError) {
    _ = try await begin(pin, wallet_core_register).completion()
  }

  /// Unlocks the wallet. A wrong PIN is not an error: the provider's verdict says so.
  public func unlock(_ pin: consuming Pin) async throws(WalletCoreError) -> Event.Verdict? {
    try await begin(pin, wallet_core_unlock).completion().pin
  }

  /// Asks the provider whether it accepts a PIN now; costs no attempt.
  public func pinState() async throws(WalletCoreError) -> Event.Verdict? {
    try await begin { wallet_core_pin_state(id, $0, $1) }.completion().pin
  }

  /// Tells the provider what the owner decides on another wallet that waits to take the place of this
  /// one: a verdict or a completion tells of it.
  public func decideReplacement(
    _ session: String, _ decision: ReplacementDecision, pin: consuming Pin
  ) async throws(WalletCoreError) -> Event.Verdict? {
    try refuseNUL(in: session)
    return try await begin {
      wallet_core_decide_replacement(id, session, decision.code, pin.bytes, pin.count, $0, $1)
    }.completion().pin
  }

  /// Fetches the update policy and the configuration now. Events of what has changed come before
  /// this returns.
  public func refresh() async throws(WalletCoreError) {
    _ = try await begin { wallet_core_refresh(id, $0, $1) }.completion()
  }

  /// Deletes the wallet from this device.
  public func wipe() async throws(WalletCoreError) {
    _ = try await begin { wallet_core_wipe(id, $0, $1) }.completion()
  }

  public func cards() async throws(WalletCoreError) -> [Event.Card] {
    try await begin { wallet_core_cards(id, $0, $1) }.completion().cards ?? []
  }

  /// Makes a presentation of the card for a verifier, with these claims disclosed. Ask the user
  /// first.
  public func present(
    _ card: String, claims: [String], nonce: String, audience: String
  ) async throws(WalletCoreError) -> String {
    try await beginPresenting(card, claims: claims, nonce: nonce, audience: audience)
      .completion().presentation ?? ""
  }
}

/// What the owner decides on another wallet that waits to take the place of this one.
public enum ReplacementDecision: Sendable {
  case refuse, allow

  var code: wallet_core_replacement {
    self == .refuse ? WALLET_CORE_REPLACEMENT_REFUSE : WALLET_CORE_REPLACEMENT_ALLOW
  }
}

// Requests that are started here and awaited later, and requests that have no function above.
extension Client {
  public typealias PinFunction = (
    wallet_core_client, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt64>?, ErrorPlace?
  ) -> wallet_core_status

  public func begin(
    _ pin: consuming Pin, _ function: PinFunction
  ) throws(WalletCoreError) -> Request {
    try begin { function(id, pin.bytes, pin.count, $0, $1) }
  }

  public func begin(
    _ function: (UnsafeMutablePointer<UInt64>, ErrorPlace) -> wallet_core_status
  ) throws(WalletCoreError) -> Request {
    try mailbox.begin { () throws(WalletCoreError) in
      var number: UInt64 = 0
      try check { function(&number, $0) }
      return Request(number, of: id)
    }
  }

  public func beginPresenting(
    _ card: String, claims: [String], nonce: String, audience: String
  ) throws(WalletCoreError) -> Request {
    try refuseNUL(in: card, nonce, audience)
    for claim in claims { try refuseNUL(in: claim) }
    // An array of texts for C: they are in one buffer, each with its NUL.
    let texts = claims.map(\.utf8CString)
    return try Array(texts.joined()).withUnsafeBufferPointer { buffer throws(WalletCoreError) in
      var position = buffer.baseAddress
      let claims = texts.map { text in
        defer { position = position.map { $0 + text.count } }
        return position
      }
      return try begin {
        wallet_core_present(id, card, claims, claims.count, nonce, audience, $0, $1)
      }
    }
  }
}
