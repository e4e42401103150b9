import Foundation
import WalletModel
import WalletStorage
import XCTest

@testable import WalletRuntime

/// The note of a wipe proves that a wipe was begun, or it proves nothing.
final class PendingWipeTests: XCTestCase {
  private var path: URL!
  private var directory: StorageDirectory!

  override func setUpWithError() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    directory = try StorageDirectory(path: path.path)
  }

  override func tearDownWithError() throws {
    directory.release()
    try FileManager.default.removeItem(at: path)
  }

  func testANoteIsReadAsItWasWritten() throws {
    XCTAssertNil(try PendingWipe.load(from: directory).begun)
    for signing in [nil, "signing.1"] {
      let wipe = PendingWipe(signingKeyIdentifier: signing, accountKeyIdentifier: "account.1")
      try wipe.save(in: directory)
      XCTAssertEqual(try PendingWipe.load(from: directory).begun, wipe)
    }
  }

  func testANoteWithAnyChangedByteProvesNothing() throws {
    let wipe = PendingWipe(signingKeyIdentifier: "signing.1", biometricKeyIdentifier: "biometric.1")
    try wipe.save(in: directory)
    let file = path.appendingPathComponent(PendingWipe.fileName)
    let note = try Data(contentsOf: file)
    for index in note.indices {
      for change: UInt8 in [0x01, 0x20, 0x80] {
        var changed = note
        changed[index] ^= change
        try changed.write(to: file)
        XCTAssertNil(try PendingWipe.load(from: directory).begun, "byte \(index)")
      }
    }
    for length in 0..<note.count {
      try note.prefix(length).write(to: file)
      XCTAssertNil(try PendingWipe.load(from: directory).begun, "\(length) bytes")
    }
  }
}
