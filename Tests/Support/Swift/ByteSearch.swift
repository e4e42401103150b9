import Foundation

extension Array where Element == UInt8 {
  /// Whether `other`, which is not empty, is a part of these bytes.
  ///
  /// The C library's functions are many times as fast as `Data` in a build for debugging.
  public func holds(_ other: [UInt8]) -> Bool {
    guard let first = other.first else { return false }
    return withUnsafeBytes { all in
      other.withUnsafeBytes { part in
        guard var place = all.baseAddress, let wanted = part.baseAddress else { return false }
        var left = all.count - part.count + 1
        while left > 0, let found = memchr(place, Int32(first), left) {
          if memcmp(found, wanted, part.count) == 0 { return true }
          left -= UnsafeRawPointer(found) + 1 - place
          place = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
