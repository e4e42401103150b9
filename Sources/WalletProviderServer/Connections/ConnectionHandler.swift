import HTTPTypes
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
  private var reading = Reading.nothing
  /// No head has been read yet.
  private var isFirst = true
  /// Requests that were handed on and whose answers have not ended.
  private var unanswered = 0
  /// No request will follow the one that was read.
  private var isLastRequest = false
  /// The answer that is being written is the last one.
  private var isLastAnswer = false
  /// All is said. What still comes is thrown away.
  private var isDone = false
  private var isShuttingDown = false
  private var deadline: NIODeadline?
  private var clockwork: RepeatedTask?

  /// How long the other side may go on sending after the last answer; closing at once would make its
  /// system throw the answer away (RFC 9112 section 9.6).
  static let lingering = TimeAmount.seconds(2)
  /// How long an idle connection stays at a shutdown for a request that is on its way.
  static let farewell = TimeAmount.seconds(1)
  /// How often deadlines are looked at.
  static let tick = TimeAmount.seconds(1)

  init(limits: RequestLimits, isTLS: Bool) {
    self.limits = limits
    self.isTLS = isTLS
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
    guard clockwork == nil else { return }
    setDeadline(context, .seconds(Int64(limits.settings.headerSeconds)))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    clockwork = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.tick, delay: Self.tick) {
      _ in
      let (handler, context) = bound.value
      if let deadline = handler.deadline, context.eventLoop.now >= deadline {
        handler.expire(context)
      }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    clockwork?.cancel()
    clockwork = nil
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
    case .body where !isLastRequest:
      limits.metrics.limitsHit.add(Limit.bodyTime.rawValue)
      isLastRequest = true
      // The answer is that of whoever reads the body; if that is nobody, there is none.
      setDeadline(context, Self.lingering)
      context.fireErrorCaught(RequestTooSlow())
    default:
      context.close(promise: nil)
    }
  }

  /// Bytes came, before they are looked at. The first head has its time since the connection began.
  func receivedBytes(at now: NIODeadline) {
    guard reading == .nothing, !isDone else { return }
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
    case _ where isDone:
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
    if unanswered == 1 { beginBody(context, head) }
    context.fireChannelRead(wrapInboundOut(.head(request)))
  }

  private func beginBody(_ context: ChannelHandlerContext, _ head: HTTPRequestHead? = nil) {
    setDeadline(context, .seconds(Int64(limits.settings.bodySeconds)))
    guard let head, head.headers[canonicalForm: "expect"].contains("100-continue"),
      head.headers["content-length"].compactMap(Int.init)
        .allSatisfy({ $0 <= limits.settings.bodyBytes })
    else { return }
    let interim = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
  }

  // MARK: Answers

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isDone else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    switch unwrapOutboundIn(data) {
    case .head(var response):
      isLastAnswer =
        reading == .body || response.headerFields[.connection] == "close"
        || (unanswered == 1 && (isLastRequest || isShuttingDown))
      if isLastAnswer { response.headerFields[.connection] = "close" }
      context.write(wrapOutboundOut(.head(HTTPResponseHead(response))), promise: promise)
    case .body(let bytes):
      context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
    case .end(let trailers):
      let end = wrapOutboundOut(.end(trailers.map { HTTPHeaders($0) }))
      unanswered -= 1
      if isLastAnswer {
        finish(context, end, promise)
      } else {
        context.write(end, promise: promise)
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
      reading = .nothing
      return
    }
    let response = ProblemBody(error)
    limits.metrics.requests.add("none", String(error.problem.status))
    var head = HTTPResponse(
      status: .init(code: error.problem.status), headerFields: response.headers)
    head.headerFields[.connection] = "close"
    head.headerFields[.contentLength] = String(response.bytes.count)
    context.write(wrapOutboundOut(.head(HTTPResponseHead(head))), promise: nil)
    let body = context.channel.allocator.buffer(bytes: response.bytes)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    reading = .body
    finish(context, wrapOutboundOut(.end(nil)), nil)
  }

  /// Writes the end of the last answer, and closes when it is sent and the other side is silent.
  private func finish(
    _ context: ChannelHandlerContext, _ end: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    isDone = true
    let isRequestWhole = reading == .nothing
    // Also the end of one that takes no answer off the wire.
    setDeadline(context, .seconds(Int64(limits.settings.idleSeconds)))
    let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenComplete { _ in
      let (handler, context) = bound.value
      if isRequestWhole { return context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
      handler.setDeadline(context, Self.lingering)
      context.read()
    }
    context.writeAndFlush(end, promise: sent)
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
      // Whoever reads the body answers.
      isLastRequest = true
      setDeadline(context, Self.lingering)
      context.fireErrorCaught(error)
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
      sayFarewell(context)
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
  private func sayFarewell(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: Self.farewell) {
      let (handler, context) = bound.value
      if handler.unanswered == 0, handler.reading == .nothing { context.close(promise: nil) }
    }
  }
}

/// The rest of a request did not come in its time.
struct RequestTooSlow: Error {}
