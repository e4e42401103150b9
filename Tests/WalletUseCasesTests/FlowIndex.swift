import WalletModel

@testable import WalletUseCases

/// The article that links to the others.
enum FlowIndex {
  static var text: String {
    let rows = UseCaseTables.tables.map(\.rows.count).reduce(0, +)
    let cases = UseCaseTables.tables.flatMap(\.rows).map(\.cases.count).reduce(0, +)
    let remarks = UseCaseTables.tables.flatMap { FlowArticles.remarks(of: $0) }
    let corrections = remarks.filter { $0.remark.published != nil }
    let added = remarks.filter { $0.remark.published == nil }
    return """
      # Flows

      The use cases that the core runs, row by row.

      ## Overview

      Every flow is a table: rows with the ids of the published use cases, and for each row the cases
      that can follow. *Published* are the tables of a wallet's functional design that these flows come
      from: use cases (UC) and partial flows (PF), which several use cases share. Nobody needs to have read
      them: these articles are complete. EF and rows marked *added* are of this project. One engine walks these tables, and `make flows` makes these articles from them;
      a test fails if they differ. Steps and the trail of an event use the same row ids, e.g. UC2.3 1.3b.

      \(UseCaseTables.tables.count) tables, \(rows) rows, \(cases) cases.

      | use case | purpose | rows | cases |
      |---|---|---|---|
      \(UseCaseTables.tables.map(line).joined(separator: "\n"))

      ## How to read a table

      | kind | meaning |
      |---|---|
      | determination | the core finds something out, without a screen |
      | effect | the core works; a progress step is shown if it takes longer than 0.2 s |
      | partial flow | another table is walked, which ends with a result |
      | screen | fills the display |
      | prompt | is shown over the screen beneath |
      | system prompt | the operating system asks; the core waits for a bridge |
      | hand-off | the host does something and reports by a choice how it ended |
      | error | shows what failed and what the user can do |
      | watched | a condition that is watched all the time, beside the other rows |

      A remark says *corrected* if the published row differs, with the published value and the reason,
      and *added* if the published table has nothing here.

      ## Rules for every table

      | subject | rule |
      |---|---|
      | Serial | each shown step has a new one, even if the same step is shown again; a choice with another serial changes nothing |
      | Back | leads to the screen that was shown before this one, never to prompts, hand-offs, work or errors. Without such a screen it leads to the dashboard (or UC3.1 without a PID) while unlocked and to the unlock while locked |
      | History | is cut when an account is set up, a wallet is locked, unlocked or deleted, or a PID is stored: Back never leads to earlier screens |
      | Resume | shows the step that a lock or the background interrupted. A hand-off is repeated. A system prompt resumes as the screen before it, a screen that lost its PIN as the one where the PIN is chosen |
      | Lock | suspends the current step, shows the unlock and wipes all PINs. A running deletion continues |
      | PINs | the engine has only the number of a slot for each; a PIN is wiped as soon as no row needs it |
      | Opening again | an opening during a flow counts as a resume, whatever the host says |
      | Links | the newest valid link is opened, once; an invalid one displaces none and is told with the notice `link-invalid`. While the wallet is locked a link waits for the unlock, and the step stays; if it is the request of a relying party, the steps of the unlock say so (`is_request_waiting`), for which the current one is shown once more. It also waits for work, for the entry of a PIN, for a request of a relying party and for a hand-off other than help, and is opened after them |
      | Enrolment links | lead to UC3.1, with or without a PID; before there is a wallet, and before a set-up has ended, they are kept with the notice `link-kept` and offered by UC3.1 2b |
      | Take-over | locks and shows the unlock; without a wallet it shows the same step, and a step that holds a PIN starts over. A set-up of the account that has begun continues and leads to the unlock |
      | Identity proofing and the lock | a lock wipes what was read of a licence, so the scan and its outcome resume as the confirmation of the account. A submission continues, and its outcome is shown after the unlock. If the claim has lapsed, the proofing starts over with the notice `session-lost` |
      | Active claim | links and codes are refused with the notice `flow-in-progress`; an exit releases the claim, unless the evidence is submitted |
      | Blocked version | the block is shown at the next opening, on the next return to the foreground, and instead of an unlock |
      | Errors | Try again repeats the row that failed, Back leads to the last screen before it, and Close ends the flow if there is no such screen. If only starting over helps, the wallet can be deleted |

      ## Corrections

      \(corrections.count) published values are corrected.

      | row | published | reason |
      |---|---|---|
      \(corrections.map { "| \($0.name) | \($0.remark.published ?? "") | \($0.remark.reason) |" }
        .joined(separator: "\n"))

      ## Additions

      \(added.count) rows and cases are added.

      | row | reason |
      |---|---|
      \(added.map { "| \($0.name) | \($0.remark.reason) |" }.joined(separator: "\n"))

      ## Topics

      ### Use cases

      \(topics { $0.hasPrefix("UC") })

      ### Partial flows and errors

      \(topics { !$0.hasPrefix("UC") })

      """
  }

  private static func line(_ table: Table) -> String {
    let cases = table.rows.map(\.cases.count).reduce(0, +)
    let link = FlowArticles.link(to: table.useCase)
    return "| \(link) | \(summary(of: table.useCase)) | \(table.rows.count) | \(cases) |"
  }

  private static func topics(_ isIncluded: (String) -> Bool) -> String {
    UseCaseTables.tables.filter { isIncluded($0.useCase.rawValue) }
      .map { "- \(FlowArticles.link(to: $0.useCase))" }.joined(separator: "\n")
  }

  /// Returns the purpose of a use case. A use case without a summary does not compile.
  static func summary(of useCase: UseCase) -> String {
    switch useCase {
    case .openApp: "From the launch or the return of the app to its first step."
    case .introduceApp: "Three screens on what the wallet is, and its privacy considerations."
    case .setUpPin: "Choosing the PIN, setting up the account, enabling biometric unlock."
    case .unlock: "By biometrics or by PIN, then on to a link or the suspended step."
    case .obtainPID: "Identity proofing: a code, a licence, the verdict and the PID."
    case .issuance: "Receiving a card, handed to the host."
    case .sharing: "Sharing data of cards with a relying party that asks for it."
    case .login: "Logging in to a relying party with a card."
    case .activities: "What was shared with whom, and what was not."
    case .activity: "One entry of that history."
    case .cards: "The dashboard: the cards and all other actions."
    case .about: "Versions and the privacy statement."
    case .wipe: "Deleting the wallet and everything in it."
    case .help: "Help, handed to the host."
    case .lock: "Locking after inactivity or in the background, with a warning, and on request."
    case .scanQR: "Reading a code with the wallet's own scanner."
    case .updatePolicy: "Whether this version may still be used."
    case .confirm: "The PIN for one protected act."
    case .universalLink: "The purpose of the link that opened the app."
    case .validatePin: "Rounds of attempts, temporary and permanent blocks."
    case .errors: "What the user can do after a row failed."
    }
  }
}
