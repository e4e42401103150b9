// swift-tools-version: 6.2
import PackageDescription

// The player of the Swift host, and the host of Tests/HTTPBridge. build.sh provides a wallet_core.pc
// that names the library for tests.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]

let package = Package(
  name: "player",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../../../Examples/swift/hosts"),
    .package(path: "../../../../Sources/Bindings/swift"),
    .package(path: "../../../Bindings/swift/promises"),
  ],
  targets: [
    .systemLibrary(name: "CWalletCoreTesting", pkgConfig: "wallet_core"),
    .executableTarget(
      name: "player",
      dependencies: [
        "CWalletCoreTesting",
        .product(name: "WalletHost", package: "swift"),
        .product(name: "SoftwareKeys", package: "hosts"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "http_check",
      dependencies: [
        "CWalletCoreTesting",
        .product(name: "WalletHost", package: "swift"),
        .product(name: "HostHTTP", package: "hosts"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
