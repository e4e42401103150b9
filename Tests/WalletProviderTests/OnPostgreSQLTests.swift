import WalletProviderPostgreSQL
import XCTest

// The test classes of the provider's rules again, on PostgreSQL. XCTest finds inherited tests only
// in a class that has a test of its own.

final class AccountListOnPostgreSQLTests: AccountListTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class AttemptTableOnPostgreSQLTests: AttemptTableTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class KilledProofingOnPostgreSQLTests: KilledProofingTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class PutBackRowOnPostgreSQLTests: PutBackRowTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class KilledGuessOnPostgreSQLTests: KilledGuessTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class BackupOnPostgreSQLTests: BackupTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EvaluatorRunbookOnPostgreSQLTests: EvaluatorRunbookTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EvaluatorRestoreOnPostgreSQLTests: EvaluatorRestoreTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class ParallelGuessOnPostgreSQLTests: ParallelGuessTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class PinChangeRefusalOnPostgreSQLTests: PinChangeRefusalTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class PinChangeOnPostgreSQLTests: PinChangeTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class ProofingConcurrencyOnPostgreSQLTests: ProofingConcurrencyTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class RegistrationOnPostgreSQLTests: RegistrationTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class RetransmissionOnPostgreSQLTests: RetransmissionTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EnrolmentCodeOnPostgreSQLTests: EnrolmentCodeTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EvidenceOnPostgreSQLTests: EvidenceTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class IssuanceOnPostgreSQLTests: IssuanceTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EnrolmentPageOnPostgreSQLTests: EnrolmentPageTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class UncountedRequestOnPostgreSQLTests: UncountedRequestTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class ProofingPrivacyOnPostgreSQLTests: ProofingPrivacyTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class WalletAdministrationOnPostgreSQLTests: WalletAdministrationTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class StoreOnPostgreSQLTests: StoreTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class ResealingOnPostgreSQLTests: ResealingTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class KeyRotationOnPostgreSQLTests: KeyRotationTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class ReplacementOnPostgreSQLTests: ReplacementTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

private func assertPostgreSQL() throws {
  XCTAssertTrue(try ProviderHarness().store is PostgreSQLProviderStore)
}

final class RowWriterOnPostgreSQLTests: RowWriterTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class FailureLimitOnPostgreSQLTests: FailureLimitTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}

final class EndedWalletOnPostgreSQLTests: EndedWalletTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws { try assertPostgreSQL() }
}
