public import WalletProtocol

// A service that holds a provider is printed whole by libraries at debug level; its keys must not be.

extension EncryptionKey: Discreet {}
extension ProviderKeys: Discreet {}
