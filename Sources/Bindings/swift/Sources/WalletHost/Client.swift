// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Synchronization

/// A user-interface engine, as the library sees it.
public final class Client: Sendable {
  /// Who is attached by which name, so that a take-over ends the events of the engine before.
  private static let attached = Mutex<[String: Mailbox]>([:])

  public let id: wallet_core_client
  let mailbox: Mailbox

  /// - Parameter takesOver: if there is an engine of that name it is dead: its events end, its requests
  ///   fail with CLIENT_DETACHED, the wallet is locked
  public init(name: String, takesOver: Bool = false) throws(WalletCoreError) {
    try refuseNUL(in: name)
    let flags = takesOver ? UInt32(WALLET_CORE_ATTACH_TAKE_OVER) : 0
    let mailbox = Mailbox()
    self.mailbox = mailbox
    id = try Self.attached.withLock { attached throws(WalletCoreError) in
      var id: wallet_core_client = 0
      try check { wallet_core_client_attach(name, flags, &id, $0) }
      attached.updateValue(mailbox, forKey: name)?.end(dropping: true)
      return id
    }
    // Of a client that is taken over the library releases nothing, for a thread may still be inside
    // of its callback: then an empty mailbox is left behind.
    let context = Unmanaged.passRetained(mailbox)
    do {
      try check { error in
        wallet_core_set_event_callback(
          id,
          { context, event in
            Unmanaged<Mailbox>.fromOpaque(context!).takeUnretainedValue().put(Event(taking: event))
          }, context.toOpaque(), { Unmanaged<Mailbox>.fromOpaque($0!).release() }, nil, error)
      }
    } catch {
      context.release()
      throw error
    }
  }

  deinit { detach() }

  /// The current value of every stream, every change of them, and the completions of requests that were
  /// made by functions of C, with no `Request` to take them. Of what waits to be taken the streams keep
  /// only their newest value; completions are never dropped. Cancelling the task that takes them
  /// detaches the client; a take-over ends them. Each event has one taker.
  public var events: AsyncStream<Event> {
    AsyncStream { [mailbox] in
      await mailbox.take()
    } onCancel: { [id, mailbox] in
      Self.detach(id, mailbox)
    }
  }

  /// Ends the client in good order; waits until the library has let go of it.
  public func detach() {
    Self.detach(id, mailbox)
  }

  private static func detach(_ id: wallet_core_client, _ mailbox: Mailbox) {
    _ = wallet_core_client_detach(id, nil)  // CLIENT_DETACHED: it has ended already
    mailbox.end(dropping: false)
    attached.withLock { attached in attached = attached.filter { $0.value !== mailbox } }
  }
}
