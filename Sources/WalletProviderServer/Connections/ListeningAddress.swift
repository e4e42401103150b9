import HummingbirdCore
import NIOCore
import NIOPosix
import WalletSystem

/// An address on which a server listens.
public enum ListeningAddress: Sendable, Equatable {
  /// A name or address of this machine; port 0 selects a free port.
  case host(String, port: Int)
  case unixSocket(path: String)

  var bindAddress: BindAddress {
    switch self {
    case .host(let host, let port): .hostname(host, port: port)
    case .unixSocket(let path): .unixDomainSocket(path: path)
    }
  }

  /// The address in messages.
  var text: String {
    switch self {
    case .host(let host, let port): "\(host), port \(port)"
    case .unixSocket(let path): path
    }
  }
}

extension ListeningAddress {
  /// Listens on the address for a moment, to check that a server can. Unix sockets are not checked.
  ///
  /// - Throws: `ListeningError`.
  func checkIsFree() async throws {
    guard case .host(let host, let port) = self else { return }
    do {
      let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: host, port: port).get()
      try await channel.close()
    } catch { throw ListeningError(error, at: self) ?? error }
  }
}

/// An address that cannot be listened on.
struct ListeningError: Error, CustomStringConvertible {
  /// A one-line description of the address and the reason.
  let description: String

  /// - Parameter error: the error of listening; the result is nil for an unrelated error.
  init?(_ error: any Error, at address: ListeningAddress) {
    let reason: String
    switch error {
    case let error as IOError:
      let error = SystemError(code: error.errnoCode)
      reason = error.text + (error == .addressInUse ? "; is a server running already?" : "")
    case is SocketAddressError.UnknownHost:
      reason = "the name is not known here"
    default:
      return nil
    }
    description = "cannot listen on \(address.text): \(reason)"
  }
}
