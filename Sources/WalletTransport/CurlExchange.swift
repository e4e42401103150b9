internal import CCurl
internal import WalletModel

/// Collects one answer. Refuses the rest of an answer that exceeds the limits of `HTTPResponse`.
final class CurlExchange {
  private(set) var headers: [String: String] = [:]
  private(set) var body: [UInt8] = []
  /// Why the rest of the answer was refused; nil if it was not.
  private(set) var refusal: WalletError?
  /// Whether the empty line after the headers has arrived. libcurl does not check this: it treats
  /// truncated headers as complete.
  private(set) var hasWholeHead = false
  private var headerBytes = 0

  /// Receives a part of the body. Returning false ends the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= HTTPResponse.largestBody - body.count else {
      return refuse("body is larger than \(HTTPResponse.largestBody) bytes")
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Receives a line of the headers. Returning false ends the transfer.
  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= HTTPResponse.largestHeaders - headerBytes else {
      return refuse("headers are larger than \(HTTPResponse.largestHeaders) bytes")
    }
    headerBytes += bytes.count
    let line = String(decoding: bytes, as: UTF8.self)
    guard !line.hasPrefix("HTTP/") else {
      // A status line starts new headers. Those of an interim answer (1xx) that came before do not
      // belong to the answer.
      headers = [:]
      hasWholeHead = false
      return true
    }
    if line == "\r\n" || line == "\n" { hasWholeHead = true }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
    let name = line[..<colon].lowercased()
    let value = Self.trimmed(line[line.utf8.index(after: colon)...])
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    return true
  }

  private func refuse(_ reason: String) -> Bool {
    refusal = WalletError(
      .serverRefused, "The provider's answer was refused: its \(reason). Check the URL.")
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
