// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A first host, keys in files for computers without a key store, and HTTP stacks.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let walletHost = Target.Dependency.product(name: "WalletHost", package: "swift")

let package = Package(
  name: "hosts",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [
    .library(name: "SoftwareKeys", targets: ["SoftwareKeys"]),
    .library(name: "HostHTTP", targets: ["HostHTTP"]),
    .executable(name: "first", targets: ["first"]),
  ],
  dependencies: [.package(path: "../../../Sources/Bindings/swift")],
  targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CLibcurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    .target(
      name: "SoftwareKeys", dependencies: [walletHost, "COpenSSL"], swiftSettings: strict),
    .target(
      name: "HostHTTP",
      dependencies: [walletHost, .target(name: "CLibcurl", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .executableTarget(name: "first", dependencies: [walletHost], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
