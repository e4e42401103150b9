import WalletModel

@testable import WalletUseCases

/// The article that leads to the others.
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
      that can follow. One engine walks them, so what stands here is what happens: these articles are
      made from the same data by `make flows`, and a test fails when they differ. The row ids are also
      what a step and the trail of an event name, e.g. UC2.3 1.3b.

      \(UseCaseTables.tables.count) tables, \(rows) rows, \(cases) cases.

      | use case | what for | rows | cases |
      |---|---|---|---|
      \(UseCaseTables.tables.map(line).joined(separator: "\n"))

      ## How to read a table

      | kind | is |
      |---|---|
      | determination | something is found out; no screen |
      | effect | the core works; a progress step is shown if it takes longer than 0.2 s |
      | partial flow | another table is walked, which ends with a result |
      | screen | fills the display |
      | prompt | stands over the screen beneath |
      | system prompt | the operating system asks; the core waits for a bridge |
      | hand-off | the host has something to do, and says by a choice that it is done |
      | error | what failed and what can be done about it |
      | watched | determined all the time, beside the other rows |

      A remark says *corrected* where the published row says something else, with the published value
      and the reason, and *added* where the published table has nothing.

      ## What holds for every table

      | matter | rule |
      |---|---|
      | Serial | each shown step has a new one, also a step that is shown again; a choice with another serial changes nothing |
      | Back | the screen that was shown before this one; prompts, hand-offs, work and errors are not returned to. A screen with nothing before it leads home while unlocked and to the unlock while locked |
      | History | ends where an account is set up, a wallet is locked, unlocked or deleted, and a PID is stored: Back never leads to what was shown before |
      | Resume | shows what a lock or the background interrupted. A hand-off is handed off again, a system prompt gives way to the screen before it, a screen that lost its PIN to the one where it is chosen |
      | Lock | whatever is shown is set aside, the unlock is shown, and all PINs are wiped. A deletion that is under way goes on |
      | PINs | the engine knows them by the number of a slot only; a slot is emptied as soon as no row waits for its PIN |
      | Opening again | an opening while a flow is under way counts as a resume, whatever the host says |
      | Take-over | locks, then shows the unlock; without a wallet the very step, and a step that holds a PIN begins anew |
      | Identity proofing and the lock | what was read of a licence is wiped at the lock, so the scan and its outcome come back as the confirmation of the account; a submission goes on, and its outcome is shown after the unlock. Where the claim has lapsed, the proofing starts anew with the notice `session-lost` |
      | A claim that is alive | links and codes are refused with the notice `flow-in-progress`; whoever exits gives the claim back, unless the evidence is submitted |
      | A blocked version | is shown at the next opening, on the next return to the foreground, and instead of an unlock |
      | Errors | Try again repeats the row that failed, Back leads to the last screen before it, Close ends the flow where there is no such screen. Where only starting over helps, the wallet can be deleted |

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

  private static func topics(_ isWanted: (String) -> Bool) -> String {
    UseCaseTables.tables.filter { isWanted($0.useCase.rawValue) }
      .map { "- \(FlowArticles.link(to: $0.useCase))" }.joined(separator: "\n")
  }

  /// What a use case is for. A use case without a summary does not compile.
  static func summary(of useCase: UseCase) -> String {
    switch useCase {
    case .openApp: "From the launch or the return of the app to its first step."
    case .introduceApp: "Three screens on what the wallet is, and its privacy considerations."
    case .setUpPin: "Choosing the PIN, making the account, enabling biometric unlock."
    case .unlock: "By biometrics or by PIN, and on to the link or the step that waits."
    case .obtainPID: "Proving who one is: a code, a licence, the verdict and the PID."
    case .issuance: "Receiving a card, in the host's hands."
    case .sharing: "Sharing data of a card, in the host's hands."
    case .login: "Logging in with a card, in the host's hands."
    case .cards: "The dashboard: the cards, and what else can be done."
    case .about: "Versions and the privacy statement."
    case .wipe: "Deleting the wallet and everything in it."
    case .help: "Help, in the host's hands."
    case .lock: "When the wallet locks by itself, with a warning before, and on request."
    case .scanQR: "Reading a code with the wallet's own scanner."
    case .updatePolicy: "Whether this version may still be used."
    case .universalLink: "What the link is for that opened the app."
    case .validatePin: "Rounds of attempts, blocks for a time and for good."
    case .errors: "What can be done where a row failed."
    }
  }
}
