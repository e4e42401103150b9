// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Foundation

/// An event of the library.
public struct Event: Sendable {
  public enum Content: Sendable {
    case configuration(Configuration)
    case lockState(LockState)
    case versionState(VersionState)
    case completion(Completion)
    case step(Step)
    /// The set of cards or the state of one has changed: call `cards()` again.
    case cardsChanged
    /// An event of a newer library that this host does not know. Ignore it.
    case unknown
  }

  public let content: Content
  /// The whole event, as wallet_core_events.schema.json describes it. May have personal data: never
  /// log it.
  public let json: String
  let kind: wallet_core_kind

  var completion: Completion? {
    if case .completion(let completion) = content { completion } else { nil }
  }

  /// Reads an event and frees it.
  init(taking event: OpaquePointer) {
    defer { wallet_core_event_free(event) }
    kind = wallet_core_event_kind(event)
    json = String(cString: wallet_core_event_json(event, nil))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data(json.utf8)
    func read<Part: Decodable>(_ make: (Part) -> Content) -> Content {
      (try? decoder.decode(Part.self, from: data)).map(make) ?? .unknown
    }
    // A completion ends its request even if its answer cannot be read.
    var completion: Content {
      .completion(Completion(event, try? decoder.decode(Completion.Answer.self, from: data)))
    }
    content =
      switch kind {
      case WALLET_CORE_EVENT_CONFIGURATION: read(Content.configuration)
      case WALLET_CORE_EVENT_LOCK_STATE: read(Content.lockState)
      case WALLET_CORE_EVENT_VERSION_STATE: read(Content.versionState)
      case WALLET_CORE_EVENT_COMPLETION: completion
      case WALLET_CORE_EVENT_STEP: read(Content.step)
      case WALLET_CORE_EVENT_CARDS_CHANGED: .cardsChanged
      default: .unknown
      }
  }

  public struct Configuration: Decodable, Sendable {
    public let version, inactiveTimeoutMs, inactiveWarningMs, backgroundTimeoutMs: Int64
    public let proofingHosts: [String]
  }

  public struct LockState: Decodable, Sendable {
    public let isLocked: Bool
    public let locksInMs: Int64?
  }

  public struct VersionState: Decodable, Sendable {
    public let grade: String
    public let blockedInMs: Int64?
    public let isUpdateAvailable: Bool?
  }

  public struct Completion: Sendable {
    struct Answer: Decodable {
      let pin: Verdict?
      let replacement: Replacement?
      let cards: [Card]?
      let presentations: [String]?
      let sharing: Sharing?
      let shared: Shared?
      let activities: [Activity]?
    }
    public let request: UInt64
    /// Why the request failed, or why its answer could not be read; nil on success.
    public let error: WalletCoreError?
    public let pin: Verdict?
    /// Another wallet that waits to take the place of this one.
    public let replacement: Replacement?
    public let cards: [Card]?
    /// In the order of the selections; only with a right PIN.
    public let presentations: [String]?
    public let sharing: Sharing?
    public let shared: Shared?
    public let activities: [Activity]?

    /// - Parameter answer: nil if it cannot be read.
    init(_ event: OpaquePointer, _ answer: Answer?) {
      request = wallet_core_event_request(event)
      let status = wallet_core_event_status(event)
      error =
        status != WALLET_CORE_OK
        ? WalletCoreError(status, wallet_core_event_error(event))
        : answer == nil ? .unreadable : nil
      replacement = answer?.replacement
      var pin = answer?.pin
      pin?.replacement = replacement
      self.pin = pin
      cards = answer?.cards
      presentations = answer?.presentations
      sharing = answer?.sharing
      shared = answer?.shared
      activities = answer?.activities
    }
  }

  /// The provider's verdict on a PIN.
  public struct Verdict: Decodable, Sendable {
    public let outcome: String
    public let attemptsLeft: Int?
    public let isFinalRound: Bool?
    public let blockedForMs: Int64?
    public let failedAttempts: Int?
    public let lastFailedAt: Int64?
    /// As in the completion.
    public internal(set) var replacement: Replacement?
  }

  /// Another wallet that waits to take the place of this one: tell the user, and call
  /// `decideReplacement`.
  public struct Replacement: Decodable, Sendable {
    public let session: String
    public let takesEffectInMs: Int64
  }

  public struct Card: Decodable, Sendable {
    public let id, type, issuer: String
    /// "valid", "expires-soon", "not-yet-valid", "expired", "revoked", "suspended", "unchecked",
    /// "key-lost", "untrusted" or "unreadable". Values may be added.
    public let state: String
    public let issuedAt, expiresAt: String?
    /// How the issuer wants the card to be shown.
    public let name, backgroundColor, textColor: String?
    /// Of a card that is held in copies: how many there are, and how many no verifier has seen.
    public let copies, unusedCopies: Int?
    public let claims: [String: Value]
    /// The ways to the parts of the claims that can be withheld: names, and indices as numbers.
    public let disclosable: [[Value]]
  }

  public struct Step: Decodable, Sendable {
    public struct Action: Decodable, Sendable { public let name, label: String }
    public let serial: UInt64
    public let useCase, row, stepKind, name, title, message, input: String
    public let arguments: [String: Value]
    public let notices: [String]
    public let actions: [Action]
    public let beneath: String?
    /// What a relying party asks for, on steps about it.
    public let sharing: Sharing?
  }

  /// A value of a claim or of an argument.
  public enum Value: Decodable, Sendable {
    case truth(Bool), number(Int64), text(String), list([Value]), object([String: Value])
    /// A number that is no 64-bit integer.
    case decimal(Double)
    case null

    public init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let truth = try? value.decode(Bool.self) {
        self = .truth(truth)
      } else if let number = try? value.decode(Int64.self) {
        self = .number(number)
      } else if let number = try? value.decode(Double.self) {
        self = .decimal(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([Value].self) {
        self = .list(list)
      } else {
        self = .object(try value.decode([String: Value].self))
      }
    }
  }
}
