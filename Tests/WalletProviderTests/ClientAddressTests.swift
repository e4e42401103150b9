import HTTPTypes
import NIOCore
import XCTest

@testable import WalletProviderServer

final class ClientAddressTests: XCTestCase {
  private func headers(_ name: String, _ lines: String...) throws -> HTTPFields {
    let name = try XCTUnwrap(HTTPField.Name(name))
    return HTTPFields(lines.map { HTTPField(name: name, value: $0) })
  }

  func testCountsIPv6PerCustomerAndMappedIPv4AsIPv4() throws {
    let address = try XCTUnwrap(ClientAddress(literal: "2001:db8:1:2::1"))
    XCTAssertEqual(address, ClientAddress(literal: "2001:db8:1:2:ffff::9"))
    XCTAssertNotEqual(address, ClientAddress(literal: "2001:db8:1:3::1"))
    XCTAssertEqual(ClientAddress(literal: "::ffff:192.0.2.1"), ClientAddress(literal: "192.0.2.1"))
    XCTAssertNotEqual(ClientAddress(literal: "192.0.2.1"), ClientAddress(literal: "192.0.2.2"))
    XCTAssertEqual(
      ClientAddress(try SocketAddress(ipAddress: "192.0.2.1", port: 1)),
      ClientAddress(literal: "192.0.2.1"))
    XCTAssertEqual(
      ClientAddress(try SocketAddress(ipAddress: "2001:db8:1:2::5", port: 1)), address)
    XCTAssertNil(ClientAddress(try SocketAddress(unixDomainSocketPath: "socket")))
  }

  func testAcceptsPortsAndBracketsFromProxies() {
    for text in ["192.0.2.1:80", "192.0.2.1"] {
      XCTAssertEqual(ClientAddress(literal: text), ClientAddress(literal: "192.0.2.1"))
    }
    for text in ["[2001:db8::1]:80", "[2001:db8::1]"] {
      XCTAssertEqual(ClientAddress(literal: text), ClientAddress(literal: "2001:db8::1"))
    }
    for text in [
      "", "unknown", "_hidden", "192.0.2", "1.2.3.4.5", "[::1", "::1%eth0", "a:b", "1\0",
    ] {
      XCTAssertNil(ClientAddress(literal: text), text)
    }
  }

  func testTrustsOnlyTheLastAddressOfTheConfiguredHeader() throws {
    let expected = ClientAddress(literal: "198.51.100.7")
    let forwardedFor = ProxyHeader.xForwardedFor
    XCTAssertEqual(
      forwardedFor.client(try headers("X-Forwarded-For", "10.0.0.1, 198.51.100.7")), expected)
    XCTAssertEqual(
      forwardedFor.client(try headers("X-Forwarded-For", "10.0.0.1", "198.51.100.7")), expected)
    XCTAssertNil(forwardedFor.client(try headers("Forwarded", "for=198.51.100.7")))
    XCTAssertNil(forwardedFor.client(try headers("X-Forwarded-For", "198.51.100.7, unknown")))
    XCTAssertNil(forwardedFor.client(try headers("X-Forwarded-For", "198.51.100.7,")))
    let forwarded = ProxyHeader.forwarded
    for value in [
      "for=10.0.0.1;proto=https, for=198.51.100.7", "proto=https; For=\"198.51.100.7:4711\"",
    ] {
      XCTAssertEqual(forwarded.client(try headers("Forwarded", value)), expected, value)
    }
    XCTAssertEqual(
      forwarded.client(try headers("Forwarded", "for=\"[2001:db8::1]:80\"")),
      ClientAddress(literal: "2001:db8::1"))
    for value in ["for=unknown", "proto=https", "for", "for=198.51.100.7, proto=http", ""] {
      XCTAssertNil(forwarded.client(try headers("Forwarded", value)), value)
    }
  }

  func testTrustsHeadersOnlyBehindAProxy() throws {
    let peer = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
    let named = try headers("X-Forwarded-For", "198.51.100.7")
    XCTAssertEqual(RequestLimits().client(named, peer: peer), ClientAddress(peer))
    let behind = RequestLimits(proxyHeader: .xForwardedFor)
    XCTAssertEqual(behind.client(named, peer: peer), ClientAddress(literal: "198.51.100.7"))
    XCTAssertEqual(behind.client([:], peer: peer), ClientAddress(peer))
  }
}
