import XCTest

@testable import WalletProviderPostgreSQL

final class HostOrderTests: XCTestCase {
  private func order(
    _ url: String, last host: String, address: String = "", port: String = "5432"
  ) -> String {
    let server = DatabaseServer(host: host, address: address, port: port)
    return HostOrder.parameters(of: url, last: server).map { "\($0.0)=\($0.1)" }
      .joined(separator: " ")
  }

  func testTheServerThatLostAConnectionIsAskedLast() {
    let url = "postgresql://wallet@a,b,c/wallet?connect_timeout=2"
    XCTAssertEqual(order(url, last: "a").split(separator: " ").first, "host=b,c,a")
    XCTAssertEqual(order(url, last: "c").split(separator: " ").first, "host=a,b,c")
  }

  func testEachHostKeepsItsPort() {
    let url = "postgresql://a:1,b:2,c:3/wallet"
    XCTAssertEqual(order(url, last: "b", port: "2"), "host=c,a,b port=3,1,2")
  }

  func testOnePortIsThatOfAllHosts() {
    XCTAssertEqual(
      order("postgresql:///wallet?host=a,b&port=7", last: "a", port: "7"), "host=b,a")
  }

  func testServersOfOneNameAreToldApartByTheirPorts() {
    let url = "postgresql://a:1,a:2,a:3/wallet"
    XCTAssertEqual(order(url, last: "a", port: "2"), "host=a,a,a port=3,1,2")
    XCTAssertEqual(order(url, last: "a", port: "3"), "host=a,a,a port=1,2,3")
    // An empty port is libpq's own.
    XCTAssertEqual(order("postgresql://a:1,a/wallet", last: "a"), "host=a,a port=1,")
    XCTAssertEqual(order("postgresql://a,a:1/wallet", last: "a"), "host=a,a port=1,")
  }

  func testServersOfOneNameAreToldApartByTheirAddresses() {
    let url = "postgresql:///wallet?host=a,a&hostaddr=10.0.0.1,10.0.0.2"
    XCTAssertEqual(
      order(url, last: "a", address: "10.0.0.1"), "host=a,a hostaddr=10.0.0.2,10.0.0.1")
    XCTAssertEqual(
      order(url, last: "a", address: "10.0.0.2"), "host=a,a hostaddr=10.0.0.1,10.0.0.2")
  }

  func testServersWithoutNamesHaveTheirAddressesInstead() {
    let url = "postgresql:///wallet?hostaddr=10.0.0.1,10.0.0.2,10.0.0.3"
    XCTAssertEqual(
      order(url, last: "10.0.0.1", address: "10.0.0.1"), "hostaddr=10.0.0.2,10.0.0.3,10.0.0.1")
    // Some have a name.
    XCTAssertEqual(
      order(
        "postgresql:///wallet?host=a,&hostaddr=10.0.0.1,10.0.0.2", last: "10.0.0.2",
        address: "10.0.0.2"), "host=a, hostaddr=10.0.0.1,10.0.0.2")
  }

  func testThereIsNothingToOrder() {
    XCTAssertEqual(order("postgresql://a/wallet", last: "a"), "")
    XCTAssertEqual(order("postgresql://a,b/wallet", last: "d"), "")
    XCTAssertEqual(order("postgresql:///wallet", last: "/var/run/postgresql"), "")
    XCTAssertEqual(order("postgresql:///wallet?hostaddr=10.0.0.1", last: "10.0.0.1"), "")
  }
}
