internal import CWalletCore
internal import WalletCrypto
internal import WalletModel
internal import WalletRuntime

/// Reads PINs that a host passed.
enum PinInput {
  /// The purpose of a request with one PIN.
  enum Purpose {
    case register
    case unlock
    case checkPin
    case enableBiometricUnlock
  }

  /// Returns whether the PIN fits the policy. Reads no more bytes than a PIN has.
  static func check(_ pin: UnsafePointer<UInt8>?, _ length: Int) throws(WalletError) -> PinVerdict {
    guard pin != nil || length == 0 else {
      throw .argument("pin is NULL, but its length is not 0.")
    }
    guard length == Int(WALLET_CORE_PIN_LENGTH) else { return .wrongLength }
    return Wallet.validate(UnsafeRawBufferPointer(start: pin, count: length))
  }

  /// Returns the request with the PIN copied into guarded memory.
  static func request(
    _ purpose: Purpose, _ pin: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> WalletRequest {
    let pin = try read(pin, length, for: purpose)
    return switch purpose {
    case .register: .register(pin)
    case .unlock: .unlock(pin)
    case .checkPin: .checkPin(pin)
    case .enableBiometricUnlock: .enableBiometricUnlock(pin)
    }
  }

  private static func read(
    _ pin: UnsafePointer<UInt8>?, _ length: Int, for purpose: Purpose
  ) throws(WalletError) -> Pin {
    // A size_t beyond Int.max arrives negative.
    guard (0...Pin.maximumLength).contains(length) else {
      throw .argument("The PIN has more than \(Pin.maximumLength) bytes.")
    }
    let verdict = try check(pin, length)
    guard isAcceptable(verdict, for: purpose) else { throw refusal(verdict) }
    return try copy(pin, length)
  }

  /// Returns the request to change a PIN, with both PINs copied into guarded memory.
  static func change(
    _ pin: UnsafePointer<UInt8>?, _ length: Int, to newPin: UnsafePointer<UInt8>?,
    _ newLength: Int
  ) throws(WalletError) -> WalletRequest {
    .changePin(
      try read(pin, length, for: .unlock), to: try read(newPin, newLength, for: .register))
  }

  /// Returns the request to decide on a replacement, with the PIN copied into guarded memory.
  static func decision(
    session: String, isAllowed: Bool, _ pin: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> WalletRequest {
    .decideReplacement(
      session: session, isAllowed: isAllowed, try read(pin, length, for: .unlock))
  }

  /// Returns the request to present cards, with the PIN copied into guarded memory.
  static func presentation(
    of selections: [CardSelection], nonce: String, audience: String,
    _ pin: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> WalletRequest {
    .present(
      selections, nonce: nonce, audience: audience, PinOnce(try read(pin, length, for: .unlock)))
  }

  /// Returns the request to share what is chosen, with the PIN copied into guarded memory.
  static func sharing(
    _ id: String, _ pin: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> WalletRequest {
    .confirmSharing(id, PinOnce(try read(pin, length, for: .unlock)))
  }

  /// Returns the input of a choice: nothing, or a PIN copied into guarded memory. Only the form of
  /// the PIN is checked here; the step decides whether it is too simple.
  static func choice(
    _ input: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> ChoiceInput {
    if length == 0 { return .none }
    guard input != nil else { throw .argument("input is NULL, but its length is not 0.") }
    let verdict = try check(input, length)
    guard verdict != .wrongLength, verdict != .notDigits else { throw refusal(verdict) }
    return .pin(try copy(input, length))
  }

  private static func refusal(_ verdict: PinVerdict) -> WalletError {
    WalletError(
      .pinRefused, "The PIN does not fit the policy: \(verdict.rawValue).",
      data: ["reason": .text(verdict.rawValue)])
  }

  private static func copy(
    _ pin: UnsafePointer<UInt8>?, _ length: Int
  ) throws(WalletError) -> Pin {
    guard let pin = try? Pin(copying: UnsafeRawBufferPointer(start: pin, count: length)) else {
      throw WalletError(.outOfResources, "Not enough guarded memory for the PIN.")
    }
    return pin
  }

  /// A new PIN must fit the whole policy. A PIN that is compared with the wallet's own needs only
  /// the form of a PIN: if it is too simple, the provider refuses it like any other wrong PIN.
  private static func isAcceptable(_ verdict: PinVerdict, for purpose: Purpose) -> Bool {
    switch verdict {
    case .accepted: true
    case .wrongLength, .notDigits: false
    case .tooFewDifferentDigits, .sequence, .common: purpose != .register
    }
  }
}

extension PinVerdict {
  /// The number in the header.
  var code: wallet_core_pin_verdict {
    switch self {
    case .accepted: WALLET_CORE_PIN_VERDICT_ACCEPTED
    case .wrongLength: WALLET_CORE_PIN_VERDICT_WRONG_LENGTH
    case .notDigits: WALLET_CORE_PIN_VERDICT_NOT_DIGITS
    case .tooFewDifferentDigits: WALLET_CORE_PIN_VERDICT_TOO_FEW_DIFFERENT_DIGITS
    case .sequence: WALLET_CORE_PIN_VERDICT_SEQUENCE
    case .common: WALLET_CORE_PIN_VERDICT_COMMON
    }
  }
}
