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

  func testTrustsHeadersOnlyFromNamedProxies() throws {
    let named = try headers("X-Forwarded-For", "198.51.100.7")
    let ranges = ["192.0.2.1", "10.0.0.0/8", "2001:db8::/33"].compactMap { AddressRange($0) }
    let limits = RequestLimits(proxyHeader: .xForwardedFor, trustedProxies: ranges)
    for (address, isTrusted) in [
      ("192.0.2.1", true), ("::ffff:192.0.2.1", true), ("10.255.0.1", true), ("10.0.0.0", true),
      ("2001:db8:7fff::1", true), ("192.0.2.2", false), ("11.0.0.1", false), ("127.0.0.1", false),
      ("2001:db8:8000::1", false), ("::a00:1", false),
    ] {
      let peer = try SocketAddress(ipAddress: address, port: 1)
      XCTAssertEqual(
        limits.client(named, peer: peer),
        isTrusted ? ClientAddress(literal: "198.51.100.7") : ClientAddress(peer), address)
      XCTAssertEqual(limits.isProxy(peer), isTrusted, "its connections are counted: \(address)")
    }
  }

  func testReadsAddressesAndNetworksInOneSpelling() {
    for good in ["0.0.0.0/0", "::/0", "127.0.0.0/8", "::1", "10.1.2.3/32", "fe80::/10"] {
      XCTAssertEqual(AddressRange(good)?.text, good)
    }
    for bad in [
      "", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1",
      "10.0.0.1/8", "10.0.0", "wallet.example", "[::1]", "10.0.0.0/8/8", "::1\0", " 10.0.0.1",
      "fe80::1%eth0",
    ] {
      XCTAssertNil(AddressRange(bad), bad)
    }
  }
}
