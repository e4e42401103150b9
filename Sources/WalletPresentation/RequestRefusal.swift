/// Why a request is not answered.
public struct RequestRefusal: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// The link has no request, or one that cannot be read.
    case linkMalformed
    /// `request_uri_method` is neither `get` nor `post`.
    case methodUnknown
    /// The request object is no signed one of its type.
    case objectMalformed
    /// Its certificates do not lead to an authority for relying parties.
    case partyNotTrusted
    /// The signature is not that of the certificate.
    case signatureInvalid
    /// Who asks is not who the link says, or not who the certificate says.
    case clientMismatch
    /// A kind of `client_id` that is not supported.
    case clientKindUnknown
    /// The request is for somebody else, expired or from the future.
    case notForNow
    /// The request is not the one that this wallet has asked for.
    case nonceMismatch
    /// The answer would go to a host that is not the relying party's.
    case responseHostRefused
    /// The request breaks a rule of the protocol.
    case invalid
    /// It names a scope instead of a query.
    case scopeUnknown
    /// There is no format or algorithm in common.
    case formatsNotSupported
    /// It has transactions to be confirmed, which are not supported.
    case transactionData
  }

  /// What may be told to the relying party.
  public struct Reply: Equatable, Sendable {
    public let responseURI: String
    /// The `error` of OAuth 2.0 (RFC 6749 section 4.1.2.1) or of OpenID4VP.
    public let error: String
    public let state: String?
  }

  public let reason: Reason
  /// Nil until the request was authenticated: before that the address is anybody's.
  public let reply: Reply?
  /// Who is authenticated; nil as long as there is no reply.
  public let party: AuthenticatedParty?

  init(_ reason: Reason, reply: Reply? = nil, to party: AuthenticatedParty? = nil) {
    self.reason = reason
    self.reply = reply
    self.party = party
  }
}
