// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// The modules and their dependencies. Linker flags of the shipped library (static Swift runtime,
// export map, soname, nodelete) are in the Makefile, so that this manifest stays usable as a
// dependency. Tests/ArchitectureTests compares the import table of the architecture article with
// it.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "wallet_core",
  products: [
    .library(name: "wallet_core", type: .dynamic, targets: ["wallet_core"]),
    .library(
      name: "wallet_core_testing", type: .dynamic, targets: ["wallet_core", "wallet_core_testing"]),
    .executable(name: "wallet-provider", targets: ["wallet-provider"]),
    .executable(name: "wallet-provider-testing", targets: ["wallet-provider-testing"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The public header and the system libraries.
    .target(
      name: "CWalletCore", path: "Include",
      exclude: ["wallet_core.exports", "wallet_core_events.schema.json"], publicHeadersPath: "."),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPosix"),
    .systemLibrary(
      name: "CQRencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // Headers only: libcurl is loaded at the first request, see WalletTransport.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),

    // Shared value types, messages and use cases.
    module("WalletModel", []),
    module("WalletProtocol", []),
    module("WalletUseCases", ["WalletModel"]),

    // All calls to the operating system, for the core and the server alike.
    module("WalletSystem", ["CPosix"]),

    // The function of the PIN that wallet, evaluator and provider compute together.
    module("WalletOPRF", ["CSodium"]),

    // One commit for all transactions on a SQLite file that wait; evaluator and provider share it.
    module("WalletSQLite", [.product(name: "GRDB", package: "GRDB.swift")]),

    // The rules of attempts at the PIN, and signatures; evaluator and provider share them.
    module("WalletAttempts", ["WalletProtocol"]),
    module(
      "WalletSignatures",
      ["WalletProtocol", "CSodium", .product(name: "Crypto", package: "swift-crypto")]),

    // What other parties sign and encrypt, and their cards; wallet and provider share them.
    module(
      "WalletJOSE", ["WalletProtocol", .product(name: "Crypto", package: "swift-crypto")]),
    module("WalletCredentials", ["WalletProtocol", "WalletJOSE", "CZlib"]),
    module(
      "WalletTrust",
      [
        "WalletProtocol", "WalletJOSE", .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),

    // What relying parties ask of a wallet; not in the library yet.
    module(
      "WalletPresentation", ["WalletProtocol", "WalletJOSE", "WalletCredentials", "WalletTrust"]),

    // The core.
    module("WalletCrypto", ["CSodium", "WalletSystem", "WalletProtocol", "WalletOPRF"]),
    module("WalletPlatform", ["WalletSystem", "WalletModel", "WalletCrypto"]),
    module(
      "WalletStorage",
      ["CSQLite", "WalletSystem", "WalletCrypto", "WalletPlatform", "WalletModel"]),
    module("WalletTransport", ["CCurl", "WalletSystem", "WalletPlatform", "WalletModel"]),
    module(
      "WalletConfiguration",
      [
        "WalletModel", "WalletPlatform", "WalletCrypto", "WalletStorage", "WalletTransport",
        "WalletProtocol", "WalletTrust",
      ]),
    module(
      "WalletAccount",
      [
        "WalletModel", "WalletPlatform", "WalletCrypto", "WalletStorage", "WalletTransport",
        "WalletProtocol",
      ]),
    module("WalletProofing", ["WalletModel", "WalletCrypto", "WalletProtocol"]),
    module(
      "WalletCards",
      [
        "WalletModel", "WalletPlatform", "WalletCrypto", "WalletStorage", "WalletProtocol",
        "WalletAccount", "WalletCredentials", "WalletTrust",
      ]),
    module(
      "WalletRuntime",
      [
        "WalletModel", "WalletPlatform", "WalletCrypto", "WalletStorage", "WalletTransport",
        "WalletProtocol", "WalletConfiguration", "WalletAccount", "WalletProofing",
        "WalletUseCases", "WalletCards", "WalletTrust", "WalletCredentials", "WalletPresentation",
        "WalletJOSE",
      ]),
    module(
      "wallet_core",
      [
        "CWalletCore", "WalletSystem", "WalletRuntime", "WalletPlatform", "WalletCrypto",
        "WalletModel",
      ],
      exclude: ["wallet_core.docc"]),
    module(
      "wallet_core_testing",
      [
        "CWalletCore", "WalletSystem", "WalletPlatform", "WalletModel", "WalletTransport",
        "WalletProtocol", "WalletCrypto",
      ]),

    // The evaluator.
    module(
      "WalletEvaluator",
      [
        "WalletProtocol", "WalletAttempts", "WalletOPRF", "WalletSignatures",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    module(
      "WalletEvaluatorSQLite",
      ["WalletEvaluator", "WalletSQLite", .product(name: "GRDB", package: "GRDB.swift")]),

    // The provider.
    module(
      "WalletProvider",
      [
        "WalletSystem", "WalletProtocol", "WalletAttempts", "WalletOPRF", "WalletSignatures",
        "WalletJOSE", "WalletCredentials", "WalletTrust", "CSodium",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    module(
      "WalletProviderSQLite",
      ["WalletProvider", "WalletSQLite", .product(name: "GRDB", package: "GRDB.swift")]),
    module("WalletProviderPostgreSQL", ["WalletSystem", "WalletProvider", "CPostgreSQL"]),
    module(
      "WalletProviderServer",
      [
        "WalletSystem", "WalletProvider", "WalletProtocol", "WalletAttempts", "WalletSignatures",
        "CQRencode", "CPNG",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "WalletEvaluatorClient",
      [
        "WalletSystem", "WalletProviderServer", "WalletProvider", "WalletProtocol",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    module(
      "WalletProviderStores",
      [
        "WalletProviderServer", "WalletProvider", "WalletProviderSQLite",
        "WalletProviderPostgreSQL", "WalletProtocol", "WalletAttempts", "WalletEvaluator",
        "WalletEvaluatorSQLite", "WalletEvaluatorClient", "WalletSignatures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "wallet-provider",
      dependencies: [
        "WalletProviderServer", "WalletProvider", "WalletProviderStores", "WalletAttempts",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "wallet-provider-testing",
      dependencies: [
        "WalletSystem", "WalletProviderServer", "WalletProvider", "WalletProviderStores",
        "WalletProtocol", "WalletAttempts",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], swiftSettings: strict),

    // Tests. CTestPatience is the deadline that all of them wait with. ProtocolTestClient builds
    // the protocol's messages itself.
    .systemLibrary(name: "CTestPatience", path: "Tests/Support"),
    .target(
      name: "TestSupport",
      dependencies: ["CTestPatience", "CWalletCore"], path: "Tests/Support/Swift",
      swiftSettings: strict),
    .target(
      name: "ServerTestSupport",
      dependencies: [
        "WalletProtocol", "WalletTrust", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      path: "Tests/Support/Server", swiftSettings: strict),
    .target(
      name: "ProtocolTestClient",
      dependencies: [
        "WalletProtocol", "WalletOPRF", "WalletCrypto", "WalletTransport", "WalletPlatform",
        "WalletModel",
      ], path: "Tests/ProtocolTestClient", swiftSettings: strict),
    .executableTarget(
      name: "provider-load",
      dependencies: [
        "ProtocolTestClient", "WalletProvider", "WalletProtocol", "WalletSignatures",
        "WalletCrypto", "WalletTransport", "WalletPlatform", "CSQLite", "CSodium", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Tests/Load", swiftSettings: strict),
    // What the provider is built of, with nothing in it; only for its benchmark.
    .executableTarget(
      name: "provider-bare",
      dependencies: [
        "CPostgreSQL",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ], path: "Tests/Bare", swiftSettings: strict),
    tests("TestSupportTests", ["TestSupport"]),
    tests("WalletSystemTests", ["WalletSystem"]),
    tests(
      "WalletProtocolTests",
      ["WalletProtocol", "WalletCrypto", "WalletOPRF", "CSodium", "TestSupport"]),
    tests(
      "WalletCryptoTests", ["WalletCrypto", "WalletOPRF", "WalletProtocol", "TestSupport"]),
    tests(
      "WalletSQLiteTests",
      ["WalletSQLite", "ServerTestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
    tests(
      "WalletEvaluatorTests",
      [
        "WalletEvaluator", "WalletEvaluatorSQLite", "WalletProviderStores", "WalletProvider",
        "WalletProviderSQLite", "WalletSQLite",
        "WalletProtocol", "WalletAttempts", "WalletOPRF", "WalletSignatures", "CSQLite",
        "ServerTestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests(
      "WalletJOSETests",
      [
        "WalletJOSE", "WalletProtocol", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests(
      "WalletCredentialsTests",
      [
        "WalletCredentials", "WalletJOSE", "WalletProtocol", "CZlib", "TestSupport",
        "ServerTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests(
      "WalletCardsTests",
      [
        "WalletCards", "WalletAccount", "WalletTrust", "WalletCredentials", "WalletJOSE",
        "WalletStorage", "WalletPlatform", "WalletCrypto", "WalletProtocol", "WalletModel",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    tests(
      "WalletTrustTests",
      [
        "WalletTrust", "WalletJOSE", "WalletProtocol",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    tests(
      "WalletPresentationTests",
      [
        "WalletPresentation", "WalletCredentials", "WalletJOSE", "WalletProtocol", "WalletTrust",
        "TestSupport", "ServerTestSupport", .product(name: "Crypto", package: "swift-crypto"),
      ]),
    tests("WalletPlatformTests", ["WalletPlatform", "WalletCrypto", "TestSupport"]),
    tests(
      "WalletStorageTests",
      [
        "WalletStorage", "WalletCrypto", "WalletPlatform", "WalletSystem", "WalletModel", "CSQLite",
      ]),
    tests(
      "WalletTransportTests",
      ["WalletTransport", "WalletPlatform", "WalletModel", "ProtocolTestClient", "TestSupport"]),
    tests(
      "WalletAccountTests",
      [
        "WalletAccount", "WalletCrypto", "WalletOPRF", "WalletPlatform", "WalletProtocol",
        "WalletModel", "WalletTransport", "WalletStorage",
      ]),
    tests(
      "WalletConfigurationTests",
      [
        "WalletConfiguration", "WalletCrypto", "WalletPlatform", "WalletProtocol",
        "WalletTransport", "WalletModel", "WalletStorage", "WalletTrust", "TestSupport",
        "ServerTestSupport",
      ]),
    tests(
      "WalletProofingTests",
      [
        "WalletProofing", "WalletUseCases", "WalletModel", "WalletCrypto", "WalletProtocol",
        "TestSupport",
      ]),
    tests("WalletUseCasesTests", ["WalletUseCases", "WalletModel", "TestSupport"]),
    tests(
      "WalletRuntimeTests",
      [
        "WalletRuntime", "WalletUseCases", "WalletAccount", "WalletStorage", "WalletCrypto",
        "WalletModel", "WalletPlatform", "WalletProtocol", "WalletCredentials", "TestSupport",
      ]),
    tests(
      "WalletProviderTests",
      [
        "WalletProvider", "WalletProviderSQLite", "WalletProviderPostgreSQL",
        "WalletProviderServer", "WalletProviderStores", "WalletProtocol", "WalletAttempts",
        "WalletSignatures", "WalletEvaluator", "WalletEvaluatorSQLite", "WalletEvaluatorClient",
        "WalletOPRF", "WalletConfiguration", "WalletPlatform", "WalletTrust", "WalletCredentials",
        "WalletJOSE", "CPostgreSQL",
        "CSodium", "CSQLite", "TestSupport", "ServerTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOExtras", package: "swift-nio-extras"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      ]),
    tests(
      "WalletCoreTests",
      [
        "CWalletCore", "wallet_core", "WalletRuntime", "wallet_core_testing", "WalletProtocol",
        "WalletCrypto",
        "WalletModel", "WalletPlatform", "TestSupport",
      ]),
    tests("ArchitectureTests", []),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "WalletProofing", "WalletConfiguration", "WalletProtocol", "WalletModel", "WalletPlatform",
        "WalletTransport", "WalletUseCases", "WalletStorage", "WalletRuntime", "WalletJOSE",
        "WalletCredentials", "WalletPresentation", "WalletTrust", "CZlib",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      path: "Tests/Fuzz",
      exclude: [
        "Calls", "Corpus", "Provider", "Readers/FuzzEntry.swift", "dictionary",
        "dictionary_of_others", "wallet_fixture.c",
        "wallet_fixture.sh", "record.sh", "replay.c", "replay.sh", "run.sh",
      ],
      sources: [
        "CardSeedTests.swift", "ChainSeedTests.swift", "CorpusTests.swift",
        "Readers",
      ], swiftSettings: strict),
    .testTarget(
      name: "WalletProviderFuzzTests",
      dependencies: [
        "WalletProvider", "WalletEvaluator", "WalletAttempts", "WalletProtocol",
        "WalletSignatures",
      ],
      path: "Tests/Fuzz/Provider", exclude: ["FuzzEntry.swift"], swiftSettings: strict),
    tests(
      "SystemTests",
      [
        "CWalletCore", "wallet_core", "wallet_core_testing", "WalletProtocol", "WalletCrypto",
        "WalletOPRF", "WalletTransport", "WalletPlatform", "WalletModel", "CSodium", "CSQLite",
        "ProtocolTestClient", "TestSupport", "WalletRuntime",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The core without the provider, for builds that need no server (those with sanitizers, for
// example) and for apps that should not fetch the server's dependencies.
if Context.environment["WALLET_CORE_ONLY"] == "1" {
  let isServer = { (name: String) in
    ["WalletProvider", "wallet-provider", "WalletEvaluator"].contains { name.hasPrefix($0) }
      || [
        "WalletAttempts", "WalletSignatures", "WalletSQLite", "WalletSQLiteTests", "CPostgreSQL",
        "CQRencode", "CPNG", "provider-load", "provider-bare",
      ].contains(name)
  }
  // What other parties sign and encrypt takes cryptography that libsodium lacks.
  package.dependencies = [
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ]
  package.products.removeAll { isServer($0.name) }
  package.targets.removeAll { isServer($0.name) }
}

// Only the modules that parse untrusted bytes. "1" adds their tests and the benchmark of licences,
// for release builds and sanitizers; "fuzz" adds the fuzzers, whose `main` is libFuzzer's.
if let readers = Context.environment["WALLET_CORE_READERS"] {
  let isFuzzing = readers == "fuzz"
  let included: Set = Set([
    "CWalletCore", "CSodium", "CSQLite", "CPosix", "CCurl", "WalletSystem", "WalletModel",
    "WalletProtocol", "WalletOPRF", "WalletCrypto", "WalletPlatform", "WalletStorage",
    "WalletTransport", "WalletUseCases", "WalletProofing",
  ]).union(
    isFuzzing
      ? [
        "WalletJOSE", "WalletCredentials", "WalletPresentation", "WalletTrust", "CZlib",
        "WalletConfiguration",
        "WalletAccount", "WalletCards", "WalletRuntime", "wallet_core", "wallet_core_testing",
        "WalletAttempts", "WalletSignatures", "WalletEvaluator", "WalletProvider",
      ] : ["WalletProofingTests", "TestSupport", "CTestPatience"])
  // The provider signs with swift-crypto, the configuration has certificates, and what other parties
  // sign and encrypt takes all three.
  package.dependencies =
    isFuzzing
    ? [
      .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
      .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
      .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ] : []
  package.products = []
  package.targets.removeAll { !included.contains($0.name) }
  package.targets.append(
    isFuzzing
      ? .executableTarget(
        name: "wallet-fuzz",
        dependencies: [
          "WalletProofing", "WalletConfiguration", "WalletProtocol", "WalletModel",
          "WalletPlatform", "WalletTransport", "WalletUseCases", "WalletStorage", "WalletRuntime",
          "WalletJOSE", "WalletCredentials", "WalletPresentation", "WalletTrust", "CZlib",
          .product(name: "Crypto", package: "swift-crypto"),
        ],
        path: "Tests/Fuzz/Readers", swiftSettings: strict)
      : .executableTarget(
        name: "licence-benchmark", dependencies: ["WalletProofing", "WalletModel"],
        path: "Tests/Benchmarks",
        exclude: [
          "baseline.c", "calls.c", "empty.swift", "loading.c", "run.sh", "steps.c", "unlock.c",
          "Peers", "Store",
        ],
        sources: ["licence.swift"], swiftSettings: strict))
  if isFuzzing {
    // The whole core, for fuzzed sequences of calls.
    package.targets.append(
      .executableTarget(
        name: "wallet-fuzz-calls",
        dependencies: ["CWalletCore", "CSodium", "wallet_core", "wallet_core_testing"],
        path: "Tests/Fuzz/Calls", cSettings: [.define("_GNU_SOURCE")],
        // The keys are those of the example in C.
        linkerSettings: [.linkedLibrary("crypto")]))
    package.targets.append(
      .executableTarget(
        name: "wallet-provider-fuzz",
        dependencies: [
          "WalletProvider", "WalletEvaluator", "WalletAttempts", "WalletProtocol",
          "WalletSignatures",
        ],
        path: "Tests/Fuzz/Provider", exclude: ["ProviderCorpusTests.swift"],
        swiftSettings: strict))
  } else {
    package.products.append(.library(name: "our-store", type: .dynamic, targets: ["OurStore"]))
    package.targets.append(
      .target(
        name: "OurStore", dependencies: ["WalletStorage", "WalletCrypto"],
        path: "Tests/Benchmarks/Store", swiftSettings: strict))
  }
}
