/// The tables that every store has. A new column must be added here and in the two functions that
/// read and write its row; it is then authenticated too. Statements name every column, because a
/// newer program may have added columns that this one does not know.
public enum StoredTable: String, CaseIterable, Sendable {
  case wallet, challenge, account
  case code = "enrolment_code"
  case session = "proofing_session"
  case document = "proofed_document"
  case refusedClaim = "refused_claim"
  case page = "enrolment_page"
  case secret = "provider_secret"
  case statusList = "status_list"
  case statusEntry = "status_entry"

  /// The key column, which identifies a row.
  public var key: String { columns.last ?? "" }

  /// The columns as they are stored: first those of the row's values, then the two that
  /// authenticate the row, then the key.
  public var storedColumns: [String] {
    columns.dropLast() + [RowAuthentication.keyColumn, RowAuthentication.codeColumn, key]
  }

  /// The type of the table's rows.
  public var rowType: any StoredRow.Type {
    switch self {
    case .wallet: StoredWallet.self
    case .challenge: StoredChallenge.self
    case .account: StoredAccount.self
    case .code: StoredEnrolmentCode.self
    case .session: StoredProofingSession.self
    case .document: StoredDocument.self
    case .refusedClaim: StoredRefusedClaim.self
    case .page: StoredEnrolmentPage.self
    case .secret: StoredProviderSecret.self
    case .statusList: StoredStatusList.self
    case .statusEntry: StoredStatusEntry.self
    }
  }

  /// The columns in the order of a row's values; the key is last.
  public var columns: [String] {
    switch self {
    case .wallet:
      [
        "registration", "hardware_key", "hardware_key_hash", "sealing_key", "sealed_pin_key",
        "pin_key_id", "sealed_half", "sealed_share", "sequence", "confirmed", "registered_at",
        "wrong_attempts",
        "blocked_since", "blocked_for", "block_restarted", "blocked_permanently",
        "failures", "failed_at", "failed_days", "attempt_since", "evaluation",
        "pending_change", "pending_pin_key_id", "pending_sealed_half", "pending_sealed_pin_key",
        "committed_change", "pin_proven_at", "id",
      ]
    case .challenge:
      ["purpose", "wallet", "expires_at", "request_hash", "answer", "challenge"]
    case .account:
      [
        "sealing_key", "sealed_person", "created_at", "closed", "locked_until",
        "failed_attempts", "failed_at", "proofed_at", "wallet", "replacement_refused_at", "id",
      ]
    case .code: ["account", "expires_at", "wallet", "verdict", "attempts_left", "hash"]
    case .session:
      [
        "code", "account", "wallet", "expires_at", "state", "reason", "reference",
        "idempotency_key", "evidence_digest", "sealing_key", "sealed_record", "decided_at",
        "source_matched", "pid_key", "replaces_at", "waits_since", "id",
      ]
    case .document: ["account", "digest"]
    case .refusedClaim: ["wallet", "refused_at", "id"]
    case .page: ["account", "code", "sealing_key", "sealed_secret", "expires_at", "hash"]
    case .secret: ["sealing_key", "sealed", "name"]
    case .statusList: ["uri", "size", "created_at", "assigned", "closed", "id"]
    case .statusEntry:
      [
        "list", "list_index", "issuance", "copy", "wallet", "account", "expires_at", "revoked_at",
        "id",
      ]
    }
  }
}
