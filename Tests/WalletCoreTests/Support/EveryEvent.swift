import WalletModel
import WalletRuntime

@testable import wallet_core

/// The JSON of events of every kind and shape.
func textsOfEveryEvent() -> [String] {
  contents().map { content in
    let event = EventObject(content)
    return withExtendedLifetime(event) { String(cString: event.json.start) }
  }
}

private func contents() -> [EventObject.Content] {
  let configuration = HostConfiguration(
    version: 3, inactiveTimeoutMilliseconds: 300_000, inactiveWarningMilliseconds: 240_000,
    backgroundTimeoutMilliseconds: 0, proofingHosts: ["proofing.example"])
  let locks: [LockState] = [.locked, .unlocked(), .unlocked(locksIn: 60_000)]
  let versions: [VersionState] = [
    .ok, .recommend, .warn(milliseconds: 1), .block(updateAvailable: true),
    .block(updateAvailable: false),
  ]
  let replacement = OwnerNotices.Replacement(session: "s-1", takesEffectIn: 0)
  let checks: [PinCheck] = [
    .valid, .wrong(attemptsLeft: 2, finalRound: true), .blocked(milliseconds: 60_000),
    .blockedPermanently,
  ]
  let states: [PinState] = [
    .notBlocked(attemptsLeft: 4, finalRound: false), .blocked(milliseconds: 60_000),
    .blockedPermanently,
  ]
  let outcomes: [WalletAnswer] =
    checks.map { .pin($0) } + states.map { .pinState($0) } + [
      .pin(
        .valid,
        OwnerNotices(
          failures: PinFailures(count: 3, lastAt: 1_700_000_000, total: 5, wallet: "w"),
          replacement: replacement)),
      .pin(.wrong(attemptsLeft: 1, finalRound: false), OwnerNotices(replacement: replacement)),
      .pinState(.blockedPermanently, OwnerNotices(replacement: replacement)),
      .pinState(
        .notBlocked(attemptsLeft: 1, finalRound: false),
        OwnerNotices(failures: PinFailures(count: 1, lastAt: 0, total: 1, wallet: "w"))),
      .unlocked(OwnerNotices(replacement: .init(session: "s\0", takesEffectIn: .max))),
      .unlocked(OwnerNotices()),
      .nothing, .cards([]), .cards([card(), unreadable]), .presentations(["a.b.c~d"]),
      .presentations(
        ["a.b.c~d", "e"],
        OwnerNotices(
          failures: PinFailures(count: 1, lastAt: 0, total: 1, wallet: "w"),
          replacement: replacement)),
    ]
  let failures = WalletError.Kind.allCases.map {
    WalletError($0, "Why.", data: ["reason": .text("x"), "count": .number(-1), "is": .truth(true)])
  }
  return [.configuration(configuration)]
    + locks.map { .lockState($0) } + versions.map { .versionState($0) }
    + outcomes.map { .completion(request: 1, .success($0)) }
    + failures.map { .completion(request: .max, .failure($0)) }
    + [.completion(request: 1, .failure(WalletError(.cancelled, "")))]
    + steps().map { .step($0) } + [.cardsChanged]
}

private func card() -> Card {
  Card(
    id: "pid", type: "urn:example", issuer: "Example", state: .valid, issuedAt: 0,
    expiresAt: 253_402_300_799,
    claims: [
      "text": .text("x"), "number": .number(-1), "nothing": .nothing,
      "members": .members(["18": .truth(true), "list": .list([.number(1)])]),
    ], disclosable: [[.name("text")]])
}

private let unreadable = Card(
  id: "x", type: "", issuer: "", state: .unreadable, issuedAt: nil, expiresAt: nil, claims: [:],
  disclosable: [])

private func steps() -> [Step] {
  let full = makeStep(.max) {
    $0.arguments = [
      .reason: .text("x\0"), .attemptsLeft: .number(.min), .hasPID: .truth(false),
    ]
    $0.notices = ["link-invalid"]
    $0.choices = [.init(action: "next", label: "Next")]
    $0.beneath = "dashboard"
    $0.trail = ["UC2.3 1.1b"]
  }
  return [makeStep(), full]
    + Step.Kind.allCases.map { kind in makeStep { $0.kind = kind } }
    + Step.Input.allCases.map { input in makeStep { $0.input = input } }
}
