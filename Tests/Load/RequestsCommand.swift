import ArgumentParser
import Foundation
import TestSupport
import WalletPlatform
import WalletTransport

/// `requests`: so many connections that each send bytes, again and again, to a server that answers a
/// constant.
struct RequestsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "requests",
    abstract: "Send requests as long as those of a validation; measure the server's CPU.",
    discussion: "Prints the CPU in ms of two requests at the processes of the server.")

  @Option(help: "The server.") var url: String
  @Option var connections = 8
  @Option(help: "How long is measured.") var seconds = 5.0
  @Option(help: "The lengths of the two requests in bytes.") var bytes = [900, 2100]
  @Option(help: "Processes of the server.") var process: [Int32] = []

  func run() throws {
    let address = try ProviderAddress(url: url, allowLoopbackHTTP: true)
    let bodies = bytes.map { [UInt8](repeating: UInt8(ascii: "x"), count: $0) }
    let counts = Monitor((answered: 0, failures: 0))
    let before = ProcessFigures(of: process)
    let end = ContinuousClock.now + .seconds(seconds)
    onThreads(connections) { _ in
      let transport = ProviderTransport(address: address, certificateAuthority: nil)
      var (answered, failures) = (0, 0)
      while ContinuousClock.now < end, failures == 0 {
        for body in bodies {
          let request = HTTPRequest(
            .post, "/wallet", headers: ["content-type": "application/json"], body: body,
            timeout: 30_000)
          let response = try? transport.send(request, cancellation: Cancellation())
          if response?.status == 200 { answered += 1 } else { failures += 1 }
        }
      }
      counts.withLock {
        $0.answered += answered
        $0.failures += failures
      }
    }
    let after = ProcessFigures(of: process)
    let (answered, failures) = counts.withLock { $0 }
    guard failures == 0, answered > 0 else {
      throw Violation(description: "\(failures) requests were not answered")
    }
    let each = (after.cpu - before.cpu) * 1000 / Double(answered)
    print(String(format: "%.4f", each * 2))
  }
}
