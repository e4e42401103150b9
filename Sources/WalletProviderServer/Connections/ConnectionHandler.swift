import WalletSignatures
import HTTPTypes
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import WalletProtocol
import WalletProvider

/// Handles one HTTP/1 connection: converts its parts to and from swift-http-types, enforces
/// deadlines, answers invalid requests, and closes in such a way that no answer is lost.
///
/// Runs on the event loop of its channel.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The part of a request that is being received; `nothing` between requests.
  private enum Reading {
    case nothing, head, body
  }

  private let limits: RequestLimits
  private let isTLS: Bool
  private let logger: Logger
  private var reading = Reading.nothing
  /// Whether no head has been read yet.
  private var isFirst = true
  /// The number of requests that were passed on and whose answers are not complete.
  private var unanswered = 0
  /// Whether no further request will follow on this connection.
  private var isLastRequest = false
  /// Whether the client waits for "100 Continue" before it sends the body.
  private var isContinueAwaited = false
  /// Whether the reader of the body was told that the rest of the body will not arrive.
  private var isBodyLost = false
  /// Whether the answer that is being written is the last one.
  private var isLastAnswer = false
  /// Whether the last answer is complete. Further input is discarded.
  private var isDone = false
  private var isShuttingDown: Bool
  /// Whether an invalid request came while earlier ones were being answered. All further input is
  /// discarded, and the connection ends with the earlier answers.
  private var isIgnoringInput = false
  private var deadline: NIODeadline?
  /// The number of writes whose bytes are not completely sent.
  private var unsent = 0
  /// The time by which the peer must have received some of the unsent bytes; nil if there are none.
  private var sendingDeadline: NIODeadline?
  private var deadlineTimer: RepeatedTask?

  /// How long the peer may continue to send after the last answer. If the server closed the
  /// connection at once, the peer's system could discard the answer before the peer reads it (RFC
  /// 9112 section 9.6).
  static let lingering = TimeAmount.seconds(2)
  /// How long an idle connection stays open during a shutdown, in case a request is already on its
  /// way.
  static let idleGracePeriod = TimeAmount.seconds(1)
  /// How often deadlines are checked.
  static let deadlineInterval = TimeAmount.seconds(1)

  init(limits: RequestLimits, isTLS: Bool, isShuttingDown: Bool = false, logger: Logger) {
    self.limits = limits
    self.isTLS = isTLS
    self.isShuttingDown = isShuttingDown
    self.logger = logger
  }

  // MARK: Time

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard deadlineTimer == nil else { return }
    if isShuttingDown { closeWhenIdle(context) }
    setDeadline(context, .seconds(Int64(limits.settings.headerSeconds)))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    deadlineTimer = context.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.deadlineInterval, delay: Self.deadlineInterval
    ) {
      _ in
      let (handler, context) = bound.value
      if let deadline = handler.sendingDeadline, context.eventLoop.now >= deadline {
        handler.giveUpSending(context)
      } else if let deadline = handler.deadline, context.eventLoop.now >= deadline {
        handler.expire(context)
      }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    deadlineTimer?.cancel()
    deadlineTimer = nil
  }

  private func setDeadline(_ context: ChannelHandlerContext, _ amount: TimeAmount) {
    deadline = context.eventLoop.now + amount
  }

  private func expire(_ context: ChannelHandlerContext) {
    deadline = nil
    switch reading {
    case _ where isDone:
      context.close(promise: nil)
    case .head:
      limits.metrics.limitsHit.add(Limit.headerTime.rawValue)
      refuse(context, ProblemError(.requestTimeout))
    case .body where !isBodyLost:
      limits.metrics.limitsHit.add(Limit.bodyTime.rawValue)
      loseBody(context, RequestTooSlow())
    default:
      context.close(promise: nil)
    }
  }

  /// Tells the reader of the body that the rest will not arrive. The reader then answers the
  /// request; without a reader there is no answer.
  private func loseBody(_ context: ChannelHandlerContext, _ error: any Error) {
    isLastRequest = true
    isBodyLost = true
    // While earlier requests are unanswered, this one cannot be answered yet and gets no deadline.
    if unanswered == 1 { setDeadline(context, Self.lingering) }
    context.fireErrorCaught(error)
  }

  /// Restarts the sending deadline after bytes were sent.
  private func renewSendingDeadline(_ context: ChannelHandlerContext) {
    sendingDeadline =
      unsent > 0 ? context.eventLoop.now + .seconds(Int64(limits.settings.idleSeconds)) : nil
  }

  /// Closes the connection because the peer does not read; the rest of the answers is discarded.
  private func giveUpSending(_ context: ChannelHandlerContext) {
    sendingDeadline = nil
    limits.metrics.limitsHit.add(Limit.sendingTime.rawValue)
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { renewSendingDeadline(context) }
    context.fireChannelWritabilityChanged()
  }

  /// Called when bytes arrive, before they are parsed. Sets the deadline for the head that begins
  /// with them. The first head needs none, because its deadline started with the connection.
  func receivedBytes(at now: NIODeadline) {
    guard reading == .nothing, !isDone, !isIgnoringInput else { return }
    reading = .head
    if unanswered == 0, !isFirst {
      deadline = now + .seconds(Int64(limits.settings.headerSeconds))
    }
  }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .end where isDone:
      context.close(promise: nil)
    case _ where isDone || isIgnoringInput:
      break
    case .head(let head):
      read(head, context)
    case .body(let bytes):
      context.fireChannelRead(wrapInboundOut(.body(bytes)))
    case .end(let trailers):
      reading = .nothing
      deadline = nil
      let trailers = trailers.map { HTTPFields($0, splitCookie: false) }
      context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }
  }

  private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    isFirst = false
    // RFC 9112 section 3.2: HTTP/1.1 requires exactly one Host header; older versions may omit it.
    let hosts = head.headers["host"].count
    guard hosts == 1 || (hosts == 0 && head.version != .http1_1),
      let request = try? HTTPRequest(head, secure: isTLS, splitCookie: false)
    else { return refuse(context, ProblemError(.malformedRequest)) }
    // The server refuses CONNECT and upgrades, and the parser could read no further request after
    // one.
    if !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "upgrade") {
      isLastRequest = true
    }
    unanswered += 1
    reading = .body
    deadline = nil
    isContinueAwaited =
      head.headers[canonicalForm: "expect"].contains("100-continue")
      && head.headers["content-length"].compactMap(Int.init)
        .allSatisfy { $0 <= limits.settings.bodyBytes }
    if unanswered == 1 { beginBody(context) }
    context.fireChannelRead(wrapInboundOut(.head(request)))
  }

  private func beginBody(_ context: ChannelHandlerContext) {
    setDeadline(context, .seconds(Int64(limits.settings.bodySeconds)))
    guard isContinueAwaited else { return }
    isContinueAwaited = false
    let interim = HTTPResponseHead(version: .http1_1, status: .continue)
    send(wrapOutboundOut(.head(interim)), context)
    context.flush()
  }

  // MARK: Answers

  /// Writes `data`, and starts the deadline by which the peer must have received some of the bytes.
  private func send(
    _ data: NIOAny, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
  ) {
    unsent += 1
    if sendingDeadline == nil { renewSendingDeadline(context) }
    let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenComplete { _ in
      let (handler, context) = bound.value
      handler.unsent -= 1
      handler.renewSendingDeadline(context)
    }
    context.write(data, promise: sent)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isDone else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    switch unwrapOutboundIn(data) {
    case .head(var response):
      isLastAnswer =
        response.headerFields[.connection] == "close"
        || (unanswered == 1 && (reading == .body || isLastRequest || isShuttingDown))
      if isLastAnswer { response.headerFields[.connection] = "close" }
      send(wrapOutboundOut(.head(HTTPResponseHead(response))), context, promise)
    case .body(let bytes):
      send(wrapOutboundOut(.body(.byteBuffer(bytes))), context, promise)
    case .end(let trailers):
      let end = wrapOutboundOut(.end(trailers.map { HTTPHeaders($0) }))
      unanswered -= 1
      // After the head of this answer was written, the last request may have arrived.
      if isLastAnswer || (unanswered == 0 && (isLastRequest || isShuttingDown)) {
        finish(context, end, promise)
      } else {
        send(end, context, promise)
        awaitNext(context)
      }
    }
  }

  private func awaitNext(_ context: ChannelHandlerContext) {
    switch reading {
    case .nothing where unanswered == 0:
      setDeadline(context, .seconds(Int64(limits.settings.idleSeconds)))
    case .head where unanswered == 0:
      setDeadline(context, .seconds(Int64(limits.settings.headerSeconds)))
    case .body where unanswered == 1:
      beginBody(context)
    default: break
    }
  }

  /// Answers an invalid request and ends the connection.
  private func refuse(_ context: ChannelHandlerContext, _ error: ProblemError) {
    guard unanswered == 0 else {
      // The earlier requests are still answered; this invalid one is not.
      isLastRequest = true
      isIgnoringInput = true
      reading = .nothing
      return
    }
    let response = ProblemBody(error)
    let id = SecureRandom.identifier()
    note(error, id)
    var head = HTTPResponse(
      status: .init(code: error.problem.status), headerFields: response.headers)
    head.headerFields[.connection] = "close"
    head.headerFields[.contentLength] = String(response.bytes.count)
    if let header = RequestID.header { head.headerFields[header] = id }
    send(wrapOutboundOut(.head(HTTPResponseHead(head))), context)
    let body = context.channel.allocator.buffer(bytes: response.bytes)
    send(wrapOutboundOut(.body(.byteBuffer(body))), context)
    reading = .body
    finish(context, wrapOutboundOut(.end(nil)), nil)
  }

  private func note(_ error: ProblemError, _ id: String) {
    limits.metrics.requests.add("none", String(error.problem.status))
    logger.info(
      "answered",
      metadata: [
        "route": "none", "status": .stringConvertible(error.problem.status),
        "request": .string(id),
      ])
  }

  /// Writes the end of the last answer. Closes the connection once it is sent and the peer has
  /// stopped sending.
  private func finish(
    _ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    isDone = true
    let isRequestWhole = reading == .nothing && !isIgnoringInput
    deadline = nil
    let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenComplete { _ in
      let (handler, context) = bound.value
      if isRequestWhole { return context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
      handler.setDeadline(context, Self.lingering)
      context.read()
    }
    send(end, context, sent)
    context.flush()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard isDone, context.channel.isActive else {
      return context.close(mode: mode, promise: promise)
    }
    // The connection closes by itself once the answer is sent.
    context.channel.closeFuture.cascade(to: mode == .output ? nil : promise)
    if mode == .output { promise?.succeed() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // After the last answer, nothing else asks the channel to read.
    if isDone { context.read() }
  }

  // MARK: Ends

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let parsing = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    switch reading {
    case _ where isDone:
      break
    case .body where unanswered > 0:
      loseBody(context, error)
    default:
      let isHeadTooLarge = parsing == .headerOverflow
      if isHeadTooLarge { limits.metrics.limitsHit.add(Limit.headerBytes.rawValue) }
      refuse(context, ProblemError(isHeadTooLarge ? .headersTooLarge : .malformedRequest))
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      isShuttingDown = true
      closeWhenIdle(context)
    case ChannelEvent.inputClosed where isDone || unanswered == 0:
      context.close(promise: nil)
    case ChannelEvent.inputClosed:
      isLastRequest = true
      context.fireUserInboundEventTriggered(event)
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// Closes the connection if it is idle after a grace period, in which a request that is already
  /// on its way can arrive.
  private func closeWhenIdle(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: Self.idleGracePeriod) {
      let (handler, context) = bound.value
      if handler.unanswered == 0, handler.reading == .nothing { context.close(promise: nil) }
    }
  }
}

/// The rest of a request did not arrive in time.
struct RequestTooSlow: Error {}
