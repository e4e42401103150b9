import CWalletCore
import WalletHost

/// What the library says of a failure arrives whole.
@MainActor
func holdErrors() async throws {
  let client = try Client(name: "errors")
  defer { client.detach() }
  var stale: WalletCoreError?
  do { try client.choose(1, "next") } catch { stale = error }
  holds("an error has the library's status", stale?.status == Int32(WALLET_CORE_ERROR_STALE_STEP))
  holds("the name of it", stale?.name == "STALE_STEP")
  holds("its category", stale?.category == Int32(WALLET_CORE_CATEGORY_WALLET_STATE))
  holds("and its message", stale?.message.isEmpty == false)
}

/// A client that was detached is refused, and its requests and events end.
@MainActor
func holdTheEnd() async throws {
  let client = try Client(name: "ended")
  var waiting = try client.begin { wallet_core_wipe(client.id, $0, $1) }
  client.detach()
  holds(
    "a request of a client that was detached ends",
    await errorName { _ = try await waiting.completion() } != "CANCELLED")
  for await _ in client.events {}
  holds("so do its events", true)
  holds(
    "a choice by it is refused",
    await errorName { try client.choose(1, "next") } == "CLIENT_DETACHED")
  holds(
    "so is a request",
    await errorName {
      waiting = try client.begin { wallet_core_wipe(client.id, $0, $1) }
    } == "CLIENT_DETACHED")
  client.detach()
  holds("to detach it twice does no harm", true)
}

/// A bridge says the size that the header asserts for it.
@MainActor
func holdSizes(_ platform: some Platform) {
  let signing = wallet_core_signing_key_bridge(platform)
  let encryption = wallet_core_encryption_key_bridge(platform)
  let utilities = wallet_core_utilities_bridge(platform)
  defer {
    signing.destroy?(signing.context)
    encryption.destroy?(encryption.context)
    utilities.destroy?(utilities.context)
  }
  holds(
    "each bridge says its size",
    [signing.struct_size, encryption.struct_size, utilities.struct_size] == [64, 56, 80])
}

/// Whatever was read of the library was given back, once.
@MainActor
func holdFreeing() async {
  holds(
    "every event is freed once",
    await soon { between.withLock { $0.eventsRead > 20 && $0.eventsFreed == $0.eventsRead } })
  holds(
    "so is every error that is not an event's",
    between.withLock { $0.errorsRead > 5 && $0.errorsFreed == $0.errorsRead - $0.errorsLent })
}
