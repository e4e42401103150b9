import WalletProvider

/// Checks the certificates of the keys that sign PIDs and status lists.
enum CertificateCheck {
  private static let subject = "certificates"

  static func findings(
    _ identity: ProviderIdentity, _ settings: ServerSettings,
    now: Int64 = SystemWallClock().now / 1000
  ) -> [Finding] {
    do throws(FileProblem) {
      return try CertificateInspection.all(
        in: settings.data, identity, settings.provider, now: now
      ).map(finding)
    } catch { return [Finding(.wrong, subject, error.description)] }
  }

  private static func finding(_ found: CertificateInspection) -> Finding {
    let text = "the \(found.role.rawValue) key \(found.key) is certified until \(found.until)"
    if found.isRenewed {
      return Finding(.note, subject, text + "; a start makes another certificate")
    }
    guard found.isDue else { return Finding(.ok, subject, text) }
    return Finding(
      .note, subject,
      text + "; its authority has to sign again: keys request \(found.role.rawValue)")
  }
}
