public import WalletCrypto
public import WalletModel
internal import WalletProtocol

extension Secret {
  /// Creates the JSON of `value`. The encoder's own copies are not wiped, so `value` must not
  /// contain bytes that must never be in ordinary memory.
  public convenience init(encoding value: some Encodable) throws {
    var bytes = try WireJSON.encode(value)
    defer { bytes.withUnsafeMutableBytes { Memory.wipe($0) } }
    try self.init(copying: bytes)
  }

  /// Decodes a record from the store. This wallet itself has sealed the record, so if it is
  /// unreadable, another version wrote it.
  ///
  /// - Throws: `storageCorrupt`.
  public func record<Record: Decodable>(_: Record.Type) throws(WalletError) -> Record {
    try withBytes { bytes throws(WalletError) in try bytes.record(Record.self) }
  }
}

extension UnsafeRawBufferPointer {
  /// Decodes a record from the store, as `Secret.record` does.
  public func record<Record: Decodable>(_: Record.Type) throws(WalletError) -> Record {
    do {
      return try WireJSON.decode(Record.self, from: Array(self))
    } catch {
      throw WalletError(.storageCorrupt, "A stored record is not readable; wipe to start over.")
    }
  }
}
