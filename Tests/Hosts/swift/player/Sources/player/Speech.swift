import Foundation
import Synchronization
import WalletHost

// Writes messages to standard output, one JSON object on a line.

private let output = Mutex(())

struct Answer: Encodable {
  var status = "OK"
  var message: String?
  var request: UInt64?
  var value: Bool?
  var rounds: Int?
  var passes: Int64?
}

func say(_ answer: Answer) {
  let json = (try? JSONEncoder().encode(answer)).map { String(decoding: $0, as: UTF8.self) }
  say("answer", json ?? "{}")
}

func say(_ event: Event) {
  say("event", event.json)
}

func say(promptIsOpen: Bool) {
  say("prompt", promptIsOpen ? #""open""# : #""closed""#)
}

func say(unanswered function: String) {
  say("unanswered", "\"\(function)\"")
}

private func say(_ name: String, _ json: String) {
  output.withLock { _ in
    FileHandle.standardOutput.write(Data("{\"\(name)\":\(json)}\n".utf8))
  }
}

/// A failure other than an error of the library.
struct Failed: Error, CustomStringConvertible {
  let description: String
}
