import CWalletCore
import WalletHost

/// Checks that texts with a NUL are refused, because C would cut them there.
@MainActor
func checkTexts() async throws {
  let client = try Client(name: "texts")
  defer { client.detach() }
  func isRefused(_ name: String, _ work: @MainActor () async throws -> Void) async {
    var message = ""
    let status = await errorName {
      do { try await work() } catch let error as WalletCoreError {
        message = error.message
        throw error
      }
    }
    holds(
      "\(name) with a NUL is refused",
      status == "INVALID_ARGUMENT" && message == "A text has a NUL in it.")
  }
  await isRefused("a client's name") { _ = try Client(name: "texts\0two") }
  await isRefused("an app's version") {
    try WalletCore.start(configuration: [], appVersion: "1.0.0\0", appID: "org.example")
  }
  await isRefused("an app's name") {
    try WalletCore.start(configuration: [], appVersion: "1.0.0", appID: "org.example\0.two")
  }
  await isRefused("a link") { try client.open(link: "https://wallet.example/\0") }
  await isRefused("an action") { try client.choose(1, "next\0") }
  for part in 0..<4 {
    func text(_ text: String, _ number: Int) -> String { part == number ? text + "\0" : text }
    await isRefused("part \(part + 1) of what is presented") {
      _ = try client.beginPresenting(
        [CardSelection(card: text("pid", 0), paths: [text(#"["family_name"]"#, 1)])],
        nonce: text("nonce", 2), audience: text("https://shop.example", 3),
        pin: Pin("471108".utf8))
    }
  }
}
