// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// An error of the library.
public struct WalletCoreError: Error, CustomStringConvertible {
  /// One of `WALLET_CORE_ERROR_...`.
  public let status: wallet_core_status
  /// One of `WALLET_CORE_CATEGORY_...`, which is enough to choose a reaction by.
  public let category: wallet_core_category
  /// What happened and what a developer can do about it: English, without user data.
  public let message: String

  /// The name of the status, e.g. "STORAGE_FULL".
  public var name: String { String(cString: wallet_core_status_name(status)) }
  public var description: String { "\(name): \(message)" }
}

extension WalletCoreError {
  /// Reads an error object without freeing it.
  init(_ status: wallet_core_status, _ error: OpaquePointer?) {
    self.status = status
    category = wallet_core_error_category(error)
    message = String(cString: wallet_core_error_message(error, nil))
  }

  static let cancelled = WalletCoreError(
    status: WALLET_CORE_ERROR_CANCELLED, category: WALLET_CORE_CATEGORY_TRANSIENT,
    message: "The task that waited was cancelled.")

  static let detached = WalletCoreError(
    status: WALLET_CORE_ERROR_CLIENT_DETACHED, category: WALLET_CORE_CATEGORY_USAGE,
    message: "The client was detached or taken over before the request ended.")

  static let unreadable = WalletCoreError(
    status: WALLET_CORE_ERROR_UNSUPPORTED, category: WALLET_CORE_CATEGORY_USAGE,
    message: "The request succeeded, but this host cannot read the answer: is the library newer?")
}

/// Throws if a text has a NUL in it, because C would cut the text there.
func refuseNUL(in texts: String?...) throws(WalletCoreError) {
  for text in texts where text?.utf8.contains(0) == true {
    throw WalletCoreError(
      status: WALLET_CORE_ERROR_INVALID_ARGUMENT,
      category: WALLET_CORE_CATEGORY_USAGE,
      message: "A text has a NUL in it.")
  }
}

/// The pointer through which a function of the library returns its error.
public typealias ErrorPlace = UnsafeMutablePointer<OpaquePointer?>

/// Calls a function of the library and throws its error.
public func check(_ function: (ErrorPlace) -> wallet_core_status) throws(WalletCoreError) {
  var error: OpaquePointer?
  let status = function(&error)
  defer { wallet_core_error_free(error) }
  if status != WALLET_CORE_OK { throw WalletCoreError(status, error) }
}
