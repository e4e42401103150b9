internal import CCurl
internal import WalletModel
internal import WalletPlatform

/// Collects one answer. Refuses the rest of an answer that exceeds the limits of its call, and
/// addresses that the call must not reach.
final class CurlExchange {
  private let call: HTTPCall
  private let peer: HTTPPeer
  /// Headers and body; the status is the transfer's.
  private(set) var answer = HTTPResponse(status: 0)
  /// Whether a byte of the request may have left the device; set when the transfer has ended.
  var wasSent = false
  /// Why the rest of the answer was refused; nil if it was not.
  private(set) var refusal: WalletError?
  /// Whether the name has an address that must not be reached.
  private(set) var hasRefusedAddress = false
  /// Whether the empty line after the headers has arrived. libcurl does not check this: it treats
  /// truncated headers as complete.
  private(set) var hasWholeHead = false
  private var headerBytes = 0

  init(_ call: HTTPCall, of peer: HTTPPeer) {
    self.call = call
    self.peer = peer
  }

  /// Receives a part of the body. Returning false ends the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= call.largestBody - answer.body.count else {
      return refuse("body is larger than \(call.largestBody) bytes")
    }
    answer.body.append(contentsOf: bytes)
    return true
  }

  /// Receives a line of the headers. Returning false ends the transfer.
  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= call.largestHeaders - headerBytes else {
      return refuse("headers are larger than \(call.largestHeaders) bytes")
    }
    headerBytes += bytes.count
    let line = String(decoding: bytes, as: UTF8.self)
    guard !line.hasPrefix("HTTP/") else {
      // A status line starts new headers. Those of an interim answer (1xx) that came before do not
      // belong to the answer.
      answer.headers = [:]
      hasWholeHead = false
      return true
    }
    if line == "\r\n" || line == "\n" { hasWholeHead = true }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
    answer.addHeader(
      String(line[..<colon]), Self.trimmed(line[line.utf8.index(after: colon)...]))
    return true
  }

  private func refuse(_ reason: String) -> Bool {
    refusal = .answerRefused(peer, "its \(reason)")
    return false
  }

  /// Whether a connection to an address may be opened; one that may not is passed over, and the name
  /// may have others. It is asked for every connection, so a name that resolves to something else
  /// the second time reaches nothing else.
  func mayConnect(to address: NetworkAddress?) -> Bool {
    guard case .publicAddresses(let orLoopback) = call.reach else { return true }
    if let address, address.isPublic || orLoopback && address.isLoopback { return true }
    hasRefusedAddress = true
    return false
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
    let bytes = text.utf8.drop(while: isSpace)
    let end = bytes.lastIndex { !isSpace($0) }.map { bytes.index(after: $0) }
    return String(decoding: bytes[..<(end ?? bytes.startIndex)], as: UTF8.self)
  }

  /// For CURLOPT_WRITEFUNCTION; the context is an unretained exchange.
  static let bodyReceiver: wallet_curl_receiver = { bytes, size, count, context in
    receive(bytes, size, count, context) { $0.receiveBody($1) }
  }

  /// For CURLOPT_HEADERFUNCTION; the context is an unretained exchange.
  static let headerReceiver: wallet_curl_receiver = { bytes, size, count, context in
    receive(bytes, size, count, context) { $0.receiveHeader($1) }
  }

  /// For CURLOPT_OPENSOCKETFUNCTION; the context is an unretained exchange.
  static let socketOpener: wallet_curl_socket_opener = { context, _, address in
    guard let context, let address else { return wallet_curl_no_socket }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    var bytes = [UInt8](repeating: 0, count: 16)
    let length = wallet_curl_address_bytes(address, &bytes)
    guard exchange.mayConnect(to: NetworkAddress(Array(bytes.prefix(length)))) else {
      return wallet_curl_no_socket
    }
    return wallet_curl_open_socket(address)
  }

  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?,
    _ take: (CurlExchange, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    let (length, overflow) = size.multipliedReportingOverflow(by: count)
    guard !overflow, length > 0, let bytes, let context else { return 0 }
    let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    // Any other number than `length` makes libcurl end the transfer.
    return take(exchange, UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }
}
