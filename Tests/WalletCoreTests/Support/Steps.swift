import WalletModel

@testable import wallet_core

// Steps that are made without a flow.

/// Returns a step that no flow has shown.
func makeStep(_ serial: UInt64 = 1, change: (inout Step) -> Void = { _ in }) -> Step {
  var step = Step(
    serial: serial, useCase: "UC2.3", row: "1.3", kind: .screen, name: "open-with-pin",
    title: "Enter your PIN", message: "Three attempts left.")
  change(&step)
  return step
}

/// Returns a `wallet_core_event` of the step, which the caller frees.
func makeEvent(_ step: Step) -> OpaquePointer { EventObject(.step(step)).handOut() }

func makeEvent(_ state: LockState) -> OpaquePointer { EventObject(.lockState(state)).handOut() }

/// Shows the step to a client as the wallet would.
func show(_ step: Step, to client: UInt64, version: UInt64? = nil) throws {
  try wallet_core.CoreInstance.core().client(client).offer(
    .step, EventObject(.step(step)), version: version ?? step.serial)
}

/// Tells a client that cards have changed.
func tellOfCards(_ client: UInt64) throws {
  try wallet_core.CoreInstance.core().client(client).offer(
    .cards, EventObject(.cardsChanged), version: UniqueID.next())
}
