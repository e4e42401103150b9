import Synchronization

/// The port of a server, which is known once it listens: it may have been told to take a free one.
final class ListeningPort: Sendable {
  private let port = Mutex<Int?>(nil)

  var number: Int? {
    get { port.withLock { $0 } }
    set { port.withLock { $0 = newValue } }
  }
}
