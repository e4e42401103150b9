/// The arguments of steps, by their stable names; the header says what each one means. Durations are
/// in milliseconds.
public enum StepArgument: String, Sendable, CaseIterable {
  case accountLabel = "account_label"
  case appVersion = "app_version"
  case attemptsLeft = "attempts_left"
  case biometrics
  case blockAge = "block_age_ms"
  case blockedFor = "blocked_for_ms"
  case configurationVersion = "configuration_version"
  case coreVersion = "core_version"
  case failedAttempts = "failed_attempts"
  case failure
  case hasPID = "has_pid"
  case host
  case isBiometricUnlockEnabled = "is_biometric_unlock_enabled"
  case isFinalRound = "is_final_round"
  case isPermanentlyBlocked = "is_permanently_blocked"
  case isPIDExpired = "is_pid_expired"
  case isRequestWaiting = "is_request_waiting"
  case lastFailedAt = "last_failed_at"
  case link
  case locksIn = "locks_in_ms"
  case mayCloseApp = "may_close_app"
  case minimumAge = "minimum_age"
  case organisation
  case pinLength = "pin_length"
  case protection
  case purpose
  case reason
  case reasons
  case reference
  case retryAfter = "retry_after_ms"
  case statusName = "status_name"
  case symbology
  case takesEffectIn = "takes_effect_in_ms"
}
