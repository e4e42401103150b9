import Foundation
import TestSupport
import WalletAttempts
import WalletEvaluator
import WalletEvaluatorClient
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// A provider and its evaluator in two processes.
final class RemoteEvaluatorTests: RemoteEvaluatorTestCase {
  func testAWalletRegistersAndChecksItsPinUntilItIsBlocked() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let remote = try await RemoteEvaluator(connection(process.url(), files))
    XCTAssertEqual(remote.id, harness.evaluator.id)
    XCTAssertEqual(remote.grantKeys, harness.evaluator.grantKeys)
    XCTAssertEqual(
      process.announced, ["evaluator \(remote.id) listens on \(try process.url())"])
    let evaluator = ObservedEvaluator(remote)
    try harness.restart(with: evaluator)
    try await harness.provider.prepareSecrets()

    let wallet = try await TestWallet.confirmed(harness)
    let share = try await wallet.checkRight()
    XCTAssertEqual(share, wallet.share)
    XCTAssertEqual(evaluator.standing?.attempts, 0)
    for count in 1...3 {
      let outcome = try await wallet.check("271828")
      XCTAssertEqual(outcome, .wrong(attemptsLeft: UInt32(4 - count), finalRound: false))
      XCTAssertEqual(evaluator.standing?.attempts, UInt64(count))
    }
    guard case .blocked(_, counted: true) = try await wallet.check("271828") else {
      return XCTFail("not blocked")
    }
    guard case .blocked(_, counted: false) = try await wallet.check("123654") else {
      return XCTFail("not blocked any more")
    }
    let isDeleted = try await WalletAdministration(store: harness.store, evaluator: remote)
      .delete(wallet.id)
    XCTAssertTrue(isDeleted)
    XCTAssertEqual(process.end(), 0)
  }

  func testOnlyAClientOfTheAuthorityIsAnswered() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let url = try process.url()
    let trust = files.certificates.authority
    func ask(_ arguments: String...) throws -> ProgramResult {
      try Program.run(
        "/usr/bin/env",
        ["curl", "--silent", "--show-error", "--cacert", trust] + arguments)
    }
    let good = ["--cert", files.client.certificate, "--key", files.client.key]
    let live = try ask(good[0], good[1], good[2], good[3], url + Route.live)
    XCTAssertEqual(live.output, #"{"status":"live"}"#, live.errors)
    for path in [Route.live, Route.ready, Route.evaluatorDescription] {
      let none = try ask(url + path)
      XCTAssertNotEqual(none.status, 0)
      XCTAssertEqual(none.output, "")
    }
    let stranger = try files.certificates.issue("stranger", by: "other", names: "DNS:provider")
    let other = try ask("--cert", stranger.certificate, "--key", stranger.key, url + Route.live)
    XCTAssertNotEqual(other.status, 0)
    XCTAssertEqual(other.output, "")
    let refused = await failure {
      try await RemoteEvaluator(connection(url, files, client: stranger))
    }
    XCTAssertTrue(refused?.contains("it refused the certificate") == true, refused ?? "none")

    // Paths, methods and bodies.
    let malformed = try ask(
      good[0], good[1], good[2], good[3], "--header", "Content-Type: application/json", "--data",
      #"{"delete":{"key":"a","key":"b"}}"#, url + Route.evaluator)
    XCTAssertTrue(malformed.output.contains("malformed-request"), malformed.output)
    let form = try ask(
      good[0], good[1], good[2], good[3], "--data", "{}", url + Route.evaluator)
    XCTAssertTrue(form.output.contains("unsupported-media-type"), form.output)
    let get = try ask(good[0], good[1], good[2], good[3], url + Route.evaluator)
    XCTAssertTrue(get.output.contains("method-not-allowed"), get.output)
    let unknown = try ask(good[0], good[1], good[2], good[3], url + Route.registrations)
    XCTAssertTrue(unknown.output.contains("not-found"), unknown.output)
  }

  func testOnlyAServerOfTheAuthorityForTheHostIsAsked() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let url = try process.url()
    let other = await failure {
      try await RemoteEvaluator(
        connection(url, files, authority: files.certificates.otherAuthority))
    }
    XCTAssertTrue(
      other?.contains("does not come from the authority in") == true, other ?? "was trusted")
    let elsewhere = try evaluate(
      harness, files,
      server: try files.certificates.issue("elsewhere", by: "authority", names: "DNS:elsewhere"))
    let host = await failure {
      try await RemoteEvaluator(
        connection(
          elsewhere.url().replacingOccurrences(of: "127.0.0.1", with: "localhost"), files))
    }
    XCTAssertTrue(host?.contains("names another host") == true, host ?? "was trusted")
    let named = try evaluate(
      harness, files,
      server: try files.certificates.issue("named", by: "authority", names: "DNS:localhost"))
    let name = try named.url().replacingOccurrences(of: "127.0.0.1", with: "localhost")
    let evaluator = try await RemoteEvaluator(connection(name, files))
    XCTAssertEqual(evaluator.id, harness.evaluator.id)
    let address = await failure {
      try await RemoteEvaluator(connection(try named.url(), files))
    }
    XCTAssertTrue(address?.contains("names another host") == true, address ?? "was trusted")
  }

  func testWithoutTheEvaluatorNothingIsCountedAndTheSameRequestSucceedsLater() async throws {
    let (harness, files, port) = (try makeHarness(), try Files(), try HeldPort())
    var process = try evaluate(harness, files, port: port.number)
    let evaluator = ObservedEvaluator(
      try await RemoteEvaluator(connection(process.url(), files)))
    try harness.restart(with: evaluator)
    let wallet = try await TestWallet.confirmed(harness)
    XCTAssertEqual(process.end(), 0)

    let asked = try wallet.prepareChallenge(.checkPin)
    let before = try await harness.stored(wallet)
    try await withHTTP(harness, evaluator: evaluator) { http in
      let answer = try await http.post(asked.path, asked.body)
      XCTAssertEqual(answer.problemKind(), .unavailable)
    }
    let failure = await failure { try await wallet.send(asked) }
    XCTAssertTrue(failure?.contains("Connection refused") == true, failure ?? "answered")
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before)

    process = try evaluate(harness, files, port: port.number)
    let outcome = try await wallet.send(asked)
    XCTAssertEqual(evaluator.standing?.attempts, 1)
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 1)
    let valid = try await wallet.send(
      wallet.preparePin(
        .checkPin, pin: "123654", challenge: try wallet.challenge(in: outcome, of: asked)))
    guard case .valid = valid else { return XCTFail("\(valid)") }
  }

  func testAnEvaluatorKilledBetweenCountAndAnswerCountsTheSameBytesOnce() async throws {
    let (harness, files, port) = (try makeHarness(), try Files(), try HeldPort())
    var process = try evaluate(harness, files, port: port.number)
    let proxy = try CuttingProxy(to: port.number)
    defer { proxy.end() }
    let evaluator = ObservedEvaluator(
      try await RemoteEvaluator(connection("https://127.0.0.1:\(proxy.port)", files)))
    try harness.restart(with: evaluator)
    let wallet = try await TestWallet.confirmed(harness)

    let asked = try wallet.prepareChallenge(.checkPin)
    let before = try await harness.stored(wallet)
    let killed = process.identifier
    proxy.loseNextAnswer { kill(killed, SIGKILL) }
    let failure = await failure { try await wallet.send(asked) }
    XCTAssertNotNil(failure)
    XCTAssertEqual(process.killedBy(), SIGKILL)
    let after = try await harness.stored(wallet)
    XCTAssertEqual(after, before)

    process = try evaluate(harness, files, port: port.number)
    let first = try await wallet.send(asked)
    XCTAssertEqual(evaluator.standing?.attempts, 1)
    let again = try await wallet.send(asked)
    XCTAssertEqual(again, first)
    let stored = try await harness.stored(wallet)
    XCTAssertEqual(stored?.attempts.wrongAttempts, 1)
    let outcome = try await wallet.check("271828")
    XCTAssertEqual(outcome, .wrong(attemptsLeft: 2, finalRound: false))
    XCTAssertEqual(evaluator.standing?.attempts, 2)
  }

  /// The evaluator stays; the provider asks again by itself.
  func testALostAnswerIsAskedForAgainAndCountedOnce() async throws {
    let (harness, files) = (try makeHarness(), try Files())
    let process = try evaluate(harness, files)
    let url = try process.url()
    let proxy = try CuttingProxy(
      to: try XCTUnwrap(url.split(separator: ":").last.flatMap { UInt16($0) }))
    defer { proxy.end() }
    let evaluator = ObservedEvaluator(
      try await RemoteEvaluator(connection("https://127.0.0.1:\(proxy.port)", files)))
    try harness.restart(with: evaluator)
    let wallet = try await TestWallet.confirmed(harness)
    proxy.loseNextAnswer {}
    let outcome = try await wallet.check("271828")
    XCTAssertEqual(outcome, .wrong(attemptsLeft: 3, finalRound: false))
    XCTAssertEqual(evaluator.standing?.attempts, 1)
  }
}
