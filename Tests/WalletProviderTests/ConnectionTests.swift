import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOExtras
import NIOHTTP1
import NIOHTTPTypes
import WalletProvider
import XCTest

@testable import WalletProviderServer

/// One connection on an event loop whose time the test controls.
final class ConnectionTests: XCTestCase {
  private let limits = RequestLimits()
  private var channel = EmbeddedChannel()
  private var socket = SimulatedSocket()
  private let log = RecordingLog()

  override func setUpWithError() throws {
    channel = EmbeddedChannel()
    socket = SimulatedSocket()
    let connection = ConnectionHandler(
      limits: limits, isTLS: false, logger: Logger(label: "test") { [log] _ in log })
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(socket)
    try pipeline.addHandler(ReceivedBytesHandler(connection))
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = 1024
    decoding.maxHeaderListSize = 1024
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false,
      withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoding)
    try pipeline.addHandler(connection)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  override func tearDown() {
    // Lingering connections end only by the loop's time.
    advance(100)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  private func receive(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  private func advance(_ seconds: Int64) {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
  }

  private func answer(_ body: String = "ok", close: Bool = false) throws {
    var head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(body.utf8.count)"])
    if close { head.headerFields[.connection] = "close" }
    try channel.writeOutbound(HTTPResponsePart.head(head))
    try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: body)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
  }

  private func sent() throws -> String {
    var text = ""
    while let part = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
    return text
  }

  private func requests() throws -> [String] {
    var paths: [String] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) {
      if case .head(let head) = part { paths.append(head.path ?? "") }
    }
    return paths
  }

  private let get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

