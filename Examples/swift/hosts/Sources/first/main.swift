// SPDX-License-Identifier: Apache-2.0
// A first host: prints the configuration, the lock state and the version state of a wallet.
//
//     swift run first configuration.json
//
// configuration.json is what `wallet-provider client-configuration` prints.

import Foundation
import WalletHost

guard CommandLine.arguments.count == 2 else {
  print("usage: first CONFIGURATION_FILE")
  exit(2)
}

do {
  let configuration = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
  try WalletCore.start(
    configuration: [UInt8](configuration), appVersion: "1.0.0", appID: "org.example.first")

  let client = try Client(name: "app")
  defer { client.detach() }

  // Each stream begins with its current value. An app would read on and draw the steps.
  for await event in client.events.prefix(3) {
    switch event.content {
    case .configuration(let configuration):
      print("configuration \(configuration.version)")
      print("  locks after \(configuration.inactiveTimeoutMs / 1000) s without activity")
    case .lockState(let lock):
      print(lock.isLocked ? "locked" : "unlocked")
    case .versionState(let version):
      print("this version is \(version.grade)")
    case .completion, .step, .cardsChanged, .unknown:
      break
    }
  }
} catch {
  FileHandle.standardError.write(Data("first: \(error)\n".utf8))
  exit(1)
}
