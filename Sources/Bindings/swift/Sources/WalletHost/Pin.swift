// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// A PIN that is passed from the user to the library. It cannot be copied, and is wiped when the
/// call that takes it returns.
public struct Pin: ~Copyable {
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  /// - Parameter digits: ASCII digits. They are copied: wipe the original.
  public init(_ digits: some Collection<UInt8>) {
    count = digits.count
    bytes = .allocate(capacity: count)
    for (index, digit) in digits.enumerated() { (bytes + index).initialize(to: digit) }
  }

  deinit {
    wallet_core_memzero(bytes, count)
    bytes.deallocate()
  }
}

// Safe because a PIN has one owner at a time, and its bytes change only in init and deinit.
extension Pin: @unchecked Sendable {}
