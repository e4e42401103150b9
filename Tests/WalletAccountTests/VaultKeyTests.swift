import WalletCrypto
import XCTest

@testable import WalletAccount

/// A wrapping opens with its own secret, for its own purpose and wallet, and for no other.
final class VaultKeyTests: XCTestCase {
  func testAWrappingOpensOnlyForItsSecretPurposeAndWallet() throws {
    let key = try VaultKey.make()
    let secret = try Secret.random(count: 32)
    let box = try VaultKey.wrap(key, under: secret, purpose: .biometrics, walletID: "wallet-1")
    XCTAssertTrue(
      try VaultKey.open(box, under: secret, purpose: .biometrics, walletID: "wallet-1")
        .isEqual(to: key))
    for (other, purpose, wallet) in [
      (secret, VaultKey.Purpose.biometrics, "wallet-2"), (secret, .pin, "wallet-1"),
      (try .random(count: 32), .biometrics, "wallet-1"),
    ] {
      XCTAssertThrowsError(
        try VaultKey.open(box, under: other, purpose: purpose, walletID: wallet))
    }
  }

  func testWhatAPlatformDecryptedToSomethingElseOpensNothing() throws {
    let wrapping = BiometricWrapping(walletID: "wallet")
    let secret = try Secret.random(count: BiometricWrapping.secretLength)
    let sealed = SealedBiometricSecret(
      keyIdentifier: "key", ciphertext: [],
      vaultKey: try wrapping.wrap(try VaultKey.make(), under: secret))
    XCTAssertEqual(try wrapping.open(sealed, with: secret)?.count, 32)
    for count in [0, 31, 32, 33] {
      XCTAssertNil(try wrapping.open(sealed, with: try .random(count: count)))
    }
  }
}
