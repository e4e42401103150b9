import Foundation

extension Array where Element == UInt8 {
  /// Whether `other`, which is not empty, is a part of these bytes.
  ///
  /// The C library's search is many times as fast as that of `Data` in a build for debugging.
  public func holds(_ other: some ContiguousBytes) -> Bool {
    withUnsafeBytes { all in
      other.withUnsafeBytes { part in
        guard let start = all.baseAddress, let first = part.baseAddress, part.count > 0 else {
          return false
        }
        return memmem(start, all.count, first, part.count) != nil
      }
    }
  }
}
