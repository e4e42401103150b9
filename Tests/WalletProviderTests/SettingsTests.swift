import ArgumentParser
import WalletAttempts
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

final class SettingsTests: XCTestCase {
  func testDefaultsMatchTheDocumentation() throws {
    let settings = try ServerSettings()
    XCTAssertEqual(settings.data, "./wallet-provider-data")
    XCTAssertEqual(settings.host, "127.0.0.1")
    XCTAssertEqual(settings.port, 8740)
    XCTAssertEqual(settings.provider.attemptPolicy, .standard)
    XCTAssertEqual(settings.provider.challengeLife, 120_000)
    XCTAssertEqual(settings.provider.unconfirmedLife, 86_400_000)
    XCTAssertEqual(settings.provider.inactiveTimeout, 300_000)
    XCTAssertEqual(settings.provider.inactiveWarning, 240_000)
    XCTAssertEqual(settings.provider.backgroundTimeout, 300_000)
  }

  func testReadsTheEnvironmentAndAnOptionWins() throws {
    let environment = [
      "WALLET_PROVIDER_PORT": "1", "WALLET_PROVIDER_ATTEMPT_ROUNDS": "2",
      "WALLET_PROVIDER_ATTEMPTS_PER_ROUND": "3", "WALLET_PROVIDER_BLOCK_SECONDS": "7",
      "WALLET_PROVIDER_CHALLENGE_SECONDS": "9", "PATH": "/bin",
    ]
    let settings = try ServerSettings(options: [.port: "2"], environment: environment)
    XCTAssertEqual(settings.port, 2)
    XCTAssertEqual(
      settings.provider.attemptPolicy,
      try AttemptPolicy(rounds: 2, attemptsPerRound: 3, blockDurations: [7_000]))
    XCTAssertEqual(settings.provider.challengeLife, 9_000)
  }

  func testEverySettingIsAnOption() throws {
    // Parsed as few times as possible: the parser of a debug build is slow.
    let flags: [SettingName] = [.behindProxy, .demonstration, .enrolPage]
    let set = try ConfigShowCommand.parse(flags.map(\.option))
    XCTAssertEqual(set.given, Dictionary(uniqueKeysWithValues: flags.map { ($0, "true") }))
    let negated = try ConfigShowCommand.parse(flags.map { "--no-" + $0.rawValue })
    XCTAssertEqual(negated.given, Dictionary(uniqueKeysWithValues: flags.map { ($0, "false") }))
    for name in flags {
      XCTAssertNotEqual(
        try ServerSettings(options: [name: "true"]), try ServerSettings(), name.option)
      XCTAssertEqual(
        try ServerSettings(options: [name: "false"]), try ServerSettings(), name.option)
    }
    let others = SettingName.allCases.filter { !flags.contains($0) }
    var bad: [SettingName: String] = [:]
    for name in others { bad[name] = name == .blockSeconds ? "," : "" }
    let options = try ConfigShowCommand.parse(others.flatMap { [$0.option, bad[$0] ?? "?"] })
    XCTAssertEqual(options.given, bad)
    for (name, value) in bad {
      XCTAssertThrowsError(try ServerSettings(options: [name: value]), name.option) {
        XCTAssertTrue("\($0)".hasPrefix("\(name.option) ("), "\($0)")
      }
    }
  }

  func testReadsAndBoundsTheArgon2idParameters() throws {
    XCTAssertEqual(try ServerSettings().provider.pinKeyMemoryBytes, 64 * 1024 * 1024)
    XCTAssertEqual(try ServerSettings().provider.pinKeyPasses, 3)
    let settings = try ServerSettings(options: [.pinMemoryMebibytes: "72", .pinPasses: "4"])
    XCTAssertEqual(settings.provider.pinKeyMemoryBytes, 72 * 1024 * 1024)
    XCTAssertEqual(settings.provider.pinKeyPasses, 4)
    for bad in ["63", "257", "-1", "64.5", ""] {
      XCTAssertThrowsError(try ServerSettings(options: [.pinMemoryMebibytes: bad]), bad)
    }
    for bad in ["2", "11", "x"] {
      XCTAssertThrowsError(try ServerSettings(options: [.pinPasses: bad]), bad)
    }
    var provider = ProviderSettings()
    provider.pinKeyMemoryBytes -= 1
    XCTAssertThrowsError(try provider.validate())
    provider = ProviderSettings()
    provider.pinKeyPasses = 2
    XCTAssertThrowsError(try provider.validate())
  }

