// swift-tools-version: 6.2
import PackageDescription

// The player of the Swift host, and the tests of what its comments promise. build.sh provides a wallet_core.pc
// that names the library for tests.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]

let package = Package(
  name: "player",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../../../../Examples/swift")],
  targets: [
    .systemLibrary(name: "CWalletCoreTesting", pkgConfig: "wallet_core"),
    .executableTarget(
      name: "player",
      dependencies: [
        "CWalletCoreTesting",
        .product(name: "WalletHost", package: "swift"),
        .product(name: "SoftwareKeys", package: "swift"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "promises",
      dependencies: [
        .product(name: "WalletHost", package: "swift"),
        .product(name: "SoftwareKeys", package: "swift"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
