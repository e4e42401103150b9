import CWalletCore
import WalletHost

/// Checks that an error has all that the library says about a failure.
@MainActor
func checkErrors() async throws {
  let client = try Client(name: "errors")
  defer { client.detach() }
  var stale: WalletCoreError?
  do { try client.choose(1, "next") } catch { stale = error }
  holds("an error has the library's status", stale?.status == WALLET_CORE_ERROR_STALE_STEP)
  holds("its name", stale?.name == "STALE_STEP")
  holds("its category", stale?.category == WALLET_CORE_CATEGORY_WALLET_STATE)
  holds("and its message", stale?.message.isEmpty == false)
}

/// Checks that a detached client is refused, and that its requests and events end.
@MainActor
func checkDetaching() async throws {
  let client = try Client(name: "ended")
  var waiting = try client.begin { wallet_core_wipe(client.id, $0, $1) }
  client.detach()
  holds(
    "a request of a client that was detached ends",
    await errorName { _ = try await waiting.completion() } != "CANCELLED")
  for await _ in client.events {}
  holds("so do its events", true)
  holds(
    "its choices are refused",
    await errorName { try client.choose(1, "next") } == "CLIENT_DETACHED")
  holds(
    "so are its requests",
    await errorName {
      waiting = try client.begin { wallet_core_wipe(client.id, $0, $1) }
    } == "CLIENT_DETACHED")
  client.detach()
  holds("detaching it twice does no harm", true)
}

/// Checks that each bridge has the size that the header asserts.
@MainActor
func checkSizes(_ platform: some Platform) {
  let signing = wallet_core_signing_key_bridge(platform)
  let encryption = wallet_core_encryption_key_bridge(platform)
  let utilities = wallet_core_utilities_bridge(platform)
  defer {
    signing.destroy?(signing.context)
    encryption.destroy?(encryption.context)
    utilities.destroy?(utilities.context)
  }
  holds(
    "each bridge has its size",
    [signing.struct_size, encryption.struct_size, utilities.struct_size] == [64, 56, 80])
}

/// Checks that all events and errors that were read are freed once.
@MainActor
func checkFreeing() async {
  holds(
    "every event is freed once",
    await soon { interposer.withLock { $0.eventsRead > 20 && $0.eventsFreed == $0.eventsRead } })
  holds(
    "so is every error that its event does not free",
    interposer.withLock { $0.errorsRead > 5 && $0.errorsFreed == $0.errorsRead - $0.errorsOfEvents }
  )
}
