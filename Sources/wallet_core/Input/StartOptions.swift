internal import CWalletCore
internal import WalletModel
internal import WalletPlatform
internal import WalletRuntime

/// The options of init, read and checked. Except for functions and their contexts, nothing in them
/// points into the host's memory.
struct StartOptions {
  private static let configurationLimit = 256 * 1024
  private static let keyLimit = 16

  let settings: WalletSettings
  let log: LogThread.Target?
  let hooks: ThreadHooks

  init(_ options: UnsafePointer<wallet_core_options>?) throws(WalletError) {
    let options = try StructInput.copy(
      options, "options", minimum: 3 * MemoryLayout<UInt>.size, empty: .init())
    settings = WalletSettings(
      embeddedConfiguration: try Self.document(options),
      configurationKeys: try Self.keys(options),
      appVersion: try TextInput.required(options.app_version, "app_version", bytes: 1...64),
      appID: try TextInput.required(options.app_id, "app_id", bytes: 1...128),
      storagePath: options.storage_path == nil
        ? nil : try TextInput.required(options.storage_path, "storage_path", bytes: 1...4095))
    log = try Self.log(options)
    hooks = ThreadHooks(
      start: options.on_thread_start, stop: options.on_thread_stop,
      context: options.thread_context)
  }

  private static func document(_ options: wallet_core_options) throws(WalletError) -> [UInt8] {
    let length = options.embedded_configuration_length
    guard let start = options.embedded_configuration, length != 0 else {
      throw .argument("embedded_configuration is missing.")
    }
    // A size_t beyond Int.max arrives negative.
    guard (1...configurationLimit).contains(length) else {
      throw .argument("embedded_configuration is longer than \(configurationLimit) bytes.")
    }
    return Array(UnsafeBufferPointer(start: start, count: length))
  }

  private static func keys(
    _ options: wallet_core_options
  ) throws(WalletError) -> [WalletSettings.ConfigurationKey] {
    guard options.configuration_key_count != 0 else { return [] }
    guard let start = options.configuration_keys else {
      throw .argument("configuration_keys is NULL, but configuration_key_count is not 0.")
    }
    guard (2...keyLimit).contains(options.configuration_key_count) else {
      throw .argument("configuration_key_count must be 0 or 2 to \(keyLimit).")
    }
    var keys: [WalletSettings.ConfigurationKey] = []
    for key in UnsafeBufferPointer(start: start, count: options.configuration_key_count) {
      let id = try TextInput.required(key.key_id, "configuration_keys.key_id", bytes: 1...64)
      let bytes = withUnsafeBytes(of: key.public_key) { Array($0) }
      keys.append(.init(id: id, publicKey: bytes))
    }
    return keys
  }

  private static func log(_ options: wallet_core_options) throws(WalletError) -> LogThread.Target? {
    let level = LogLevel(rawValue: options.log_level.rawValue)
    guard level != nil || options.log_level == WALLET_CORE_LOG_OFF else {
      throw .argument("log_level is not one of WALLET_CORE_LOG_....")
    }
    guard let level, let callback = options.log else { return nil }
    return .init(callback: callback, context: options.log_context, limit: level)
  }
}
