import Foundation
import WalletProtocol
import WalletProvider
import XCTest

@testable import WalletProviderServer

final class MetricsTests: ServerTestCase {
  func testTextHasTheFormatOfPrometheus() {
    let counter = CounterFamily("a_total", "Some.", labels: ["x", "y"], zeros: [["0", "\"\\\n"]])
    counter.add("1", "2")
    counter.add("1", "2")
    XCTAssertEqual(
      counter.text,
      #"""
      # HELP a_total Some.
      # TYPE a_total counter
      a_total{x="0",y="\"\\\n"} 0
      a_total{x="1",y="2"} 2

      """#)
    XCTAssertTrue(CounterFamily("b_total", "None.").text.hasSuffix("\nb_total 0\n"))

    let durations = DurationFamily("d_seconds", "Time.", label: "x")
    for milliseconds in [1, 2, 30_000] { durations.add("1", .milliseconds(milliseconds)) }
    let lines = durations.text.split(separator: "\n").map(String.init)
    XCTAssertEqual(lines[1], "# TYPE d_seconds histogram")
    XCTAssertEqual(lines[2], #"d_seconds_bucket{x="1",le="0.001"} 1"#)
    XCTAssertEqual(lines[3], #"d_seconds_bucket{x="1",le="0.0025"} 2"#)
    XCTAssertEqual(
      Array(lines.suffix(4)),
      [
        #"d_seconds_bucket{x="1",le="10.0"} 2"#, #"d_seconds_bucket{x="1",le="+Inf"} 3"#,
        #"d_seconds_sum{x="1"} 30.003"#, #"d_seconds_count{x="1"} 3"#,
      ])
  }

  func testVersionMatchesTheHeader() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let header = try String(
      contentsOf: root.appendingPathComponent("Include/wallet_core.h"), encoding: .utf8)
    let parts = ProviderVersion.text.split(separator: ".")
    for (name, part) in zip(["MAJOR", "MINOR", "PATCH"], parts) {
      XCTAssertTrue(header.contains("#define WALLET_CORE_VERSION_\(name) \(part)\n"))
    }
  }

  func testCountsAttemptsAndProofingsWithoutNames() async throws {
    let harness = try ProviderHarness()
    let limits = RequestLimits()
    let wallet = try await TestWallet.confirmed(harness)
    let challenge = try await wallet.challenge(for: .checkPin)
    let wrong = try wallet.preparePin(.checkPin, pin: "111999", challenge: challenge)
    let id = wallet.id
    try await withHTTP(harness, limits: limits) { http in
      _ = try await http.post(Route.instruction(.checkPin), wrong.body)
      _ = try await http.get("/" + id)
    }
    let text = limits.metrics.text
    for line in [
      #"wallet_provider_attempts_judged_total{judgement="wrong"} 1"#,
      #"wallet_provider_attempts_judged_total{judgement="right"} 0"#,
      #"wallet_provider_http_requests_total{endpoint="check_pin",status="200"} 1"#,
      #"wallet_provider_http_requests_total{endpoint="unknown",status="404"} 1"#,
      #"wallet_provider_http_request_duration_seconds_count{endpoint="check_pin"} 1"#,
      #"wallet_provider_limits_hit_total{limit="wallet_rate"} 0"#,
      "wallet_provider_connections 0.0",
      #"wallet_provider_build_info{version="\#(ProviderVersion.text)"} 1"#,
    ] { XCTAssertTrue(text.contains("\n" + line + "\n"), "\(line) is not in\n\(text)") }
    XCTAssertFalse(text.contains(wallet.id))
  }

  func testServesMetricsOnTheirOwnPortOnly() throws {
    let server = try ServerProcess(["--data", data, "--metrics-port", "0"], lines: 2)
    let (main, own) = (try port(server), try port(server, line: "metrics are at"))
    let connection = try RawConnection(port: own)
    let open = try RawConnection(port: main)
    open.send(Self.get(Route.live))
    XCTAssertEqual(try open.answer()?.status, 200)
    connection.send(Self.get("/metrics"))
    let answer = try XCTUnwrap(try connection.answer())
    XCTAssertEqual(answer.header("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    for (name, least) in [
      ("process_resident_memory_bytes", 1e6), ("process_start_time_seconds", 1.7e9),
      ("process_cpu_seconds_total", 0.001), ("wallet_provider_connections", 1.0),
    ] {
      let line = answer.body.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      let value = line.flatMap { Double($0.dropFirst(name.count + 1)) }
      XCTAssertGreaterThanOrEqual(try XCTUnwrap(value, name), least, name)
    }
    open.send(Self.get("/metrics"))
    XCTAssertEqual(try open.answer()?.problem, "not-found")
    connection.send(Self.get(Route.configuration))
    XCTAssertEqual(try connection.answer()?.problem, "not-found")
    connection.send("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
    XCTAssertEqual(try connection.answer()?.problem, "method-not-allowed")
    XCTAssertEqual(server.end(), 0)
  }
}
