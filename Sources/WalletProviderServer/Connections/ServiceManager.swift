#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The service manager that started this process, if one did (sd_notify(3)).
public enum ServiceManager {
  /// Tells it that connections are accepted. Does nothing if it did not ask to be notified.
  public static func notifyReady() {
    guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }) else { return }
    #if canImport(Glibc)
      let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_DGRAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // An abstract name begins with a zero byte, which is written as @.
    if name[0] == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
    let message = Array("READY=1".utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
        sendto(
          descriptor, message, message.count, 0, target, socklen_t(offset + name.count))
      }
    }
  }
}
