import Hummingbird

/// Checks that a request names a host that this server is known by. Without this check, an attacker
/// could let the name of his own page lead to this server's address (DNS rebinding), and a browser
/// would treat his page as one of this server.
struct HostCheck: Sendable {
  private let hosts: Set<String>

  /// - Parameter hosts: names and addresses, without ports; IPv6 addresses with or without
  ///   brackets.
  init(_ hosts: some Sequence<String>) {
    self.hosts = Set(hosts.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 })
  }

  /// Whether the request names one of the hosts. The port in it is ignored, because every port of a
  /// host is reached by the host's name.
  func accepts(_ request: Request) -> Bool {
    guard let authority = request.head.authority else { return false }
    let isBracketed = authority.hasPrefix("[")
    let end = authority.firstIndex(of: isBracketed ? "]" : ":")
    guard end != nil || !isBracketed else { return false }
    let host = end.map { isBracketed ? authority[...$0] : authority[..<$0] } ?? authority[...]
    let rest = authority[host.endIndex...]
    guard rest.isEmpty || rest.first == ":", rest.dropFirst().utf8.allSatisfy(Self.isDigit) else {
      return false
    }
    return hosts.contains(host.lowercased())
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
