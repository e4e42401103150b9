internal import CPosix

/// Internet addresses in their text form.
public enum InternetAddress {
  /// The 4 bytes of an IPv4 address in dotted decimals; nil for any other text. A zero byte ends
  /// the text.
  public static func ipv4(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4)
    return wallet_address_read_ipv4(text, &bytes) ? bytes : nil
  }

  /// The 16 bytes of an IPv6 address; nil for any other text. A zero byte ends the text.
  public static func ipv6(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    return wallet_address_read_ipv6(text, &bytes) ? bytes : nil
  }
}

/// Operations on the sockets of C libraries.
public enum Sockets {
  /// Waits until `socket` can be read.
  ///
  /// - Parameters:
  ///   - writing: Whether to return also when it can be written.
  ///   - milliseconds: The longest wait.
  /// - Returns: False if the time is up or a signal was delivered.
  public static func wait(
    for socket: Int32, writing: Bool, milliseconds: Int32
  ) throws(SystemError) -> Bool {
    let ready = wallet_socket_wait(socket, writing, milliseconds)
    guard ready >= 0 else { throw SystemError(code: -ready) }
    return ready > 0
  }

  /// Sends a datagram to the Unix socket `name`. An abstract name begins with a zero byte.
  public static func send(_ message: [UInt8], to name: [UInt8]) throws(SystemError) {
    try SystemError.check(wallet_socket_send(name, name.count, message, message.count))
  }
}
