// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The articles as a package of their own, which `.ci/docs.sh` fills and the DocC plugin renders. So
// neither a build of the library nor a package that depends on it knows the plugin, and nothing is
// compiled for it.
let package = Package(
  name: "wallet_core_articles",
  dependencies: [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")],
  targets: [.target(name: "wallet_core")]
)
