import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import WalletProvider
import XCTest

/// A provider with a signer of status lists, as a server has it, and what a wallet reads.
struct StatusTestBed: Sendable {
  static let url = "https://wallet.example.org"

  let harness: ProviderHarness
  let authority: TestAuthority
  let signer: TestStatusSigner
  let settings: StatusListSettings

  init(settings: StatusListSettings = StatusListSettings()) throws {
    var provider = ProviderSettings()
    provider.proofing.statusLists = settings
    try self.init(ProviderHarness(settings: provider))
  }

  init(_ harness: ProviderHarness) throws {
    self.harness = harness
    settings = harness.settings.proofing.statusLists
    authority = try TestAuthority("Status authority")
    signer = try TestStatusSigner(below: authority)
  }

  /// Like that of another process. Its ticks are the test's clock.
  func publisher(store: (any ProviderStore)? = nil) throws -> StatusListPublisher {
    StatusListPublisher(
      store: try store ?? harness.secondStore(),
      signer: StatusListSigner(chain: signer.chain, signer: signer), settings: settings,
      ticks: { [clock = harness.clock] in clock.now })
  }

  /// A batch of copies, which end in a month.
  func assignment(
    _ issuance: String, copies: Int = 10, wallet: String = "wallet", account: String = "account",
    life: Int64 = 30 * 86_400_000
  ) -> StatusAssignment {
    StatusAssignment(
      issuance: issuance, copies: copies, wallet: wallet, account: account,
      expiresAt: harness.clock.now + life)
  }

  @discardableResult
  func assign(
    _ assignment: StatusAssignment, in store: (any ProviderStore)? = nil
  ) async throws -> [StatusReference] {
    try await (store ?? harness.store).transaction { [settings] rows in
      try rows.assignStatusEntries(
        assignment, publicURL: Self.url, settings: settings, now: try rows.now)
    }
  }

  @discardableResult
  func revoke(_ owner: StatusOwner, except issuance: String? = nil) async throws -> Int {
    try await harness.store.transaction { [settings] rows in
      try rows.revokeStatusEntries(
        of: owner, except: issuance, settings: settings, now: try rows.now)
    }
  }

  func entries(_ issuance: String) async throws -> [StoredStatusEntry] {
    try await harness.store.transaction { try $0.statusEntries(ofIssuance: issuance) }
  }

  func lists() async throws -> [StoredStatusList] {
    try await harness.store.transaction { try $0.found(StoredStatusList.self, limit: 100) }
  }

  static func id(_ uri: String) -> String {
    String(uri.dropFirst((url + "/status-lists/").count))
  }

  /// The list as a wallet reads it that trusts the authority.
  func read(_ token: String, uri: String) throws -> StatusList {
    let token = try StatusListToken(parsing: token)
    XCTAssertEqual(token.chain, signer.chain)
    return try token.verify(
      uri: uri, by: P256VerifyingKey(SubjectPublicKey(p256: signer.publicKey)))
  }

  /// The list at `uri` by a publisher that has made nothing before.
  func list(_ uri: String) async throws -> StatusList {
    let published = try await publisher().list(Self.id(uri))
    return try read(try XCTUnwrap(published).token, uri: uri)
  }

  /// Which of these are revoked in the newest lists.
  func revoked(_ references: [StatusReference]) async throws -> [Bool] {
    var revoked: [Bool] = []
    for reference in references {
      revoked.append(try await !list(reference.uri).status(at: reference.index).isUsable)
    }
    return revoked
  }

  /// Lets everything that is revoked by now appear in the lists.
  func waitForLists() { harness.clock.advance(2 * settings.timeToLive) }
}
