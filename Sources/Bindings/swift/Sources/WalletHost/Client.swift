// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Synchronization

/// A user-interface engine attached to the library.
public final class Client: Sendable {
  /// The mailboxes of attached clients by name, so that a take-over ends the events of the former
  /// engine.
  private static let attached = Mutex<[String: Mailbox]>([:])

  public let id: wallet_core_client
  let mailbox: Mailbox

  /// - Parameter takesOver: whether this client replaces a dead engine of the same name: its events
  ///   end, its requests fail with CLIENT_DETACHED, and the wallet is locked.
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
    // The library does not release the context of a client that is taken over, because a thread may
    // still be inside its callback. An empty mailbox is leaked then.
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

  /// The current value of every stream, every change, and the completions of requests that were
  /// made by C functions and so have no `Request`. Until they are taken, only the newest value of
  /// each stream is kept; completions are never dropped. Cancelling the task that takes the events
  /// detaches the client; a take-over ends them. Each event goes to one reader.
  public var events: AsyncStream<Event> {
    AsyncStream { [mailbox] in
      await mailbox.take()
    } onCancel: { [id, mailbox] in
      Self.detach(id, mailbox)
    }
  }

  /// Ends the client and waits until the library has released it.
  public func detach() {
    Self.detach(id, mailbox)
  }

  private static func detach(_ id: wallet_core_client, _ mailbox: Mailbox) {
    _ = wallet_core_client_detach(id, nil)  // CLIENT_DETACHED means that it has ended already
    mailbox.end(dropping: false)
    attached.withLock { attached in attached = attached.filter { $0.value !== mailbox } }
  }
}
