import ArgumentParser
import Glibc
import Hummingbird
import NIOCore

/// `serve`: a route of Hummingbird that reads a request and answers a constant.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer every POST with a constant, until SIGTERM.",
    discussion: "Prints the port that it listens on.")

  @Option(help: "The length of an answer in bytes.") var answerBytes = 1200

  func run() async throws {
    let answer = ByteBuffer(repeating: UInt8(ascii: "x"), count: answerBytes)
    let router = Router()
    router.post("/**") { request, _ in
      for try await _ in request.body {}
      return Response(
        status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: answer))
    }
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print("bare \(channel.localAddress?.port ?? 0)")
        fflush(nil)
      })
    try await application.runService()
  }
}
