import Foundation
import Synchronization
import TestSupport
import WalletEvaluatorClient
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// Tests of a provider whose evaluator is another process, `wallet-provider evaluate`. It runs on the
/// evaluator's directory of the harness.
class RemoteEvaluatorTestCase: StoreTestCase {
  /// The certificates: both sides have theirs from `authority`.
  struct Files {
    let certificates: TestCertificates
    let client: TLSFiles

    init() throws {
      certificates = try TestCertificates()
      client = try certificates.issue("client", by: "authority", names: "DNS:provider")
    }

    var server: TLSFiles {
      TLSFiles(certificate: certificates.certificate, key: certificates.key)
    }
  }

  func makeHarness() throws -> ProviderHarness {
    var settings = ProviderSettings()
    settings.challengeLife = 3_600_000
    return try ProviderHarness(settings: settings, clock: TestClock(SystemWallClock().now))
  }

  /// Runs the evaluator of the harness.
  func evaluate(
    _ harness: ProviderHarness, _ files: Files, server: TLSFiles? = nil, port: UInt16 = 0
  ) throws -> ServerProcess {
    let server = server ?? files.server
    return try ServerProcess(
      [
        "--data", harness.path + "/evaluator", "--port", "\(port)", "--tls-certificate",
        server.certificate, "--tls-key", server.key, "--client-authority",
        files.certificates.authority,
      ], command: "evaluate")
  }

  /// A connection to it.
  func connection(
    _ url: String, _ files: Files, client: TLSFiles? = nil, authority: String? = nil,
    deadline: Duration = .seconds(10), mostWaiting: Int = 128
  ) throws -> EvaluatorConnection {
    try EvaluatorConnection(
      RemoteEvaluatorSettings(
        url: url, identity: client ?? files.client,
        authority: authority ?? files.certificates.authority), deadline: deadline,
      mostWaiting: mostWaiting)
  }

  /// The options of commands that reach it.
  func options(_ url: String, _ files: Files) -> [String] {
    [
      "--evaluator-url", url, "--evaluator-certificate", files.client.certificate,
      "--evaluator-key", files.client.key, "--evaluator-authority",
      files.certificates.authority,
    ]
  }

  /// What a failure says; nil if there is none.
  func failure(_ work: () async throws -> some Any) async -> String? {
    do {
      _ = try await work()
      return nil
    } catch { return "\(error)" }
  }
}

/// Passes requests on, and keeps the newest answer.
final class ObservedEvaluator: PinEvaluator {
  private let inner: any PinEvaluator
  private let latest = Mutex<EvaluatorAnswer?>(nil)

  init(_ inner: any PinEvaluator) { self.inner = inner }

  var id: String { inner.id }
  var grantKeys: [PublishedKey] { inner.grantKeys }
  var newest: EvaluatorAnswer? { latest.withLock { $0 } }

  /// How the count stands by the newest answer.
  var standing: AttemptStanding? {
    switch newest {
    case .evaluated(_, let standing), .blocked(let standing), .proven(let standing, _): standing
    default: nil
    }
  }

  func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    let answer = try await inner.answer(request)
    latest.withLock { $0 = answer }
    return answer
  }
}

/// Passes bytes between its clients and a server on this machine, until it is told to lose an answer.
final class CuttingProxy: Sendable {
  let port: UInt16
  private let listener: Int32
  private let server: UInt16
  private let onAnswer = Mutex<(@Sendable () -> Void)?>(nil)

  init(to server: UInt16) throws {
    self.server = server
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let bound = HeldAddress.bind(listener)
    guard listener >= 0, let bound, listen(listener, 16) == 0 else {
      throw FileProblem("no proxy")
    }
    port = bound
    let accepting = listener
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(accepting, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread { [weak self] in self?.carry(client) }
      }
    }
  }

  func end() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Calls `act` when the next bytes come from the server, and closes that connection instead of
  /// passing them on.
  func loseNextAnswer(_ act: @escaping @Sendable () -> Void) { onAnswer.withLock { $0 = act } }

  private func carry(_ client: Int32) {
    let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(client)
      close(upstream)
    }
    guard HeldAddress.connect(upstream, server) else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var descriptors = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, 2, -1) > 0 else { return }
      let isFromServer = descriptors[1].revents != 0
      let (from, to) = isFromServer ? (upstream, client) : (client, upstream)
      let count = recv(from, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if isFromServer,
        let act = onAnswer.withLock({ act in
          defer { act = nil }
          return act
        })
      {
        return act()
      }
      guard send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
    }
  }
}

/// Addresses on 127.0.0.1.
private enum HeldAddress {
  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  /// Binds to a free port and returns it.
  static func bind(_ descriptor: Int32) -> UInt16? {
    var (address, length) = (address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.bind(descriptor, address, length) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    } ? UInt16(bigEndian: address.sin_port) : nil
  }

  static func connect(_ descriptor: Int32, _ port: UInt16) -> Bool {
    var address = address(port)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
