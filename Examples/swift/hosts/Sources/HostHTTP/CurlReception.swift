// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
  import CLibcurl
  import CWalletCore
  import WalletHost

  /// Takes what arrives, as much as the limits allow, and decides which addresses are connected to.
  /// libcurl calls it on the thread of the request.
  final class CurlReception {
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    /// Whether the empty line after the headers has come. libcurl takes headers that are cut off for
    /// complete ones.
    private(set) var hasWholeHead = false
    private(set) var isTooLarge = false
    private(set) var hasRefusedAddress = false
    private let request: HTTPRequest
    private var headerBytes = 0
    private var isInterim = false

    init(_ request: HTTPRequest) { self.request = request }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
      headerBytes += bytes.count
      isTooLarge = headerBytes > request.largestHeaders
      // Lines after the head are trailers, which may not count as headers.
      guard !isTooLarge, !hasWholeHead else { return !isTooLarge }
      let line = String(decoding: bytes, as: UTF8.self).trimmingSpace
      if line.isEmpty {
        hasWholeHead = !isInterim
      } else if line.hasPrefix("HTTP/") {
        // The headers of an interim answer (1xx) are not those of the answer.
        isInterim = line.split(separator: " ").dropFirst().first?.utf8.first == UInt8(ascii: "1")
        headers = []
      } else if bytes.first == 0x20 || bytes.first == 0x09 {
        // The value before goes on.
        if let last = headers.popLast() {
          headers.append(HTTPHeader(last.name, "\(last.value) \(line)"))
        }
      } else if let colon = line.firstIndex(of: ":") {
        let value = String(line[line.index(after: colon)...])
        headers.append(HTTPHeader(String(line[..<colon]), value.trimmingSpace))
      }
      return true
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
      isTooLarge = bytes.count > request.largestBody - body.count
      if !isTooLarge { body += bytes }
      return !isTooLarge
    }

    /// Asked before each connection, with the address that libcurl is about to use.
    private func mayConnect(to address: InternetAddress?) -> Bool {
      let isAllowed =
        switch request.reach {
        case WALLET_CORE_HTTP_REACH_ANY: true
        case WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK:
          address.map { $0.isPublic || $0.isLoopback } ?? false
        default: address?.isPublic ?? false
        }
      if !isAllowed { hasRefusedAddress = true }
      return isAllowed
    }

    // The functions for libcurl. Their context is an unretained object of this class.

    static let header: host_curl_receiver = { bytes, _, count, context in
      // libcurl ends the transfer if less is taken than it has. The size of an item is always 1.
      take(context) { $0.takeHeader(.init(start: bytes, count: count)) } ? count : 0
    }

    static let content: host_curl_receiver = { bytes, _, count, context in
      take(context) { $0.takeBody(.init(start: bytes, count: count)) } ? count : 0
    }

    static let opener: host_curl_opener = { context, _, address in
      guard let address else { return host_curl_no_socket }
      var bytes = [UInt8](repeating: 0, count: 16)
      let isKnown = host_curl_address(address, &bytes) == 1
      let place = isKnown ? InternetAddress(bytes) : nil
      guard take(context, { $0.mayConnect(to: place) }) else { return host_curl_no_socket }
      return host_curl_open_socket(address)
    }

    private static func take(
      _ context: UnsafeMutableRawPointer?, _ body: (CurlReception) -> Bool
    ) -> Bool {
      guard let context else { return false }
      return body(Unmanaged<CurlReception>.fromOpaque(context).takeUnretainedValue())
    }
  }

  extension String {
    /// Without spaces, tabs and line ends at both ends. By bytes, because CR and LF together are one
    /// character.
    fileprivate var trimmingSpace: String {
      let isSpace = { (byte: UInt8) in [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
      let rest = utf8.drop(while: isSpace)
      return String(
        decoding: rest.prefix(rest.count - rest.reversed().prefix(while: isSpace).count),
        as: UTF8.self)
    }
  }
#endif
