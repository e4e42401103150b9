// SPDX-License-Identifier: Apache-2.0
import CWalletCore

// The platform as the library's three structs of functions. Each retains a context, which the
// library releases by `destroy`.

extension wallet_core_signing_key_bridge {
  public init(_ platform: some Platform) {
    self.init()
    struct_size = MemoryLayout<Self>.size
    context = Calls.retained(platform)
    destroy = { Calls.release($0) }
    cancel = { Calls.cancel($0, $1) }
    public_key = { Calls.answer($0, $1, $2) { try await $0.publicKey($1.identifier) } }
    sign = { Calls.answer($0, $1, $2, $3, $4) { try await $0.sign($1.bytes, with: $1.identifier) } }
    delete_key = {
      Calls.answer($0, $1, $2) {
        try await $0.deleteSigningKey($1.identifier)
        return []
      }
    }
  }
}

extension wallet_core_encryption_key_bridge {
  public init(_ platform: some Platform) {
    self.init()
    struct_size = MemoryLayout<Self>.size
    context = Calls.retained(platform)
    destroy = { Calls.release($0) }
    cancel = { Calls.cancel($0, $1) }
    encrypt = {
      Calls.answer($0, $1, $2, $4, $5, protection: $3) {
        try await $0.encrypt($1.bytes, with: $1.identifier, isBiometric: $1.isBiometric)
      }
    }
    decrypt = {
      Calls.answer($0, $1, $2, $4, $5, protection: $3) {
        try await $0.decrypt($1.bytes, with: $1.identifier, isBiometric: $1.isBiometric)
      }
    }
    delete_key = {
      Calls.answer($0, $1, $2) {
        try await $0.deleteEncryptionKey($1.identifier)
        return []
      }
    }
  }
}

extension wallet_core_utilities_bridge {
  public init(_ platform: some Platform) {
    self.init()
    struct_size = MemoryLayout<Self>.size
    self.platform = platform.rules
    context = Calls.retained(platform)
    destroy = { Calls.release($0) }
    cancel = { Calls.cancel($0, $1) }
    storage_path = {
      Calls.answer($0, $1) { platform, _ in [UInt8](try await platform.storagePath().utf8) }
    }
    biometrics_available = {
      Calls.answer($0, $1) { platform, _ in
        [UInt8(await platform.biometrics()?.rawValue ?? 0)]
      }
    }
    device_secure = { Calls.answer($0, $1) { platform, _ in [await platform.isSecure() ? 1 : 0] } }
    internet_reachable = {
      Calls.answer($0, $1) { platform, _ in [await platform.isOnline() ? 1 : 0] }
    }
    camera_state = {
      Calls.answer($0, $1) { platform, _ in [UInt8(await platform.camera().rawValue)] }
    }
  }
}
