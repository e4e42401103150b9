import WalletSystem

/// The service manager that started this process, such as systemd; see sd_notify(3).
public enum ServiceManager {
  /// Tells the service manager that connections are accepted. Does nothing if it did not ask for
  /// this.
  public static func notifyReady() {
    guard let path = ProcessEnvironment.value("NOTIFY_SOCKET") else { return }
    var name = Array(path.utf8)
    // An abstract socket name begins with a zero byte, which the variable shows as @.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    try? Sockets.send(Array("READY=1".utf8), to: name)
  }
}
