import ArgumentParser
import WalletProvider
import WalletProviderServer

/// `keys request`: asks an authority for the certificate of a key.
struct KeysRequestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Print a request for the certificate of a signer, for an authority (PKCS #10).",
    discussion: """
      The request has the names of the settings: public-url, issuing-authority and issuing-country. \
      The certificate has to have the same alternative names; for a status-signer also the purpose \
      that the request asks for.
      """)

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role: document-signer or status-signer.") var role: KeyRole
  @Flag(help: "Ask for the key that waits to replace the current one.") var next = false

  func run() throws {
    StandardOutput.print(try context.exchange().exchange.request(role, isNext: next))
  }
}

/// `keys accept`: installs the certificates that an authority has made.
struct KeysAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Install the certificates of a signer; print the id of its key.",
    discussion: """
      They are judged as wallets judge them: below the certificates in keys/issuer-authority.pem, or \
      below --authority, which are then added to those. Restart the servers afterwards.
      """)

  @OptionGroup var context: KeyCommandContext
  @Argument(help: "The role: document-signer or status-signer.") var role: KeyRole
  @Option(help: "PEM file of the key's certificate, then those between it and the authority.")
  var chain: String
  @Option(help: "PEM file of the authority's certificate, if the provider does not have it.")
  var authority: String?

  func run() throws {
    let (exchange, settings) = try context.exchange()
    StandardOutput.print(
      try exchange.accept(
        role, chain: PEMFile.text(chain), authority: authority.map { try PEMFile.text($0) },
        now: KeyCommandContext.now))
    ServerLog.administered("keys-accept", isDone: true, settings, ServerLog.logger(settings))
  }
}

/// `keys certify`: signs a request on the machine of an authority.
struct KeysCertifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certify",
    abstract: "Sign a request of keys request with an authority's key; print the certificate.",
    discussion: """
      Needs no data directory, so that it runs on a machine without a network. Look at the request \
      before, for example with openssl req -text: its names are certified as they are.
      """)

  @Option(help: "The authority's key: an issuer-authority.key, or PEM. Only its owner may read it.")
  var authorityKey: String
  @Option(help: "PEM file of the authority's certificate.") var authorityCertificate: String
  @Argument(help: "PEM file of the request.") var request: String

  func run() throws {
    StandardOutput.print(
      try OfflineAuthority.certify(
        request: PEMFile.text(request),
        key: String(decoding: PrivateInput.read(authorityKey), as: UTF8.self),
        certificate: PEMFile.text(authorityCertificate), now: KeyCommandContext.now))
  }
}
