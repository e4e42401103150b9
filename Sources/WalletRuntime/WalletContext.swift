internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform

/// What the wallet's threads share: values that never change and keepers that are safe to share.
struct WalletContext: Sendable {
  let settings: WalletSettings
  let platform: any PlatformBridges
  let world: OutsideWorld
  let log: Log
  let anchor: TrustAnchor
  let configuration: ConfigurationRepository
  let updatePolicy: UpdatePolicyRepository
  let lock: LockKeeper
  let storage: StorageKeeper
}
