import TestSupport
import WalletCrypto
import XCTest

/// Several secrets in one block: each keeps its content, and all are protected and wiped as one is.
final class SecretBatchTests: XCTestCase {
  private let place: [UInt8] = [1]
  private var key: Secret!

  override func setUpWithError() throws {
    key = try Secret.random(count: AuthenticatedBox.keyLength)
  }

  override func tearDown() { key = nil }

  private func box(_ content: [UInt8]) throws -> [UInt8] {
    try AuthenticatedBox.seal(Secret(copying: content), key: key, associatedData: place)
  }

  /// Opens a box into a batch; false if the batch is full.
  private func open(_ box: [UInt8], into batch: SecretBatch) throws -> Bool {
    try box.withUnsafeBytes {
      try AuthenticatedBox.open($0, key: key, associatedData: place, into: batch)
    }
  }

  private func contents(_ batch: SecretBatch) -> [[UInt8]?] {
    var contents: [[UInt8]?] = []
    batch.forEach { contents.append($1.map { Array($0) }) }
    return contents
  }

  private func addresses(_ batch: SecretBatch) -> [UInt] {
    var addresses: [UInt] = []
    batch.forEach { addresses.append(UInt(bitPattern: $1?.baseAddress)) }
    return addresses
  }

  func testEachSecretKeepsItsContentInAsManyBatchesAsItTakes() throws {
    let batch = SecretBatch()
    let secrets = [0, 1, 32, 2048, 2048, 4080, 300, 16_368, 50_000, 7, 0, 9000, 9000].enumerated()
      .map { [UInt8](repeating: UInt8($0.offset + 1), count: $0.element) }
    var found: [[UInt8]?] = []
    for secret in secrets {
      let box = try box(secret)
      if try open(box, into: batch) { continue }
      found += contents(batch)
      batch.clear()
      XCTAssertEqual(batch.count, 0)
      XCTAssertTrue(try open(box, into: batch), "\(secret.count) bytes")
    }
    found += contents(batch)
    XCTAssertEqual(found, secrets)
  }

  func testWhatDoesNotOpenIsMissingAndHidesNoOther() throws {
    let batch = SecretBatch()
    var damaged = try box([7, 7, 7])
    damaged[30] ^= 1
    for box in [try box([1, 2]), damaged, [1, 2, 3], try box([3])] {
      XCTAssertTrue(try open(box, into: batch))
    }
    batch.appendMissing()
    XCTAssertEqual(contents(batch), [[1, 2], nil, nil, [3], nil])
  }

  func testAKeyOfAnotherLengthIsRefused() throws {
    key = try Secret.random(count: 16)
    XCTAssertThrowsError(try open([UInt8](repeating: 0, count: 64), into: SecretBatch())) {
      XCTAssertEqual($0 as? CryptoError, .wrongLength)
    }
  }

  func testAllCanOnlyBeReadAreLockedAreNotDumpedAndEndWhereNobodyMayRead() throws {
    let batch = SecretBatch()
    let box = try box([UInt8](repeating: 5, count: 2048))
    for _ in 0..<2 {  // the second time in a large block
      while try open(box, into: batch) {}
      let addresses = addresses(batch)
      XCTAssertFalse(addresses.isEmpty)
      for address in addresses {
        XCTAssertEqual(try MemoryMap.protection(of: address), "r--p")
        let flags = try MemoryMap.flags(of: address)
        XCTAssertTrue(flags.contains("dd"), "\(flags)")
        if try MemoryMap.canLock() { XCTAssertTrue(flags.contains("lo"), "\(flags)") }
      }
      XCTAssertEqual(try MemoryMap.protection(of: try XCTUnwrap(addresses.first) + 2048), "---p")
      XCTAssertFalse(try open(box, into: batch), "filled again before it was cleared")
      batch.clear()
    }
    while try open(box, into: batch) {}
    XCTAssertEqual(batch.count, 7, "one page of 16 KiB")
  }

  func testAClearedBatchLeavesZeros() throws {
    let batch = SecretBatch()
    batch.expect(5000)  // The block is a large one, which stays.
    let box = try box([UInt8](repeating: 5, count: 2048))
    while try open(box, into: batch) {}
    let before = addresses(batch)
    batch.clear()
    XCTAssertTrue(try open(box, into: batch))
    XCTAssertEqual(addresses(batch).first, before.first, "the same block")
    for address in before.dropFirst() {
      let left = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: 2048)
      XCTAssertTrue(left.allSatisfy { $0 == 0 })
    }
  }

  func testTheLastOneToLetGoOfABatchWipesIt() throws {
    // A usual block is kept for the next secret, and a large one is unmapped.
    for (count, isLarge) in [(100, false), (5000, true)] {
      var batch: SecretBatch? = SecretBatch()
      XCTAssertTrue(
        try open(box([UInt8](repeating: 5, count: count)), into: XCTUnwrap(batch)))
      let address = try XCTUnwrap(addresses(XCTUnwrap(batch)).first)
      batch = nil
      let protection = try MemoryMap.protection(of: address)
      guard !isLarge, protection == "rw-p" else {
        // Another mapping may have taken the place meanwhile.
        XCTAssertNotEqual(protection, "r--p")
        continue
      }
      let left = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
      XCTAssertTrue(left.allSatisfy { $0 == 0 })
    }
  }
}
