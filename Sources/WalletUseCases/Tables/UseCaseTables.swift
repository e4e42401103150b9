/// All tables, and their rows by id.
public enum UseCaseTables {
  /// In the order of the flow articles.
  public static let tables: [Table] = UseCase.allCases.map { table(of: $0) }

  private static let rows: [RowID: Row] = Dictionary(
    tables.flatMap { table in table.rows.map { (RowID(table.useCase, $0.number), $0) } },
    uniquingKeysWith: { first, _ in first })

  /// Returns the row with the id; nil if its table has none.
  public static func row(_ id: RowID) -> Row? { rows[id] }

  /// Returns the case of `trigger` on a row; nil if its table has none.
  static func firstCase(_ trigger: Case.Trigger, of id: RowID) -> Case? {
    rows[id]?.firstCase(trigger)
  }

  /// Returns the first row of a use case.
  public static func firstRow(of useCase: UseCase) -> RowID {
    RowID(useCase, table(of: useCase).rows.first?.number ?? "")
  }

  /// Returns the row of the error flows that shows `step`.
  static func row(of step: ErrorStep) -> RowID {
    let row = table(of: .errors).rows.first { row in
      if case .error(step) = row.kind { true } else { false }
    }
    return row.map { RowID(.errors, $0.number) } ?? firstRow(of: .errors)
  }

  /// Returns the table of `useCase`. A use case without a table does not compile.
  public static func table(of useCase: UseCase) -> Table {
    switch useCase {
    case .openApp: .openApp
    case .introduceApp: .introduceApp
    case .setUpPin: .setUpPin
    case .unlock: .unlock
    case .obtainPID: .obtainPID
    case .issuance: .issuance
    case .sharing: .sharing
    case .login: .login
    case .activities: .activities
    case .activity: .activity
    case .cards: .cards
    case .about: .about
    case .wipe: .wipe
    case .help: .help
    case .lock: .lock
    case .scanQR: .scanQR
    case .updatePolicy: .updatePolicy
    case .confirm: .confirm
    case .universalLink: .universalLink
    case .validatePin: .validatePin
    case .errors: .errors
    }
  }

  /// Whether a row may be shown while the wallet is locked ("Rules for every table").
  public static func isAllowedWhileLocked(_ id: RowID) -> Bool {
    switch id.useCase {
    case .openApp, .introduceApp, .unlock, .updatePolicy, .validatePin, .about, .wipe, .help: true
    // The others name a relying party.
    case .errors: ["1", "2", "3", "4"].contains(id.number)
    case .setUpPin: !["1.6", "1.7", "1.8", "1.9"].contains(id.number)
    case .obtainPID, .issuance, .sharing, .login, .activities, .activity, .cards, .lock, .scanQR,
      .confirm, .universalLink:
      false
    }
  }
}
