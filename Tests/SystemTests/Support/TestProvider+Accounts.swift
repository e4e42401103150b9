import Foundation

extension TestProvider {
  /// An account at the provider, made with the command line.
  struct Account {
    let id: String
    /// The content of the QR code.
    let link: String
  }

  /// Opens an account for `applicant`, with an enrolment code.
  func openAccount(for applicant: Applicant, label: String = "mail@quill.example") throws -> Account
  {
    try account([
      "create", "--label", label, "--family-name", applicant.familyName, "--given-name",
      applicant.givenName, "--birth-date", applicant.birthDate,
    ])
  }

  /// A new enrolment code for an account.
  func newCode(for account: Account) throws -> Account { try self.account(["code", account.id]) }

  /// The output of `account show`.
  func show(_ account: Account) throws -> String { try run(["account", "show", account.id]) }

  private func account(_ words: [String]) throws -> Account {
    let output = try run(["account"] + words)
    guard
      let link = output.split(whereSeparator: \.isWhitespace).first(where: {
        $0.hasPrefix("https://")
      }),
      let id = output.split(separator: "\n").first(where: { $0.hasPrefix("account: ") })?
        .split(separator: " ").last
    else { throw TestFailure("no link in: \(output)") }
    return Account(id: String(id), link: String(link))
  }

  /// Runs a command on the provider's data directory. Returns its output.
  func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = Self.commands
    process.arguments = words + ["--data", data.path]
    var environment = ProcessInfo.processInfo.environment
    let seconds = "status-list-seconds"
    if let value = settings[seconds] { environment[Self.variable(seconds)] = value }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw TestFailure("\(words) failed: \(text)") }
    return text
  }
}
