public import WalletProtocol

/// The link that carries an enrolment code to a wallet:
/// `https://<host>/b#v=1&n=<base64url>&x=<unix>`. The secret is in the fragment, which no browser
/// sends to a server.
public struct EnrolmentLink: Sendable, Equatable, RedactedDescription {
  /// How the link reaches the wallet.
  public enum Medium: String, Sendable, CaseIterable {
    /// Scanned from another screen.
    case qr
    /// Opened on the wallet's device.
    case link
  }

  public let text: String

  /// - Parameter host: one of the proofing hosts in the configuration.
  public init(_ code: IssuedCode, host: String, medium: Medium) {
    let secret = Base64URL.encode(code.secret)
    text = "https://\(host)/b#v=1&n=\(secret)&x=\(code.expiresAt / 1000)&m=\(medium.rawValue)"
  }
}