  func testAnswersASlowHeadWith408AndClosesASilentConnection() throws {
    try receive("GET / HTTP/1.1\r\n")
    advance(5)
    try receive("Host: x\r\n")
    advance(4)
    XCTAssertEqual(try sent(), "")
    advance(2)
    let text = try sent()
    XCTAssertTrue(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"), text)
    XCTAssertTrue(text.lowercased().contains("connection: close\r\n"), text)
    XCTAssertTrue(text.contains("urn:wallet-provider:problem:request-timeout"), text)
    XCTAssertEqual(limits.metrics.limitsHit.value("header_time"), 1)
    advance(4)
    XCTAssertFalse(channel.isActive)

    try setUpWithError()
    advance(12)
    XCTAssertEqual(try sent(), "")
    XCTAssertFalse(channel.isActive)
  }

  func testReportsASlowBodyToItsReaderWhoseAnswerIsTheLast() throws {
    for header in ["", "Connection: close\r\n"] {
      try setUpWithError()
      try receive("POST /a HTTP/1.1\r\nHost: x\r\n\(header)Content-Length: 10\r\n\r\n123")
      advance(29)
      try receive("4")
      XCTAssertThrowsError(
        try {
          advance(2)
          try channel.throwIfErrorCaught()
        }()
      ) { XCTAssertTrue($0 is RequestTooSlow, "\($0)") }
      try answer()
      let text = try sent()
      XCTAssertTrue(text.lowercased().contains("connection: close\r\n"), text)
      XCTAssertTrue(text.hasSuffix("ok"), text)
      advance(4)
      XCTAssertFalse(channel.isActive)
    }
    XCTAssertEqual(limits.metrics.limitsHit.value("body_time"), 2)
  }

  func testClosesAnIdleConnectionButNotOneThatWaitsForAnAnswer() throws {
    try receive(get)
    advance(1000)
    XCTAssertTrue(channel.isActive)
    try answer()
    XCTAssertFalse(try sent().lowercased().contains("close"))
    advance(59)
    XCTAssertTrue(channel.isActive)
    try receive(get)
    try answer()
    advance(62)
    XCTAssertFalse(channel.isActive)
  }

  func testGivesTheHeadOfEachRequestItsOwnDeadline() throws {
    try receive(get)
    try answer()
    _ = try sent()
    advance(50)
    try receive("GET /b")
    advance(9)
    XCTAssertEqual(try sent(), "")
    advance(3)
    XCTAssertTrue(try sent().hasPrefix("HTTP/1.1 408 "))
  }

  func testPassesOnPipelinedRequestsAndClosesAfterTheLastAnswer() throws {
    try receive(get + get + "GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    XCTAssertEqual(try requests(), ["/a", "/a", "/b"])
    for isLast in [false, false, true] {
      XCTAssertTrue(channel.isActive)
      try answer()
      XCTAssertEqual(try sent().lowercased().contains("connection: close"), isLast)
    }
    XCTAssertFalse(channel.isActive)
  }

  func testBodyOfTheNextRequestDoesNotMakeAnAnswerTheLast() throws {
    try receive(get + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nabc")
    try answer()
    XCTAssertFalse(try sent().lowercased().contains("connection: close"))
    try receive("def")
    XCTAssertEqual(try parts(), ["head /a", "end", "head /b", "body", "body", "end"])
    try answer()
    XCTAssertTrue(try sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
    XCTAssertTrue(channel.isActive)
  }

  func testConnectionWithoutFurtherRequestsEndsWithTheCurrentAnswer() throws {
    for isHalfClosed in [true, false] {
      try setUpWithError()
      try receive(get)
      let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
      try channel.writeOutbound(HTTPResponsePart.head(head))
      if isHalfClosed {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      } else {
        try receive("GET /b HTTP/1.1\r\n\r\n")
      }
      try channel.writeOutbound(HTTPResponsePart.end(nil))
      advance(4)
      XCTAssertFalse(channel.isActive)
    }
  }

  func testAnswerBeforeTheEndOfItsRequestIsTheLastAndLingers() throws {
    try receive("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n123")
    try answer()
    XCTAssertTrue(try sent().lowercased().contains("connection: close\r\n"))
    XCTAssertTrue(channel.isActive, "the answer must not be discarded")
    XCTAssertEqual(try requests(), ["/a"])
    try receive("456")
    XCTAssertNil(try channel.readInbound(as: HTTPRequestPart.self).flatMap(isBody))
    try receive(String(repeating: "7", count: 994))
    XCTAssertFalse(channel.isActive, "everything has arrived")
  }

  private func isBody(_ part: HTTPRequestPart) -> Bool? {
    if case .body(let bytes) = part, String(buffer: bytes) != "123" { true } else { nil }
  }

  func testRefusesInvalidRequestsWithAProblem() throws {
    let long = String(repeating: "a", count: 1100)
    let cases = [
      ("GET /a HTTP/1.1\r\n\r\n", 400), (get.replacing("Host: x", with: "Host: x\r\nHost: y"), 400),
      ("\0\r\n\r\n", 400), ("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n", 431),
      (get.replacing("Host: x", with: "Host: x\r\nX: \(long)"), 431),
      (get.replacing("Host: x", with: "Host: x\r\nContent-Length: 1\r\nContent-Length: 2"), 400),
    ]
    for (bytes, status) in cases {
      try setUpWithError()
      try receive(bytes)
      let text = try sent()
      XCTAssertTrue(text.hasPrefix("HTTP/1.1 \(status) "), "\(bytes): \(text)")
      XCTAssertTrue(text.contains("application/problem+json"), text)
      XCTAssertEqual(try requests(), [])
      advance(4)
      XCTAssertFalse(channel.isActive)
    }
  }

  func testClosesAConnectionWhosePeerDoesNotRead() throws {
    socket.isBlocked = true
    try receive(get + get + get)
    for _ in 1...2 {
      for part in [HTTPResponsePart.head(HTTPResponse(status: .ok)), .end(nil)] {
        channel.writeAndFlush(part, promise: nil)
      }
    }
    for _ in 1...3 {
      advance(58)
      XCTAssertTrue(channel.isActive, "bytes were sent within the last minute")
      socket.completeOneWrite()
    }
    advance(58)
    XCTAssertTrue(channel.isActive)
    advance(4)
    XCTAssertFalse(channel.isActive)
    XCTAssertEqual(limits.metrics.limitsHit.value("sending_time"), 1)
  }

  func testPassesOnNothingOfARefusedPipelinedRequest() throws {
    try receive(get + "POST /b HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc")
    try receive("def" + get)
    XCTAssertEqual(try parts(), ["head /a", "end"])
    try answer()
    XCTAssertTrue(try sent().lowercased().contains("connection: close\r\n"))
    XCTAssertTrue(channel.isActive, "the answer must not be discarded")
    advance(4)
    XCTAssertFalse(channel.isActive)
  }

  private func parts() throws -> [String] {
    var names: [String] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) {
      switch part {
      case .head(let head): names.append("head \(head.path ?? "")")
      case .body: names.append("body")
      case .end: names.append("end")
      }
    }
    return names
  }

  func testInvalidRequestHasAnIdInItsAnswerAndTheLog() throws {
    try receive("GET /a HTTP/1.1\r\n\r\n")
    let text = try sent()
    let entry = try XCTUnwrap(log.entries.first)
    XCTAssertEqual(log.entries.count, 1)
    XCTAssertEqual(entry["message"], "answered")
    XCTAssertEqual(entry["status"], "400")
    XCTAssertEqual(entry["route"], "none")
    let id = try XCTUnwrap(entry["request"])
    XCTAssertTrue(text.contains("X-Request-Id: \(id)\r\n"), text)
  }

  func testOldClientsAndUpgradesGetOneAnswer() throws {
    for head in [
      "GET /a HTTP/1.0\r\n",
      "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n",
    ] {
      try setUpWithError()
      try receive(head + "\r\n")
      XCTAssertEqual(try requests(), ["/a"])
      try answer()
      XCTAssertTrue(try sent().lowercased().contains("connection: close"))
      XCTAssertFalse(channel.isActive)
    }
  }

  func testSends100ContinueUnlessTheBodyIsTooLong() throws {
    for (length, isWanted) in [(10, true), (10_000_000, false)] {
      try setUpWithError()
      try receive(
        "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n")
      XCTAssertEqual(try sent() == "HTTP/1.1 100 Continue\r\n\r\n", isWanted)
      try answer()
      XCTAssertTrue(try sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  func testSends100ContinueForAPipelinedBodyInTurn() throws {
    try receive(
      get + "POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    try answer()
    let text = try sent()
    XCTAssertTrue(text.hasPrefix("HTTP/1.1 200 OK\r\n"), text)
    XCTAssertTrue(text.hasSuffix("HTTP/1.1 100 Continue\r\n\r\n"), text)
    try receive("abc")
    try answer()
    XCTAssertTrue(try sent().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  func testShutdownDuringAnAnswerClosesTheConnectionAfterIt() throws {
    try receive(get)
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "0"])
    try channel.writeOutbound(HTTPResponsePart.head(head))
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    advance(5)
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    advance(4)
    XCTAssertFalse(channel.isActive)
  }

  func testShutdownAnswersRequestsInProgressAndClosesIdleConnections() throws {
    try receive(get)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    advance(5)
    XCTAssertTrue(channel.isActive)
    try answer()
    XCTAssertTrue(try sent().lowercased().contains("connection: close\r\n"))
    XCTAssertFalse(channel.isActive)

    try setUpWithError()
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    try receive(get)
    advance(2)
    XCTAssertTrue(channel.isActive, "its request was in transit")
    try answer()
    XCTAssertTrue(try sent().lowercased().contains("connection: close\r\n"))

    try setUpWithError()
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    XCTAssertTrue(channel.isActive)
    advance(2)
    XCTAssertFalse(channel.isActive)
  }
}

/// Simulates what sockets do and embedded channels do not: half-closing a connection and delaying
/// writes.
private final class SimulatedSocket: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  var isBlocked = false
  private var held: [EventLoopPromise<Void>?] = []

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isBlocked else { return context.write(data, promise: promise) }
    held.append(promise)
  }

  func completeOneWrite() {
    if !held.isEmpty { held.removeFirst()?.succeed() }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    for write in held { write?.fail(ChannelError.ioOnClosedChannel) }
    held = []
    if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
  }
}

/// Records log entries as metadata that includes the message.
private final class RecordingLog: LogHandler, @unchecked Sendable {
  // Sendable: used only by the test's thread.
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info
  private(set) var entries: [[String: String]] = []

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var entry = (event.metadata ?? [:]).mapValues(\.description)
    entry["message"] = "\(event.message)"
    entries.append(entry)
  }
}
