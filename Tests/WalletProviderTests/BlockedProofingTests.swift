import WalletProtocol
import WalletProvider
import XCTest

/// What a blocked wallet can do in a pending proofing.
final class BlockedProofingTests: StoreTestCase {
  func testStatusRequestOfABlockedWalletDoesNotDecideItsCase() async throws {
    let vetting = ScriptedVetting([
      .proofed(sourceMatched: false), .pending, .proofed(sourceMatched: false),
    ])
    let harness = try ProviderHarness(vetting: vetting)
    let (mine, thief) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let code = try await harness.accounts.create(try TestPerson.person())
    let proofed = try await mine.submit(try TestPerson.claims(), try await mine.claimed(code).id)
    XCTAssertEqual(proofed.state, .proofed)
    let second = try await harness.accounts.issueCode(account: code.account)
    let session = try await thief.claimed(try XCTUnwrap(second))
    let pending = try await thief.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(pending.state, .pending)

    let administration = WalletAdministration(store: harness.store)
    let isBlocked = try await administration.block(thief.id)
    XCTAssertTrue(isBlocked)
    let looked = try await thief.status(session.id)
    XCTAssertEqual(looked, pending)
    XCTAssertEqual(vetting.asked, 2)
    let kept = try await harness.stored(mine)
    XCTAssertNotNil(kept, "the proofed wallet still exists")
    let account = try await harness.store.transaction { try $0.account(id: code.account) }
    XCTAssertEqual(account?.wallet, mine.id)

    // Once it is unblocked, it gets the verdict like any other wallet.
    let isUnblocked = try await administration.unblock(thief.id)
    XCTAssertTrue(isUnblocked)
    let decided = try await thief.status(session.id)
    XCTAssertEqual(decided.state, .proofed)
    let superseded = try await harness.stored(mine)
    XCTAssertNil(superseded)
  }
}
