/// Loopback addresses.
public enum LoopbackAddress {
  /// Whether `host` is an address in 127.0.0.0/8 or ::1, with or without brackets. Names never are.
  public static func isLiteral(_ host: some StringProtocol) -> Bool {
    if host == "[::1]" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127"
      && parts.allSatisfy { part in
        part.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(part) != nil
      }
  }
}