  func testProofingHostsAreCommaSeparatedHostNames() throws {
    let settings = try ServerSettings(options: [.proofingHosts: "wallet.example.org,id-1.example"])
    XCTAssertEqual(settings.provider.proofingHosts, ["wallet.example.org", "id-1.example"])
    let long = String(repeating: "a", count: 64)
    for bad in [
      "", "UPPER.example", "a b", "a,,b", ",", ".x", "x.", "-x", "x-", "x..y", "a:443", "a/b", long,
      "wället.example", Array(repeating: "a", count: 65).joined(separator: ","),
    ] {
      XCTAssertThrowsError(try ServerSettings(options: [.proofingHosts: bad]), bad)
    }
  }

  func testServersOwnNameIsTheDefaultProofingHost() throws {
    XCTAssertEqual(try ServerSettings().provider.proofingHosts, ["127.0.0.1"])
    let proxy: [SettingName: String] = [.behindProxy: "true"]
    let named = try ServerSettings(options: proxy.merging([.host: "id.example.org"]) { $1 })
    XCTAssertEqual(named.provider.proofingHosts, ["id.example.org"])
    // Behind a proxy the public name is not known.
    for host in ["0.0.0.0", "::", "::1", "127.0.0.1", "localhost"] {
      let behind = proxy.merging([.host: host]) { $1 }
      let settings = try ServerSettings(options: behind)
      XCTAssertEqual(settings.provider.proofingHosts, [])
      XCTAssertThrowsError(try ServerSettings(options: behind.merging([.enrolPage: "true"]) { $1 }))
      XCTAssertNoThrow(
        try ServerSettings(
          options: behind.merging([.enrolPage: "true", .proofingHosts: "id.example"]) { $1 }))
    }
  }

  func testReadsAndValidatesTheProofingSettings() throws {
    let standard = try ServerSettings()
    XCTAssertEqual(standard.provider.proofing, ProofingSettings())
    XCTAssertNil(standard.simulatedVerdict)
    XCTAssertFalse(standard.enrolPage)
    let settings = try ServerSettings(options: [
      .codeSeconds: "60", .sessionSeconds: "120", .pendingSeconds: "180", .issuanceSeconds: "240",
      .replacementSeconds: "30",
      .licenceAttempts: "3", .exhaustedSeconds: "0", .licenceKinds: "DL,EN",
      .licenceCountries: "USA", .minimumAge: "16", .issuingAuthority: "Example",
      .issuingCountry: "US", .simulatedVerdict: "pending", .authoritativeSource: "source.json",
      .demonstration: "true", .enrolPage: "true",
      .statusListSeconds: "60", .statusListEntries: "1048576",
    ])
    var expected = ProofingSettings()
    expected.codeLife = 60_000
    expected.sessionLife = 120_000
    expected.pendingLife = 180_000
    expected.issuanceLife = 240_000
    expected.replacementWait = 30_000
    expected.attempts = 3
    expected.exhaustedPause = 0
    expected.kinds = [.licence, .enhancedLicence]
    expected.countries = [.unitedStates]
    expected.minimumAge = 16
    expected.demonstration = true
    expected.issuingAuthority = "Example"
    expected.issuingCountry = "US"
    expected.statusLists.timeToLive = 60_000
    expected.statusLists.entries = 1 << 20
    XCTAssertEqual(settings.provider.proofing, expected)
    XCTAssertEqual(settings.simulatedVerdict, .pending)
    XCTAssertEqual(settings.authoritativeSource, "source.json")
    XCTAssertTrue(settings.enrolPage)
    for bad: [SettingName: String] in [
      [.codeSeconds: "7200"], [.sessionSeconds: "60"], [.pendingSeconds: "60"],
      [.licenceKinds: "DL,XX"], [.licenceCountries: ""], [.issuingCountry: "us"],
      [.issuingAuthority: "a\u{7}"], [.minimumAge: "121"],
      [.statusListSeconds: "59"], [.statusListSeconds: "86401"],
      [.statusListEntries: "131071"], [.statusListEntries: "1048577"],
    ] {
      XCTAssertThrowsError(try ServerSettings(options: bad), "\(bad)")
    }
  }

