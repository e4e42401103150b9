// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import CWalletCore
  import Foundation
  import WalletHost

  /// Looks at all addresses of a name before a stack connects that resolves the name itself.
  enum AddressLookup {
    /// Throws if one of them must not be reached, or there is none.
    static func check(_ host: String, reach: wallet_core_http_reach) async throws {
      let found: [InternetAddress] = await withCheckedContinuation { continuation in
        // Not on Swift's own threads, which must not wait.
        Thread.detachNewThread { continuation.resume(returning: addresses(of: host)) }
      }
      guard !found.isEmpty else {
        throw HTTPFailure(WALLET_CORE_HTTP_NO_NETWORK, wasSent: false)
      }
      let orLoopback = reach == WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK
      guard found.allSatisfy({ $0.isPublic || orLoopback && $0.isLoopback }) else {
        throw HTTPFailure(WALLET_CORE_HTTP_ADDRESS_REFUSED, wasSent: false)
      }
    }

    private static func addresses(of host: String) -> [InternetAddress] {
      var hints = addrinfo()
      hints.ai_socktype = SOCK_STREAM
      var first: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
      defer { freeaddrinfo(first) }
      return sequence(first: first, next: { $0?.pointee.ai_next }).compactMap { entry in
        guard let entry, let address = entry.pointee.ai_addr else { return nil }
        let start = UnsafeRawPointer(address)
        return switch entry.pointee.ai_family {
        case AF_INET:
          InternetAddress(
            [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
              + withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in.self).sin_addr) {
                [UInt8]($0)
              })
        case AF_INET6:
          InternetAddress(
            withUnsafeBytes(of: start.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
              [UInt8]($0)
            })
        // Of an unknown kind, so not a public one.
        default: InternetAddress([UInt8](repeating: 0, count: 16))
        }
      }
    }
  }
#endif
