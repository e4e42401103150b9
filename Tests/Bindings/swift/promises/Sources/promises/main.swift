// Tests what the comments of Sources/Bindings/swift promise, and the keys of Examples/swift. Prints a
// line per check; needs no provider.
//
//     promises CONFIGURATION_FILE STATE_DIRECTORY SECONDS
//
// SECONDS: how long something may take, see Tests/Support.

import CWalletCore
import Foundation
import SoftwareKeys
import WalletHost

var failures: Int32 = 0
let patience = CommandLine.arguments.count == 4 ? Int(CommandLine.arguments[3]) ?? 0 : 0

@MainActor
func holds(_ promise: String, _ isKept: Bool) {
  print(isKept ? "ok - \(promise)" : "not ok - \(promise)")
  fflush(nil)  // in case the next check hangs
  failures += isKept ? 0 : 1
}

/// The name of the error that `work` ends with, if any.
@MainActor
func errorName(_ work: @MainActor () async throws -> Void) async -> String? {
  do {
    try await work()
    return nil
  } catch {
    return (error as? WalletCoreError)?.name ?? "\(error)"
  }
}

/// Waits until a condition holds that another thread fulfils. Returns whether it does.
@MainActor
func soon(_ holds: @MainActor () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(patience)
  while !holds() {
    guard ContinuousClock.now < deadline else { return false }
    await Task.yield()
  }
  return true
}

func kind(_ event: Event) -> String {
  switch event.content {
  case .configuration: "configuration"
  case .lockState: "lock state"
  case .versionState: "version state"
  case .completion: "completion"
  case .step: "step"
  case .cardsChanged: "cards changed"
  case .unknown: "unknown"
  }
}

let directory = URL(filePath: CommandLine.arguments[2])
try WalletCore.start(
  configuration: [UInt8](Data(contentsOf: URL(filePath: CommandLine.arguments[1]))),
  appVersion: "1.0.0", appID: "org.example.promises")

// MARK: The end of events and requests. Requests wait, because no platform was handed over yet

let cancelled = try Client(name: "cancelled")
let reader = Task { for await _ in cancelled.events {} }
reader.cancel()
await reader.value
holds(
  "cancelling the reader of events detaches",
  await errorName { try cancelled.choose(1, "next") } == "CLIENT_DETACHED")

let dead = try Client(name: "app")
let request = try dead.begin(Pin("471108".utf8), wallet_core_register)
let successor = try Client(name: "app", takesOver: true)
for await _ in dead.events {}
holds("a take-over ends the events of the former engine", true)
holds(
  "a take-over ends its requests",
  await errorName { _ = try await request.completion() } == "CLIENT_DETACHED")

let registration = Task { try await successor.register(Pin("471108".utf8)) }
registration.cancel()
holds(
  "cancelling the task of a request cancels the request",
  await errorName { try await registration.value } == "CANCELLED")
holds(
  "its completion says so",
  await soon { interposer.withLock { $0.completions.last?.contains(#""CANCELLED""#) == true } })
successor.detach()

weak var ended: Client?
do {
  let client = try Client(name: "short")
  ended = client
}
holds("a client without references is released", ended == nil)
holds("its name is free", await errorName { _ = try Client(name: "short") } == nil)

// MARK: The platform

weak var released: SoftwareKeys?
do {
  let platform = try SoftwareKeys(in: directory)
  released = platform
  try WalletCore.use(platform)
}
holds("a platform lives as long as the library may call it", released != nil)
try WalletCore.use(SoftwareKeys(in: directory))
holds("a platform that was replaced is released", await soon { released == nil })

// MARK: Texts, keys and completions

try await checkErrors()
try await checkDetaching()
try checkSizes(SoftwareKeys(in: directory))
try await checkTexts()
try await checkKeyFiles(in: directory.appending(path: "keys"))
try await checkWiping(in: directory.appending(path: "keys"))
try await checkKeptEvents()
try await checkCompletions()
await checkFreeing()
exit(failures == 0 ? 0 : 1)
