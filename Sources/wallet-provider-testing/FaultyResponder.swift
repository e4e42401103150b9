import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import WalletProtocol
import WalletProvider
import WalletProviderServer

/// A request context with its channel, so that the connection can be closed.
struct FaultContext: RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  var remoteAddress: SocketAddress? { channel.remoteAddress }
}

/// Applies the faults that a test has set, then calls the real responder where the fault lets it.
struct FaultyResponder: HTTPResponder {
  let inner: ProviderResponder<FaultContext>
  let state: ControlledState

  /// The paths of instructions that are signed with a PIN key.
  private static let pinPaths: Set = [
    Route.registrations, Route.instruction(.checkPin), Route.instruction(.preparePinChange),
    Route.instruction(.decideReplacement), Route.instruction(.authorizeUse),
  ]

  func respond(to request: Request, context: FaultContext) async throws -> Response {
    state.requestBegan()
    defer { state.requestEnded() }
    var request = request
    if state.isRecording, Self.pinPaths.contains(request.uri.path) {
      let body = try await request.collectBody(upTo: 256 * 1024)
      if let envelope = try? WireJSON.decode(
        InstructionEnvelope.self, from: Array(body.readableBytesView))
      {
        state.record(envelope.payload)
      }
    }
    guard let fault = state.takeFault(path: request.uri.path) else {
      return try await inner.respond(to: request, context: context)
    }
    switch fault.kind {
    case .unavailable:
      return .problem(ProblemError(.unavailable))
    case .drop:
      return await cut(context)
    case .delay:
      // A shutdown does not wait for the delay.
      try? await cancelWhenGracefulShutdown {
        try await Task.sleep(for: .milliseconds(fault.delayMilliseconds))
      }
      return try await inner.respond(to: request, context: context)
    case .hold:
      await cancelWhenGracefulShutdown { await state.hold(fault) }
      return try await inner.respond(to: request, context: context)
    case .crashBeforeCommit:
      return try await CrashingStore.$isArmed.withValue(true) {
        try await inner.respond(to: request, context: context)
      }
    case .crashAfterCommit:
      _ = try await inner.respond(to: request, context: context)
      Crash.now()
    case .crashWhileVetting:
      return try await ControlledVerdict.$isArmed.withValue(true) {
        try await inner.respond(to: request, context: context)
      }
    case .dropAnswer:
      _ = try await inner.respond(to: request, context: context)
      return await cut(context)
    }
  }

  /// Closes the connection. The returned response is never sent.
  private func cut(_ context: FaultContext) async -> Response {
    try? await context.channel.close(mode: .all).get()
    return Response(status: .noContent)
  }
}
