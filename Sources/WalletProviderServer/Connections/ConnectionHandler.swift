import HTTPTypes
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import WalletProtocol
import WalletProvider

/// One HTTP/1 connection: turns its parts into those of swift-http-types and back, gives each of them its
/// time, answers what is no request, and closes so that no answer is lost.
///
/// Lives on the event loop of its channel.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// What of a request has come.
  private enum Reading {
    case nothing, head, body
  }

  private let limits: RequestLimits
  private let isTLS: Bool
  private let logger: Logger
  private var reading = Reading.nothing
  /// No head has been read yet.
  private var isFirst = true
  /// Requests that were handed on and whose answers have not ended.
  private var unanswered = 0
  /// No request will follow the one that was read.
  private var isLastRequest = false
  /// The body of the request that was read comes when it is asked for.
  private var isContinueAwaited = false
  /// Whoever reads the body was told that the rest of it does not come.
  private var isBodyLost = false
  /// The answer that is being written is the last one.
  private var isLastAnswer = false
  /// All is said. What still comes is thrown away.
  private var isDone = false
  private var isShuttingDown: Bool
  /// A request was refused before the answers to those ahead of it were given: what comes is thrown away
  /// until they are.
  private var isIgnoringInput = false
  private var deadline: NIODeadline?
  /// Writes whose bytes have not all left.
  private var unsent = 0
  /// When the other side must have taken some of them.
  private var sendingDeadline: NIODeadline?
  private var deadlineTimer: RepeatedTask?

  /// How long the other side may go on sending after the last answer; closing at once would make its
  /// system throw the answer away (RFC 9112 section 9.6).
  static let lingering = TimeAmount.seconds(2)
  /// How long an idle connection stays at a shutdown for a request that is on its way.
  static let idleGracePeriod = TimeAmount.seconds(1)
  /// How often deadlines are looked at.
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

  /// The answer is that of whoever reads the body; if that is nobody, there is none.
  private func loseBody(_ context: ChannelHandlerContext, _ error: any Error) {
    isLastRequest = true
    isBodyLost = true
    // Not before the answers to the requests ahead of it.
    if unanswered == 1 { setDeadline(context, Self.lingering) }
    context.fireErrorCaught(error)
  }

  /// Bytes leave, so whoever takes them has its time anew.
  private func renewSendingDeadline(_ context: ChannelHandlerContext) {
    sendingDeadline =
      unsent > 0 ? context.eventLoop.now + .seconds(Int64(limits.settings.idleSeconds)) : nil
  }

  /// Nobody takes the answers off the wire; what is left of them is thrown away.
  private func giveUpSending(_ context: ChannelHandlerContext) {
    sendingDeadline = nil
    limits.metrics.limitsHit.add(Limit.sendingTime.rawValue)
    context.close(promise: nil)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { renewSendingDeadline(context) }
    context.fireChannelWritabilityChanged()
  }

  /// Bytes came, before they are looked at. The first head has its time since the connection began.
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
    // RFC 9112 section 3.2: one Host, and in HTTP/1.1 no request without.
    let hosts = head.headers["host"].count
    guard hosts == 1 || (hosts == 0 && head.version != .http1_1),
      let request = try? HTTPRequest(head, secure: isTLS, splitCookie: false)
    else { return refuse(context, ProblemError(.malformedRequest)) }
    // After an upgrade that nobody agreed to, no further request could be read.
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

  /// Writes, with a time in which it must begin to leave.
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
      // Since its head was written the connection may have come to an end of its requests.
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

  /// Answers what never became a request, and ends the connection.
  private func refuse(_ context: ChannelHandlerContext, _ error: ProblemError) {
    guard unanswered == 0 else {
      // The requests before it are answered; it is not.
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

  /// Writes the end of the last answer, and closes when it is sent and the other side is silent.
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
    // It closes by itself, when the answer is sent.
    context.channel.closeFuture.cascade(to: mode == .output ? nil : promise)
    if mode == .output { promise?.succeed() }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // Nobody else asks any more.
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

  /// An idle connection ends, but not while a request could be on its way.
  private func closeWhenIdle(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: Self.idleGracePeriod) {
      let (handler, context) = bound.value
      if handler.unanswered == 0, handler.reading == .nothing { context.close(promise: nil) }
    }
  }
}

/// The rest of a request did not come in its time.
struct RequestTooSlow: Error {}
