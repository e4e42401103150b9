internal import Foundation

/// A port on loopback that no other process is given while this object exists.
///
/// For a server that is restarted on its port or told it beforehand: a port that was merely free a
/// moment ago may be given to another process. A server can listen on this port if it sets
/// SO_REUSEADDR, as servers do, because this socket never listens. Tests/Support/hold_port.py does
/// the same for scripts.
public final class HeldPort: Sendable {
  public let number: UInt16
  private let descriptor: Int32

  public init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Self.problem(errno) }
    var (isReused, address) = (Int32(1), sockaddr_in())
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        setsockopt(
          descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
          | bind(descriptor, address, length) | getsockname(descriptor, address, &length)
      }
    }
    guard status == 0 else {
      let problem = Self.problem(errno)
      close(descriptor)
      throw problem
    }
    self.descriptor = descriptor
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }

  private static func problem(_ number: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }
}
