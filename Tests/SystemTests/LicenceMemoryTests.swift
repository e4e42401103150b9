import Foundation
import XCTest

/// The bytes of a licence live in the parse alone (I2): read from outside out of a whole process.
final class LicenceMemoryTests: KillTestCase {
  private func word() -> String {
    String((0..<16).compactMap { _ in "BCDFGHJKLMNPQRSTVWXZ".randomElement() })
  }

  func testI2NothingOfALicenceThatStaysInTheParseIsInMemoryAfterIt() throws {
    let applicant = Applicant()
    let (street, control) = (word(), word())
    let barcode = String(decoding: applicant.barcode, as: UTF8.self)
      .replacingOccurrences(of: "PENNYWHISTLE WAY", with: street)
    XCTAssertTrue(barcode.contains(street))
    let link = try provider.openAccount(for: applicant).link
    try withDevice { host in
      let ready = host.storage.appendingPathComponent("ready")
      let licence = MaskedLicence(
        Array(barcode.utf8), control: control, link: link, ready: ready)
      let order = KillHost.Order(
        storage: host.storage, keys: host.keys, configuration: host.configuration,
        steps: [.register(pin), .readLicence(licence), .awaitKill])
      let process = try KillHost.process(for: order)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      defer {
        process.terminate()
        process.waitUntilExit()
      }
      for _ in 0..<600 where !FileManager.default.fileExists(atPath: ready.path) {
        usleep(50_000)
      }
      XCTAssertTrue(FileManager.default.fileExists(atPath: ready.path), "the licence was read")
      let memory = try ProcessMemory(of: process.processIdentifier)
      XCTAssertTrue(memory.holds(control), "the search finds what is there")
      XCTAssertFalse(memory.holds(street), "what stays in the parse")
      XCTAssertGreaterThan(memory.count, 1 << 20)
      print("searched \(memory.count >> 20) MiB of memory", memory.holds(applicant.documentNumber))
    }
  }
}
