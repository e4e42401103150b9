import WalletSystem

/// The service manager that started this process, if one did (sd_notify(3)).
public enum ServiceManager {
  /// Tells it that connections are accepted. Does nothing if it did not ask to be notified.
  public static func notifyReady() {
    guard let path = ProcessEnvironment.value("NOTIFY_SOCKET") else { return }
    var name = Array(path.utf8)
    // An abstract name begins with a zero byte, which is written as @.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    try? Sockets.send(Array("READY=1".utf8), to: name)
  }
}
