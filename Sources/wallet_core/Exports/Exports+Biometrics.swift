public import CWalletCore
internal import WalletModel
internal import WalletRuntime

// Section 9 of the header.

@_cdecl("wallet_core_is_biometric_unlock_enabled") @implementation
public func wallet_core_is_biometric_unlock_enabled(
  _ isEnabled: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  isEnabled?.pointee = 0
  return answer(error) { () throws(WalletError) in
    let core = try CoreInstance.core()
    guard let isEnabled else { throw .argument("is_enabled is NULL.") }
    isEnabled.pointee = try core.wallet.isBiometricUnlockEnabled() ? 1 : 0
  }
}

@_cdecl("wallet_core_enable_biometric_unlock") @implementation
public func wallet_core_enable_biometric_unlock(
  _ client: wallet_core_client, _ pin: UnsafePointer<UInt8>?, _ pinLength: Int,
  _ request: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  start(.enableBiometricUnlock, client, pin, pinLength, request, error)
}

@_cdecl("wallet_core_disable_biometric_unlock") @implementation
public func wallet_core_disable_biometric_unlock(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().start(.disableBiometricUnlock, for: client, number: request)
  }
}

@_cdecl("wallet_core_unlock_with_biometrics") @implementation
public func wallet_core_unlock_with_biometrics(
  _ client: wallet_core_client, _ request: UnsafeMutablePointer<UInt64>?,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> wallet_core_status {
  request?.pointee = 0
  return answer(error) { () throws(WalletError) in
    try CoreInstance.core().start(.unlockWithBiometrics, for: client, number: request)
  }
}