  func testRefusesEveryInvalidValueWithoutATrap() {
    let bad = [
      "", "-1", "x", "1.5", "99999999999999999999", "-9223372036854775808", "9223372036854775807",
      " 1", "1,,2", "\u{0}", "０",
    ]
    let texts: [SettingName] = [
      .data, .host, .proofingHosts, .issuingAuthority, .authoritativeSource, .trustAnchors,
      .metricsHost,
    ]
    for name in SettingName.allCases where !texts.contains(name) {
      for value in bad where !(name == .blockSeconds && value.isEmpty) {
        XCTAssertThrowsError(try ServerSettings(options: [name: value]), "\(name) \(value)") {
          XCTAssertTrue($0 is SettingsError)
        }
        XCTAssertThrowsError(try ServerSettings(environment: [name.environmentVariable: value])) {
          XCTAssertTrue($0 is SettingsError)
        }
      }
    }
  }

  func testServesPlainHTTPOnlyLocallyUnlessBehindAProxy() throws {
    for host in ["127.0.0.1", "127.8.9.1", "::1", "localhost"] {
      XCTAssertNoThrow(try ServerSettings(options: [.host: host]), host)
    }
    for host in ["0.0.0.0", "::", "10.0.0.1", "example.org", "127.1", "localhost.example"] {
      for proxy in [nil, "false"] {
        var options: [SettingName: String] = [.host: host]
        options[.behindProxy] = proxy
        XCTAssertThrowsError(try ServerSettings(options: options), host) {
          XCTAssertTrue("\($0)".contains("--behind-proxy"), "\($0)")
        }
      }
      XCTAssertNoThrow(try ServerSettings(options: [.host: host, .behindProxy: "true"]), host)
      XCTAssertNoThrow(
        try ServerSettings(options: [.host: host, .tlsCertificate: "c", .tlsKey: "k"]), host)
    }
  }

  func testTLSNeedsBothFilesFromAnySource() throws {
    XCTAssertNil(try ServerSettings().tls)
    let settings = try ServerSettings(
      options: [.tlsCertificate: "c"], environment: ["WALLET_PROVIDER_TLS_KEY": "k"])
    XCTAssertEqual(settings.tls, TLSFiles(certificate: "c", key: "k"))
    XCTAssertEqual(settings.url(port: 1), "https://127.0.0.1:1")
    XCTAssertEqual(try ServerSettings(options: [.host: "::1"]).url(port: 1), "http://[::1]:1")
    let halves: [(SettingName, missing: SettingName)] = [
      (.tlsCertificate, missing: .tlsKey), (.tlsKey, missing: .tlsCertificate),
    ]
    for (given, missing) in halves {
      XCTAssertThrowsError(try ServerSettings(environment: [given.environmentVariable: "x"])) {
        XCTAssertTrue("\($0)".contains("needs \(missing.option)"), "\($0)")
      }
    }
  }

  func testRefusesInconsistentSettings() {
    let bad: [[SettingName: String]] = [
      [.attemptRounds: "3"], [.blockSeconds: "1,2"], [.blockSeconds: "1,2,3,4"],
      [.blockSeconds: "0,1,2"], [.blockSeconds: ""], [.attemptsPerRound: "1"],
      [.attemptsPerRound: "101"], [.attemptRounds: "0"], [.warningSeconds: "301"],
      [.challengeSeconds: "0"], [.challengeSeconds: "3601"], [.unconfirmedSeconds: "59"],
      [.inactiveSeconds: "9"], [.backgroundSeconds: "0"], [.port: "65536"], [.data: ""],
      [.logLevel: "loud"],
    ]
    for options in bad {
      XCTAssertThrowsError(try ServerSettings(options: options), "\(options)")
    }
    XCTAssertNoThrow(try ServerSettings(options: [.attemptRounds: "1", .blockSeconds: ""]))
  }
}
