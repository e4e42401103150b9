internal import WalletCrypto
internal import WalletModel

/// Encrypts the values of the sealed tables and binds each to its table and name. A value that was
/// moved to another table or name does not open.
enum SealedValue {
  private static let tag = "wallet_core.storage.1"

  /// Each part is preceded by its length (4 bytes, big-endian), so that no two pairs of table and
  /// name have the same data.
  static func associatedData(table: String, name: String) -> [UInt8] {
    var data: [UInt8] = []
    for part in [tag, table, name] {
      let length = UInt32(clamping: part.utf8.count)
      for shift: UInt32 in [24, 16, 8, 0] {
        data.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      data.append(contentsOf: part.utf8)
    }
    return data
  }

  static func seal(
    _ value: Secret, key: Secret, table: String, name: String
  ) throws(WalletError) -> [UInt8] {
    do {
      return try AuthenticatedBox.seal(
        value, key: key, associatedData: associatedData(table: table, name: name))
    } catch {
      throw failure(error)
    }
  }

  static func open(
    _ box: [UInt8], key: Secret, table: String, name: String
  ) throws(WalletError) -> Secret {
    do {
      return try AuthenticatedBox.open(
        box, key: key, associatedData: associatedData(table: table, name: name))
    } catch let error as CryptoError {
      throw failure(error)
    } catch {
      throw WalletError(.internalDefect, "A sealed value could not be opened.")
    }
  }

  /// Opens a value into `batch`; one that does not open is missing there.
  ///
  /// - Returns: False if the batch is full; then nothing was done.
  static func open(
    _ box: UnsafeRawBufferPointer, key: Secret, table: String, name: String,
    into batch: SecretBatch
  ) throws(WalletError) -> Bool {
    do throws(CryptoError) {
      return try AuthenticatedBox.open(
        box, key: key, associatedData: associatedData(table: table, name: name), into: batch)
    } catch {
      throw failure(error)
    }
  }

  static func failure(_ error: CryptoError) -> WalletError {
    switch error {
    case .notAuthentic: StorageFailure.corrupt("a sealed value does not open with its key")
    case .outOfMemory:
      WalletError(.outOfResources, "Not enough guarded memory for a stored secret.")
    case .wrongLength: WalletError(.internalDefect, "A storage key has the wrong length.")
    }
  }
}
