import WalletCredentials
import WalletProtocol
import WalletSignatures
import WalletSystem

/// A status list in the form in which verifiers get it.
public struct PublishedStatusList: Sendable, Equatable {
  /// The signed list, a compact JWS (`application/statuslist+jwt`).
  public let token: String
  /// The quoted base64url SHA-256 of the token.
  public let entityTag: String
  /// When the next list is made, in milliseconds of the publisher's ticks.
  let ends: Int64
}

/// Makes the signed status lists of a store.
///
/// The time is cut into periods of `timeToLive`, counted from 1970 by the clock of the store. A
/// list is made once in each, and shows what is revoked at its beginning: so all replicas publish
/// the same, `iat` is the same, and lists that are fetched more often tell nothing more.
public actor StatusListPublisher {
  private let store: any ProviderStore
  private let signer: StatusListSigner
  private let settings: StatusListSettings
  private let ticks: @Sendable () -> Int64
  /// The lists of this period; others are removed when a list is made.
  private var made: [String: PublishedStatusList] = [:]
  /// Those that are being made; each is made once at a time.
  private var pending: [String: Task<PublishedStatusList?, any Error>] = [:]

  /// How many entries are read in one transaction.
  private static let entriesAtOnce = 2_000

  /// - Parameter ticks: milliseconds of a clock that never goes back; the machine's if nil.
  public init(
    store: any ProviderStore, signer: StatusListSigner, settings: StatusListSettings,
    ticks: (@Sendable () -> Int64)? = nil
  ) {
    self.store = store
    self.signer = signer
    self.settings = settings
    self.ticks = ticks ?? { SystemClock.bootMilliseconds }
  }

  /// The list with this id; nil if there is none.
  ///
  /// - Throws: `StoreFailure`, also for an entry that the provider did not write, because nobody
  ///   knows what a list without it would hide.
  public func list(_ id: String) async throws -> PublishedStatusList? {
    guard InstructionRequest.isID(id) else { return nil }
    if let list = made[id], list.ends > ticks() { return list }
    return try await (pending[id] ?? begin(id)).value
  }

  /// In how many whole seconds the list is made anew; 0 if it is about to be.
  public nonisolated func secondsLeft(of list: PublishedStatusList) -> Int64 {
    max(0, (list.ends - ticks()) / 1000)
  }

  private func begin(_ id: String) -> Task<PublishedStatusList?, any Error> {
    let task = Task<PublishedStatusList?, any Error> {
      do {
        let list = try await make(id)
        ended(id, list)
        return list
      } catch {
        ended(id, nil)
        throw error
      }
    }
    pending[id] = task
    return task
  }

  private func ended(_ id: String, _ list: PublishedStatusList?) {
    let now = ticks()
    pending[id] = nil
    made = made.filter { $0.value.ends > now }
    made[id] = list
  }

  private nonisolated func make(_ id: String) async throws -> PublishedStatusList? {
    let start = ticks()
    let (found, now) = try await store.transaction { (try $0.statusList(id: id), try $0.now) }
    guard let found else { return nil }
    let life = settings.timeToLive
    let begin = now - now % life
    var list = try IssuedStatusList(
      uri: found.uri, issuedAt: begin / 1000,
      expires: (begin + max(StatusListSettings.validity, 2 * life)) / 1000,
      timeToLive: life / 1000, size: found.size)
    var last: Int64 = -1
    while true {
      let page = try await store.transaction { [last] rows in
        try rows.revokedStatusEntries(
          ofList: id, at: begin, after: last, limit: Self.entriesAtOnce)
      }
      for entry in page { try list.revoke(entry.index) }
      guard page.count == Self.entriesAtOnce, let end = page.last else { break }
      last = end.index
    }
    let token = try list.sign(chain: signer.chain, signer: signer.signer)
    return PublishedStatusList(
      token: token, entityTag: "\"\(Base64URL.encode(Digest.sha256(token.utf8)))\"",
      ends: start + life - now % life)
  }
}
