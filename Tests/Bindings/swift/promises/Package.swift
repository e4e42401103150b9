// swift-tools-version: 6.2
import PackageDescription

// Tests what the comments of the Swift binding promise. run.sh provides a wallet_core.pc that names
// the library for tests.

let package = Package(
  name: "promises",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "promises", targets: ["promises"])],
  dependencies: [
    .package(path: "../../../../Examples/swift/hosts"),
    .package(path: "../../../../Sources/Bindings/swift"),
  ],
  targets: [
    .executableTarget(
      name: "promises",
      dependencies: [
        .product(name: "WalletHost", package: "swift"),
        .product(name: "SoftwareKeys", package: "hosts"),
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
