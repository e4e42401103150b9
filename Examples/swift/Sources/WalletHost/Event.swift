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
    /// A newer library has kinds that this host does not know: ignore them.
    case unknown
  }

  public let content: Content
  /// All of it, as wallet_core_events.schema.json describes it. May say who the owner is: no log.
  public let json: String
  let kind: Int32

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
    content =
      switch Int(kind) {
      case WALLET_CORE_EVENT_CONFIGURATION: read(Content.configuration)
      case WALLET_CORE_EVENT_LOCK_STATE: read(Content.lockState)
      case WALLET_CORE_EVENT_VERSION_STATE: read(Content.versionState)
      case WALLET_CORE_EVENT_COMPLETION: read(Content.completion)
      case WALLET_CORE_EVENT_STEP: read(Content.step)
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

  public struct Completion: Decodable, Sendable {
    struct Failure: Decodable {
      let category: Int32
      let message: String
    }
    public let request: UInt64
    public let status: Int32
    let error: Failure?
    public let pin: Verdict?
    public let cards: [Card]?
    public let presentation: String?

    /// Itself, or the error that the request ended with.
    var result: Request.Result {
      guard let error else { return .success(self) }
      return .failure(
        WalletCoreError(status: status, category: error.category, message: error.message))
    }
  }

  /// What the provider said of a PIN.
  public struct Verdict: Decodable, Sendable {
    public let outcome: String
    public let attemptsLeft: Int?
    public let isFinalRound: Bool?
    public let blockedForMs: Int64?
  }

  public struct Card: Decodable, Sendable {
    public let id, type, issuer, issuedAt, expiresAt: String
    public let isExpired: Bool
    public let claims: [String: Value]
    public let disclosable: [String]
  }

  public struct Step: Decodable, Sendable {
    public struct Action: Decodable, Sendable { public let name, label: String }
    public let serial: UInt64
    public let useCase, row, stepKind, name, title, message, input: String
    public let arguments: [String: Value]
    public let notices: [String]
    public let actions: [Action]
    public let beneath: String?
  }

  /// A value of a claim or of an argument.
  public enum Value: Decodable, Sendable {
    case truth(Bool), number(Int64), text(String), object([String: Value])

    public init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let truth = try? value.decode(Bool.self) {
        self = .truth(truth)
      } else if let number = try? value.decode(Int64.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else {
        self = .object(try value.decode([String: Value].self))
      }
    }
  }
}
