// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "wallet-host",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [.library(name: "WalletHost", targets: ["WalletHost"])],
  targets: [
    // The installed header and library, found by pkg-config. On iOS use a binaryTarget instead.
    .systemLibrary(name: "CWalletCore", pkgConfig: "wallet_core"),

    .target(name: "WalletHost", dependencies: ["CWalletCore"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
