/// Checks that the server can listen on its addresses.
enum PortCheck {
  static func findings(_ settings: ServerSettings) async -> [Finding] {
    var findings = [
      await finding("address", .host(settings.host, port: settings.port))
    ]
    if let port = settings.metricsPort {
      findings.append(await finding("metrics", .host(settings.metricsHost, port: port)))
    }
    return findings
  }

  private static func finding(_ subject: String, _ address: ListeningAddress) async -> Finding {
    do {
      try await address.checkIsFree()
      return Finding(.ok, subject, "\(address.text) is free")
    } catch {
      let problem = (error as? ListeningError)?.description
      return Finding(.wrong, subject, problem ?? "cannot listen on \(address.text)")
    }
  }
}
