import Foundation
import WalletAccount
import WalletCards
import WalletCrypto
import WalletModel
import WalletStorage
import WalletProtocol
import XCTest

/// The slots of copies: who opens them, and what they are bound to.
final class CardSlotTests: XCTestCase {
  private let copy = CardCopy(credential: "a.b.c~salt~", keyIdentifier: "wallet_core.card.1")
  private let copyID = [UInt8](0..<16)

  private func slot(_ device: CardDevice) throws -> CardSlot {
    try CardSlot(
      sealing: copy, copyID: copyID, walletID: CardDevice.walletID, to: device.useKey)
  }

  func testOnlyTheKeyThatTheProviderReturnsOpensASlot() throws {
    let device = try CardDevice(for: self)
    let slot = try CardSlot(stored: slot(device).stored())
    let (_, key) = try device.opened(slot)
    XCTAssertEqual(
      try slot.open(with: key, copyID: copyID, walletID: CardDevice.walletID), copy)
    for wrong in [device.vaultKey, device.accountKey] {
      assertThrows(
        .storageCorrupt, try slot.open(with: wrong, copyID: copyID, walletID: CardDevice.walletID))
    }
  }

  func testASlotIsBoundToItsWalletItsCopyAndItsUseKey() throws {
    let device = try CardDevice(for: self)
    let slot = try slot(device)
    let (prefix, key) = try device.opened(slot)
    XCTAssertEqual(
      prefix,
      SlotKeyMessage.prefix(
        walletHash: Hash.sha256(Array(CardDevice.walletID.utf8)), copy: copyID))
    assertThrows(
      .storageCorrupt, try slot.open(with: key, copyID: copyID, walletID: "wallet-2"))
    assertThrows(
      .storageCorrupt,
      try slot.open(with: key, copyID: copyID.reversed(), walletID: CardDevice.walletID))
    let renamed = String(decoding: try slot.stored(), as: UTF8.self)
      .replacingOccurrences(of: "use-1", with: "use-2")
    assertThrows(
      .storageCorrupt,
      try CardSlot(stored: Array(renamed.utf8)).open(
        with: key, copyID: copyID, walletID: CardDevice.walletID))
  }

  func testTwoSlotsOfOneCopyHaveNothingInCommon() throws {
    let device = try CardDevice(for: self)
    let (first, second) = (try slot(device), try slot(device))
    XCTAssertNotEqual(first.sealedKey, second.sealedKey)
    XCTAssertFalse(
      try device.opened(first).key.isEqual(to: device.opened(second).key))
  }

  func testNothingIsSealedToAKeyThatIsNone() throws {
    for key in ["", "AAAA", String(repeating: "A", count: 43), "not base64url!"] {
      assertThrows(
        .configurationInvalid,
        try CardSlot(
          sealing: copy, copyID: copyID, walletID: CardDevice.walletID,
          to: PublishedKey(id: "use-1", key: key)), key)
    }
  }

  func testADamagedSlotIsStorageCorrupt() throws {
    let device = try CardDevice(for: self)
    let stored = try slot(device).stored()
    assertThrows(.storageCorrupt, try CardSlot(stored: []))
    assertThrows(.storageCorrupt, try CardSlot(stored: Array(stored.dropLast())))
  }

  /// With a copy of the phone, the account key and the vault key, a thief has neither a salt nor a
  /// signature of a copy.
  func testTheStorageAndBothKeysHoldNothingThatCouldBePresented() throws {
    let device = try CardDevice(for: self)
    let issuer = try TestIssuer()
    let keys = try device.prepare(1)
    let text = try issuer.card(holder: keys[0].subjectKey)
    let id = try device.store(
      OfferedCard([text], keys: keys, anchors: issuer.anchors, now: TestIssuer.now))
    let parts = text.split(separator: "~").flatMap { $0.split(separator: ".") }.map(String.init)
    let salts = try text.split(separator: "~").dropFirst().map { disclosure in
      let json = try JSONValue(parsing: XCTUnwrap(Base64URL.decode(String(disclosure))))
      return try XCTUnwrap(json.array?.first?.string)
    }
    XCTAssertFalse(salts.isEmpty)
    let content = try device.cards.content(of: id).open(key: device.vaultKey).disclosed()
    let record = try JSONEncoder().encode(device.cards.record(of: id))
    var readable = content + Array(record)
    for name in try FileManager.default.contentsOfDirectory(atPath: device.path) {
      readable += try Data(contentsOf: URL(fileURLWithPath: device.path + "/" + name))
    }
    let everything = Data(readable)
    for part in parts + salts {
      XCTAssertNil(everything.range(of: Data(part.utf8)), "a part of \(part.count) characters")
    }
    XCTAssertNotNil(everything.range(of: Data("Jansen".utf8)), "the content was searched")
  }
}
