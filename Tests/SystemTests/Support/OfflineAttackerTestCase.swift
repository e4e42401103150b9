import Foundation
import XCTest

/// An attacker has a copy of the whole storage directory and can use the hardware key and the
/// encryption bridge.
class OfflineAttackerTestCase: XCTestCase {
  let pin = "142032"
  let newPin = "314158"
  let wrongPins = ["142033", "271828", "000001"]
  private(set) var provider: TestProvider!
  private(set) var document = Data()

  override func setUpWithError() throws {
    provider = try TestProvider()
    document = try provider.clientConfiguration()
  }

  override func tearDown() { provider = nil }

  func withDevice(_ body: (KillHost) throws -> Void) throws {
    let host = try KillHost(configuration: document)
    defer { host.remove() }
    try body(host)
  }
}
