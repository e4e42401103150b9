// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// A PIN on its way from the user to the library: it cannot be copied, and is wiped when the call that
/// takes it returns.
public struct Pin: ~Copyable {
  let bytes: UnsafeMutablePointer<UInt8>
  let count: Int

  /// - Parameter digits: in ASCII. Wipe them where you kept them.
  public init(_ digits: some Collection<UInt8>) {
    count = digits.count
    bytes = .allocate(capacity: count)
    for (place, digit) in digits.enumerated() { (bytes + place).initialize(to: digit) }
  }

  deinit {
    wallet_core_memzero(bytes, count)
    bytes.deallocate()
  }
}

// The proof: a PIN has one owner at a time, and its bytes change only in init and deinit.
extension Pin: @unchecked Sendable {}
