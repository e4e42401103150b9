import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletHost

/// The app, operated by instructions.
@MainActor
final class Player {
  let configuration: [UInt8]
  let device: Device
  private var client: Client?
  private var taking: Task<Void, Never>?

  init(configuration: URL, directory: URL) throws {
    self.configuration = [UInt8](try Data(contentsOf: configuration))
    device = try Device(in: directory)
    wallet_core_testing_advance_clock(0)  // so that the wallet starts with the testing clock
  }

  func answer(_ line: String) async -> Answer {
    do {
      return try await perform(line.split(separator: " ").map(String.init)) ?? Answer()
    } catch let error as WalletCoreError {
      return Answer(status: error.name, message: error.message)
    } catch {
      return Answer(status: "FAILED", message: "\(error)")
    }
  }

  /// Carries out an instruction. Throws if it fails; nil stands for an answer that is only OK.
  private func perform(_ words: [String]) async throws -> Answer? {
    switch (words.first ?? "", words.count) {
    case ("start", 1): try await start()
    case ("rebind", 1): try await rebind()
    case ("open", 2...3):
      try app().open(isLaunch: words[1] == "launch", link: words.count > 2 ? words[2] : nil)
    case ("lifecycle", 2):
      let names: [String: WalletCore.Lifecycle] = [
        "foreground": .foreground, "background": .background, "activity": .userActivity,
      ]
      try WalletCore.notify(named(words[1], names))
    case ("lock", 1): try WalletCore.lock()
    case ("choose", 3): try app().choose(number(words[1]), words[2])
    case ("enter", 3): try app().choose(number(words[1]), "enter", pin: Pin(words[2].utf8))
    case ("scan", 4):
      guard let bytes = Data(base64Encoded: words[3]) else {
        throw Failed(description: "the code is not in base 64")
      }
      try app().chooseScanned(
        number(words[1]), symbology: wallet_core_symbology(number(words[2])), [UInt8](bytes))
    case ("choose-option", 3): try app().chooseOption(number(words[1]), number(words[2]))
    case ("finger", 2...3):
      try device.sensor.finger(words[1], times: words.count > 2 ? number(words[2]) : 1)
    case ("cards", 1): return begun(try app().begin { wallet_core_cards(id, $0, $1) })
    case ("activities", 1): return begun(try app().begin { wallet_core_activities(id, $0, $1) })
    case ("wipe", 1): return begun(try app().begin { wallet_core_wipe(id, $0, $1) })
    case ("register", 2): return begun(try app().begin(Pin(words[1].utf8), wallet_core_register))
    case ("unlock", 2): return begun(try app().begin(Pin(words[1].utf8), wallet_core_unlock))
    case ("present", 6):
      let paths = words[2] == "none" ? [] : words[2].split(separator: ",").map { "[\"\($0)\"]" }
      return begun(
        try app().beginPresenting(
          [CardSelection(card: words[1], paths: paths)], nonce: words[3], audience: words[4],
          pin: Pin(words[5].utf8)))
    case ("passes", 2):
      return Answer(passes: wallet_core_testing_crash_point_count(words[1]))
    case ("locked", 1): return Answer(value: try WalletCore.isLocked())
    case ("registered", 1): return Answer(value: try WalletCore.hasRegistration())
    case ("biometric-unlock", 1):
      return Answer(value: try WalletCore.isBiometricUnlockEnabled())
    case ("stress", 3): return try await stress(rounds: number(words[1]), digits: words[2])
    case ("misuse", 2): return try await misuse(words[1])
    default: try change(words)
    }
    return nil
  }

  var id: wallet_core_client { client?.id ?? 0 }

  func app() throws -> Client {
    guard let client else { throw Failed(description: "the app was not started") }
    return client
  }

  /// Answers at once; the completion is written when it comes.
  private func begun(_ request: Request) -> Answer {
    Task.detached {
      if let completion = try? await request.event() { say(completion) }
    }
    return Answer(request: request.number)
  }

  // MARK: The app's life cycle

  private func start() async throws {
    try WalletCore.use(device)
    try WalletCore.start(
      configuration: configuration, appVersion: "1.0.0", appID: "org.example.phone")
    try await rebind()
  }

  /// Takes over from the former engine, which is dead and was not detached.
  private func rebind() async throws {
    let client = try Client(name: "app", takesOver: true)
    await taking?.value
    self.client = client
    taking = Task.detached {
      for await event in client.events { say(event) }
    }
  }

  private func stress(rounds: Int, digits: String) async throws -> Answer {
    var requests: [Request] = []
    for _ in 0..<rounds {
      let client = try Client(name: "app", takesOver: true)
      for await _ in client.events { break }
      requests.append(try client.begin(Pin(digits.utf8), wallet_core_unlock))
      self.client = client
    }
    try await rebind()
    // Every request must end, whatever its result.
    for request in requests { _ = try? await request.completion() }
    return Answer(rounds: rounds)
  }

  func end() async {
    client?.detach()
    await taking?.value
  }
}
