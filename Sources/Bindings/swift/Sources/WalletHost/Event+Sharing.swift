// SPDX-License-Identifier: Apache-2.0

// Requests of relying parties, and the history of them.
extension Event {
  /// What a relying party asks for, and what is chosen for it.
  public struct Sharing: Decodable, Sendable {
    /// What a registrar has certified.
    public struct Registration: Decodable, Sendable {
      /// What the data is for, by language.
      public let purposes: [String: String]
      public let privacyPolicy: String?
      public let registrar: String
    }

    /// A card that can be chosen, or a combination of cards.
    public struct Option: Decodable, Sendable {
      public let query, card: String?
      public let group: Int
      public let isChosen, mayBeLeftOut: Bool
      /// Names, indices as numbers, and null for all elements of an array.
      public let paths: [[Value]]
    }

    /// What is asked for and not there.
    public struct Missing: Decodable, Sendable {
      public let query: String
      public let types: [String]
      public let paths: [[Value]]
    }

    public let id, authority, host: String
    public let organisation, organisationId: String?
    /// One for each use of data. Show the purposes of all.
    public let registrations: [Registration]
    /// "not-registered", "asks-for-more", "host-not-certified", "card-expires-soon" or
    /// "copies-used-up". Values may be added.
    public let warnings: [String]
    public let isLogin, isFromOtherDevice: Bool
    public let sharedBefore: Int
    public let lastSharedAt, expiresAt: String?
    public let options: [Option]
    public let missing: [Missing]
  }

  /// How a request ended.
  public struct Shared: Decodable, Sendable {
    /// "shared", "may-have-been-shared", "stopped" or "failed".
    public let result: String
    /// To be opened once and as it is.
    public let redirectUri: String?
  }

  /// An entry of the history.
  public struct Activity: Decodable, Sendable {
    public struct Item: Decodable, Sendable {
      public let card, type: String
      public let name: String?
      public let paths: [[Value]]
    }

    /// "sharing" or "login".
    public let kind: String
    /// Of a request that could not be trusted only `host` is known, and `authority` is empty.
    public let result, at, authority, host: String
    public let organisation, organisationId: String?
    public let registrations: [Sharing.Registration]
    public let items: [Item]
  }
}
