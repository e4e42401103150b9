import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A licence that a host process has in plain text only during the scan. So what is found in its
/// memory was left there by the library.
struct MaskedLicence: Codable {
  private static let mask: UInt8 = 0xA5

  var pin = "142032"
  var link: String
  private var barcode: [UInt8]
  /// A text that the host keeps in plain text, to check that the search works.
  private var control: [UInt8]
  /// Whether the network is lost before anything is sent.
  var losesNetwork = true
  /// Whether the wallet is locked at the end.
  var locks = false
  /// A file that the host makes once the licence was read.
  var ready: URL

  init(_ barcode: [UInt8], control: String, link: String, ready: URL) {
    self.barcode = barcode.map { $0 ^ Self.mask }
    self.control = control.utf8.map { $0 ^ Self.mask }
    self.link = link
    self.ready = ready
  }

  /// Reads the licence in the host process, up to the offer to send it again.
  func read(_ flow: FlowHost) throws {
    // As after a start; the registration has left the wallet unlocked.
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.launch()
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.expect("UC3.1 2b")
    try flow.claim(link)
    flow.choose("scan-licence")
    let serial = try flow.expect("UC3.1 6").serial
    if losesNetwork {
      wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    }
    let plain = Self.unmask(barcode)
    let status = wallet_core_choose_scanned(
      flow.client, serial, WALLET_CORE_SYMBOLOGY_PDF417,
      plain.assumingMemoryBound(to: UInt8.self), barcode.count, nil)
    memset(plain, 0, barcode.count)
    XCTAssertEqual(status, 0)
    try flow.expect("UC3.1 10b")
    if locks {
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      try flow.expect("UC2.3 1.3")
    }
    // Each of the two threads that do the wallet's work has freed what it had before it does more.
    _ = try flow.host.pinState()
    _ = try flow.host.complete(flow.host.begin(wallet_core_disable_biometric_unlock))
    // Never freed.
    _ = Self.unmask(control)
    try Data().write(to: ready)
  }

  private static func unmask(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    let plain = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    for (index, byte) in bytes.enumerated() {
      plain.storeBytes(of: byte ^ mask, toByteOffset: index, as: UInt8.self)
    }
    return plain
  }
}

/// The memory of another process.
struct ProcessMemory {
  private let regions: [Data]

  /// Reads all writable regions of the process.
  init(of process: Int32) throws {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let memory = open("/proc/\(process)/mem", O_RDONLY)
    guard memory >= 0 else { throw TestFailure("the memory of the host cannot be read") }
    defer { close(memory) }
    regions = maps.split(separator: "\n").compactMap { line -> Data? in
      let parts = line.split(separator: " ")
      let ends = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard parts.count > 1, parts[1].contains("w"), ends.count == 2 else { return nil }
      var bytes = [UInt8](repeating: 0, count: ends[1] - ends[0])
      let count = pread(memory, &bytes, bytes.count, ends[0])
      return count > 0 ? Data(bytes.prefix(count)) : nil
    }
  }

  var count: Int { regions.reduce(0) { $0 + $1.count } }

  func holds(_ text: String) -> Bool {
    regions.contains { $0.range(of: Data(text.utf8)) != nil }
  }
}
