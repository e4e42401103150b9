internal import CWalletCore
internal import WalletModel

/// A `wallet_core_error`: everything about a failure, in a form that C can read at any time.
final class ErrorObject: Sendable {
  let code: wallet_core_status
  let category: wallet_core_category
  let message: StableText
  let data: StableText
  /// Whether the object is freed with its event. If so, a host that frees the object too does no
  /// harm.
  private let belongsToEvent: Bool

  init(_ error: WalletError, belongsToEvent: Bool = false) {
    code = error.kind.status
    category = error.kind.category
    message = StableText(error.messageForHost)
    data = StableText(error.data.isEmpty ? "{}" : JSONText.encode(ErrorData(error.data)))
    self.belongsToEvent = belongsToEvent
  }

  /// Returns a pointer that owns the object until `free`.
  static func handOut(_ error: WalletError) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(ErrorObject(error)).toOpaque())
  }

  /// A pointer that is valid only as long as another owner keeps the object.
  var borrowedPointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  static func borrow(_ pointer: OpaquePointer?) -> ErrorObject? {
    guard let pointer else { return nil }
    return Unmanaged<ErrorObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  static func free(_ pointer: OpaquePointer?) {
    guard let pointer, let object = borrow(pointer), !object.belongsToEvent else { return }
    Unmanaged<ErrorObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

/// Runs the body of an export and turns its error into a status and, if wanted, an error object.
func answer(
  _ error: UnsafeMutablePointer<OpaquePointer?>?,
  _ body: () throws(WalletError) -> Void
) -> wallet_core_status {
  error?.pointee = nil
  do throws(WalletError) {
    try body()
    return WALLET_CORE_OK
  } catch let failure {
    // A time-out and an interruption are normal ends of a wait. A host that polls should not have
    // to free an error for them.
    let isOrdinary = failure.kind == .timeout || failure.kind == .interrupted
    if !isOrdinary { error?.pointee = ErrorObject.handOut(failure) }
    return failure.kind.status
  }
}

extension WalletError {
  /// An error for an argument that violates the header.
  static func argument(_ message: String) -> WalletError { WalletError(.invalidArgument, message) }

  static let clientIsGone = WalletError(
    .clientDetached,
    "The client is detached, abandoned, taken over or never existed. Attach a new one.")

  static let lockedMeanwhile = WalletError(
    .locked,
    "The wallet was locked before the answer was taken; unlock it, then repeat the request.")

  static let reentrant = WalletError(
    .reentrant,
    "This function waits, so it must not be called inside a callback or bridge function.")
}
