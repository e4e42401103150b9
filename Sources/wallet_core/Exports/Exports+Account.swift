public import CWalletCore
internal import WalletModel
internal import WalletRuntime

// Section 8 of the header.

@_cdecl("wallet_core_pin_length") @implementation
public func wallet_core_pin_length() -> Int { Int(WALLET_CORE_PIN_LENGTH) }

@_cdecl("wallet_core_validate_pin") @implementation
public func wallet_core_validate_pin(
  _ pin: UnsafePointer<UInt8>?, _ length: Int,
  _ verdict: UnsafeMutablePointer<wallet_core_pin_verdict>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    guard let verdict else { throw .argument("verdict is NULL.") }
    verdict.pointee = try PinInput.check(pin, length).code
  }
}

@_cdecl("wallet_core_has_registration") @implementation
public func wallet_core_has_registration(
  _ hasRegistration: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  hasRegistration?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    // On a bridge thread this call would block the very bridge that the wallet may need.
    if HostThread.role == .bridges { throw .reentrant }
    guard let hasRegistration else { throw .argument("has_registration is NULL.") }
    hasRegistration.pointee = try core.wallet.hasRegistration() ? 1 : 0
  }
}

@_cdecl("wallet_core_is_locked") @implementation
public func wallet_core_is_locked(
  _ isLocked: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  isLocked?.pointee = 1
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    guard let isLocked else { throw .argument("is_locked is NULL.") }
    isLocked.pointee = core.wallet.lockState.value.isLocked ? 1 : 0
  }
}

/// Starts a request with a PIN, for register, unlock, check PIN and enable biometric unlock.
func start(
  _ purpose: PinInput.Purpose, _ client: wallet_core_client,
  _ pin: UnsafePointer<UInt8>?, _ length: Int, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    _ = try core.client(client)
    try core.start(PinInput.request(purpose, pin, length), for: client, number: request)
  }
}

@_cdecl("wallet_core_register") @implementation
public func wallet_core_register(
  _ client: wallet_core_client, _ pin: UnsafePointer<UInt8>?, _ pinLength: Int,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(.register, client, pin, pinLength, request, error)
}

@_cdecl("wallet_core_unlock") @implementation
public func wallet_core_unlock(
  _ client: wallet_core_client, _ pin: UnsafePointer<UInt8>?, _ pinLength: Int,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(.unlock, client, pin, pinLength, request, error)
}

@_cdecl("wallet_core_check_pin") @implementation
public func wallet_core_check_pin(
  _ client: wallet_core_client, _ pin: UnsafePointer<UInt8>?, _ pinLength: Int,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(.checkPin, client, pin, pinLength, request, error)
}

@_cdecl("wallet_core_pin_state") @implementation
public func wallet_core_pin_state(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().start(.pinState, for: client, number: request)
  }
}

@_cdecl("wallet_core_change_pin") @implementation
public func wallet_core_change_pin(
  _ client: wallet_core_client, _ pin: UnsafePointer<UInt8>?, _ pinLength: Int,
  _ newPin: UnsafePointer<UInt8>?, _ newPinLength: Int, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    _ = try core.client(client)
    try core.start(
      PinInput.change(pin, pinLength, to: newPin, newPinLength), for: client, number: request)
  }
}

@_cdecl("wallet_core_decide_replacement") @implementation
public func wallet_core_decide_replacement(
  _ client: wallet_core_client, _ session: UnsafePointer<CChar>?,
  _ decision: wallet_core_replacement,
  _ pin: UnsafePointer<UInt8>?, _ pinLength: Int, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    _ = try core.client(client)
    let session = try TextInput.required(session, "session", bytes: 1...256)
    let isAllowed: Bool
    switch decision {
    case WALLET_CORE_REPLACEMENT_REFUSE: isAllowed = false
    case WALLET_CORE_REPLACEMENT_ALLOW: isAllowed = true
    default: throw .argument("decision is none of WALLET_CORE_REPLACEMENT_....")
    }
    try core.start(
      PinInput.decision(session: session, isAllowed: isAllowed, pin, pinLength), for: client,
      number: request)
  }
}

@_cdecl("wallet_core_lock") @implementation
public func wallet_core_lock(
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in try CoreInstance.core().wallet.lock() }
}

@_cdecl("wallet_core_notify_lifecycle") @implementation
public func wallet_core_notify_lifecycle(
  _ event: wallet_core_lifecycle, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    switch event {
    case WALLET_CORE_LIFECYCLE_FOREGROUND: core.wallet.note(.foreground)
    case WALLET_CORE_LIFECYCLE_BACKGROUND: core.wallet.note(.background)
    case WALLET_CORE_LIFECYCLE_USER_ACTIVITY: core.wallet.note(.userActivity)
    default: throw .argument("event is none of WALLET_CORE_LIFECYCLE_....")
    }
  }
}

@_cdecl("wallet_core_wipe") @implementation
public func wallet_core_wipe(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().start(.wipe, for: client, number: request)
  }
}

@_cdecl("wallet_core_refresh") @implementation
public func wallet_core_refresh(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().refresh(for: client, number: request)
  }
}

@_cdecl("wallet_core_cancel") @implementation
public func wallet_core_cancel(
  _ client: wallet_core_client, _ request: UInt64,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  answer(error) { () throws(WalletError) in
    try CoreInstance.core().client(client).cancel(request)
  }
}
