internal import WalletCrypto
internal import WalletStorage

// The sealed store and the keys of the core for C programs that compare them with peers. For
// benchmarks only: the shipped library has no such functions.

/// An open store and the key of its vault.
private final class OpenStore {
  let directory: StorageDirectory
  let store: SealedStore
  let key: Secret

  init(path: String, key: Secret) throws {
    directory = try StorageDirectory(path: path)
    store = try SealedStore.open(in: directory)
    self.key = key
  }

  func close() {
    store.close()
    directory.release()
  }
}

private func name(_ number: Int) -> String { "card-\(number)" }

private func object(_ handle: UnsafeMutableRawPointer) -> OpenStore {
  Unmanaged<OpenStore>.fromOpaque(handle).takeUnretainedValue()
}

/// Opens the store in a directory, or makes it; NULL on failure.
@_cdecl("our_store_open")
public func openStore(
  _ path: UnsafePointer<CChar>, _ key: UnsafePointer<UInt8>
) -> UnsafeMutableRawPointer? {
  let bytes = UnsafeRawBufferPointer(start: key, count: AuthenticatedBox.keyLength)
  guard let key = try? Secret(copying: bytes),
    let store = try? OpenStore(path: String(cString: path), key: key)
  else { return nil }
  return Unmanaged.passRetained(store).toOpaque()
}

/// Seals `count` values of the same content in one transaction, from number `first` on; 0, or -1.
@_cdecl("our_store_seal")
public func seal(
  _ handle: UnsafeMutableRawPointer, _ first: Int, _ count: Int, _ content: UnsafeRawPointer,
  _ length: Int
) -> Int32 {
  let store = object(handle)
  let content = UnsafeRawBufferPointer(start: content, count: length)
  do {
    try store.store.transaction(label: "benchmark") { transaction in
      for number in first..<first + count {
        try transaction.setVault(name(number), Secret(copying: content), key: store.key)
      }
    }
    return 0
  } catch { return -1 }
}

/// Reads and opens `count` values; how many bytes there were, or -1.
@_cdecl("our_store_read")
public func read(_ handle: UnsafeMutableRawPointer, _ count: Int) -> Int {
  let store = object(handle)
  let bytes = try? store.store.read { reader in
    var bytes = 0
    try reader.vault((0..<count).map(name), key: store.key) { bytes += $1?.count ?? 0 }
    return bytes
  }
  return bytes ?? -1
}

/// Closes the store and releases its directory.
@_cdecl("our_store_close")
public func closeStore(_ handle: UnsafeMutableRawPointer) {
  Unmanaged<OpenStore>.fromOpaque(handle).takeRetainedValue().close()
}

/// Derives the key of a PIN; 0, or -1.
@_cdecl("our_pin_key")
public func derivePinKey(
  _ pin: UnsafePointer<UInt8>, _ length: Int, _ salt: UnsafePointer<UInt8>, _ passes: UInt32,
  _ memoryBytes: UInt64
) -> Int32 {
  let salt = UnsafeRawBufferPointer(start: salt, count: PinKey.saltLength)
  let parameters = PinKey.Parameters(passes: passes, memoryBytes: memoryBytes)
  guard parameters.passes == passes, parameters.memoryBytes == memoryBytes,
    let pin = try? Pin(copying: UnsafeRawBufferPointer(start: pin, count: length)),
    let salt = try? Secret(copying: salt),
    (try? PinKey.stretch(pin, salt: salt, parameters: parameters)) != nil
  else { return -1 }
  return 0
}

/// A signing key of 32 random bytes, for the lifetime of the process; NULL on failure.
@_cdecl("our_signing_key")
public func makeSigningKey(_ seed: UnsafePointer<UInt8>) -> UnsafeMutableRawPointer? {
  guard let seed = try? Secret(copying: UnsafeRawBufferPointer(start: seed, count: 32)),
    let key = try? Ed25519.SigningKey(seed: seed)
  else { return nil }
  return Unmanaged.passRetained(KeyBox(key)).toOpaque()
}

/// Signs with Ed25519; the length of the signature.
@_cdecl("our_sign")
public func sign(
  _ key: UnsafeMutableRawPointer, _ message: UnsafeRawPointer, _ length: Int
) -> Int {
  let key = Unmanaged<KeyBox>.fromOpaque(key).takeUnretainedValue().key
  let message = Array(UnsafeRawBufferPointer(start: message, count: length))
  return key.sign(message).count
}

private final class KeyBox {
  let key: Ed25519.SigningKey
  init(_ key: Ed25519.SigningKey) { self.key = key }
}
