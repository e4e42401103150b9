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

  /// Answers the step with this serial by choosing an option of the request of a relying party.
  ///
  /// - Parameter option: its index.
  public func chooseOption(_ serial: UInt64, _ option: Int) throws(WalletCoreError) {
    try check { wallet_core_choose_option(id, serial, option, $0) }
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

  /// Presents cards to a verifier. Show the user who asks for which claims, then ask for the PIN,
  /// also where biometrics unlocked the wallet. A wrong PIN is not an error: the verdict says so,
  /// and there are no presentations.
  public func present(
    _ selections: [CardSelection], nonce: String, audience: String, pin: consuming Pin
  ) async throws(WalletCoreError) -> (pin: Event.Verdict?, presentations: [String]) {
    let completion = try await beginPresenting(
      selections, nonce: nonce, audience: audience, pin: pin
    ).completion()
    return (completion.pin, completion.presentations ?? [])
  }
}

// Requests of relying parties, for apps with screens of their own.
extension Client {
  /// Retrieves what a relying party asks for by a link or code.
  public func beginSharing(
    _ link: String, isFromOtherDevice: Bool
  ) async throws(WalletCoreError) -> Event.Sharing? {
    try refuseNUL(in: link)
    return try await begin {
      wallet_core_begin_sharing(id, link, isFromOtherDevice ? 1 : 0, $0, $1)
    }.completion().sharing
  }

  /// Chooses an option of the request with this id, and returns the request as it is then.
  public func chooseSharingOption(
    _ sharing: String, _ option: Int
  ) async throws(WalletCoreError) -> Event.Sharing? {
    try refuseNUL(in: sharing)
    return try await begin {
      wallet_core_choose_sharing_option(id, sharing, option, $0, $1)
    }.completion().sharing
  }

  /// Shares what is chosen. A wrong PIN is not an error: the verdict says so, and nothing is shared.
  public func confirmSharing(
    _ sharing: String, pin: consuming Pin
  ) async throws(WalletCoreError) -> (pin: Event.Verdict?, shared: Event.Shared?) {
    try refuseNUL(in: sharing)
    let completion = try await begin {
      wallet_core_confirm_sharing(id, sharing, pin.bytes, pin.count, $0, $1)
    }.completion()
    return (completion.pin, completion.shared)
  }

  public func refuseSharing(_ sharing: String) async throws(WalletCoreError) -> Event.Shared? {
    try refuseNUL(in: sharing)
    return try await begin { wallet_core_refuse_sharing(id, sharing, $0, $1) }.completion().shared
  }

  /// The history, the newest first.
  public func activities() async throws(WalletCoreError) -> [Event.Activity] {
    try await begin { wallet_core_activities(id, $0, $1) }.completion().activities ?? []
  }
}

/// A card, and the claims of it that a verifier is to see.
public struct CardSelection: Sendable {
  /// The card's id.
  public var card: String
  /// The ways to the claims, each a JSON array such as `["address","street_address"]`. None discloses
  /// only what cannot be withheld.
  public var paths: [String]

  public init(card: String, paths: [String]) {
    self.card = card
    self.paths = paths
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
    _ selections: [CardSelection], nonce: String, audience: String, pin: consuming Pin
  ) throws(WalletCoreError) -> Request {
    try refuseNUL(in: nonce, audience)
    // Arrays of texts for C: they are in one buffer, each with its NUL.
    var texts: [Int8] = []
    var places: [[Int]] = []
    for selection in selections {
      places.append([])
      for text in [selection.card] + selection.paths {
        try refuseNUL(in: text)
        places[places.count - 1].append(texts.count)
        texts += text.utf8CString
      }
    }
    return try texts.withUnsafeBufferPointer { buffer throws(WalletCoreError) in
      let pointers = places.map { $0.map { place in buffer.baseAddress.map { $0 + place } } }
      // Freed by the defer below; the library reads them during the call only.
      let structs = pointers.map { texts in
        let paths = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: texts.count)
        paths.initialize(from: texts, count: texts.count)
        let selection = UnsafeMutablePointer<wallet_core_card_selection>.allocate(capacity: 1)
        selection.initialize(
          to: wallet_core_card_selection(
            struct_size: MemoryLayout<wallet_core_card_selection>.size, card: texts[0],
            paths: UnsafePointer(paths + 1), path_count: texts.count - 1))
        return (selection: selection, paths: paths)
      }
      defer {
        for one in structs {
          one.paths.deallocate()
          one.selection.deallocate()
        }
      }
      let selections = structs.map { Optional(UnsafePointer($0.selection)) }
      return try begin {
        wallet_core_present(
          id, selections, selections.count, nonce, audience, pin.bytes, pin.count, $0, $1)
      }
    }
  }
}
