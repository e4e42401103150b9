import Foundation
import WalletSystem
import XCTest

final class ProcessTests: XCTestCase {
  func testATakenVariableIsGone() {
    setenv("WALLET_SYSTEM_TESTS", "value", 1)
    XCTAssertEqual(ProcessEnvironment.value("WALLET_SYSTEM_TESTS"), "value")
    XCTAssertEqual(ProcessEnvironment.take("WALLET_SYSTEM_TESTS"), "value")
    XCTAssertNil(ProcessEnvironment.take("WALLET_SYSTEM_TESTS"))
  }

  func testEachThreadHasItsOwnNumber() throws {
    let number = try XCTUnwrap(ThreadLocalNumber())
    number.set(1)
    try SystemThread("number", blocksSignals: true) {
      XCTAssertEqual(number.value, 0)
      number.set(2)
    }.join()
    XCTAssertEqual(number.value, 1)
  }

  func testASleepEndsInTime() {
    let condition = LockCondition()
    condition.lock()
    let start = SystemClock.monotonicMicroseconds
    condition.sleep(milliseconds: 1)
    condition.unlock()
    XCTAssertGreaterThan(SystemClock.monotonicMicroseconds, start)
  }

  func testAddressesAreReadAsBytes() {
    XCTAssertEqual(InternetAddress.ipv4("192.0.2.1"), [192, 0, 2, 1])
    XCTAssertNil(InternetAddress.ipv4("192.0.2"))
    XCTAssertEqual(InternetAddress.ipv6("::1"), [UInt8](repeating: 0, count: 15) + [1])
    XCTAssertNil(InternetAddress.ipv6("192.0.2.1"))
  }
}
