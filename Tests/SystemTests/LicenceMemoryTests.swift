import Foundation
import TestSupport
import XCTest

/// The bytes of a licence are in memory only while it is parsed. The tests read the memory of a
/// whole process from outside.
final class LicenceMemoryTests: KillTestCase {
  /// A random word without D and Z, with which every element begins, because a licence in which two
  /// elements may have run together is refused.
  private func word() -> String {
    String((0..<16).compactMap { _ in "BCFGHJKLMNPQRSTVWX".randomElement() })
  }

  /// The memory of a host after its wallet has read a licence.
  private func memory(
    locking: Bool, sending: Bool = false,
    _ body: (_ isGone: (String) -> Bool, _ applicant: Applicant, _ street: String) -> Void
  ) throws {
    // A random applicant: the host runs this bundle, whose code contains the default one.
    var applicant = Applicant()
    // Few letters, like a text that may stand for a missing value.
    applicant.familyName = String(word().prefix(7))
    let (year, day) = (Int.random(in: 1950...1989), Int.random(in: 10...28))
    applicant.birthDate = "\(year)-11-\(day)"
    let (street, control) = (word(), word())
    let barcode = String(decoding: applicant.barcode, as: UTF8.self)
      .replacingOccurrences(of: "PENNYWHISTLE WAY", with: street)
    XCTAssertTrue(barcode.contains(street))
    let link = try provider.openAccount(for: applicant).link
    try withDevice { host in
      let ready = host.storage.appendingPathComponent("ready")
      var licence = MaskedLicence(
        Array(barcode.utf8), control: control, link: link, ready: ready)
      licence.locks = locking
      licence.losesNetwork = !sending
      let order = KillHost.Order(
        storage: host.storage, keys: host.keys, configuration: host.configuration,
        steps: [.register(pin), .readLicence(licence), .awaitKill])
      let process = try KillHost.process(for: order)
      let output = host.storage.appendingPathComponent("output")
      try Data().write(to: output)
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = process.standardOutput
      try process.start()
      defer {
        process.terminate()
        process.waitUntilExit()
      }
      let isReady = { FileManager.default.fileExists(atPath: ready.path) }
      _ = eventually { isReady() || !process.isRunning }
      guard isReady() else {
        throw TestFailure(
          "the licence was not read: \(try String(contentsOf: output, encoding: .utf8))")
      }
      let memory = try ProcessMemory(of: process.processIdentifier)
      XCTAssertTrue(memory.holds(control), "the search does not find what is there")
      XCTAssertGreaterThan(memory.count, 1 << 20)
      body({ !memory.holds($0) }, applicant, street)
    }
  }

  func testNothingOfALicenceThatStaysInTheParseIsInMemoryAfterIt() throws {
    try memory(locking: false) { isGone, applicant, street in
      XCTAssertTrue(isGone(street))
      // The data that is sent has another format than on the card.
      XCTAssertTrue(isGone(applicant.familyName.lowercased()), "a copy in small letters")
      for date in [applicant.birthDate, applicant.expiryDate] {
        XCTAssertTrue(isGone(Applicant.onCard(date)), "the digits of a date")
      }
    }
  }

  func testWhatWasReadOfALicenceIsGoneFromMemoryAfterALock() throws {
    try memory(locking: true) { isGone, applicant, street in
      XCTAssertTrue(isGone(street))
      XCTAssertTrue(isGone(applicant.documentNumber), "the number of the licence")
      XCTAssertTrue(isGone(applicant.familyName), "the name on it")
    }
  }

  func testNothingThatStaysInTheParseIsInMemoryAfterTheRestWasSent() throws {
    try provider.control("/vetting", ["verdict": "unavailable"])
    try memory(locking: true, sending: true) { isGone, _, street in
      XCTAssertTrue(isGone(street))
    }
  }
}
