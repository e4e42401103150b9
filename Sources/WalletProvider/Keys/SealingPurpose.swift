/// What a sealed value is for. A sealed value opens only for the same purpose and owner.
enum SealingPurpose: String, Sendable {
  case pinKey = "pin-public-key"
  case pendingPinKey = "pending-pin-public-key"
  case half = "pin-key-half"
  case pendingHalf = "pending-pin-key-half"
  case registration = "registration-state"
  case share = "unlock-share"
  case accountPerson = "account-person"
  case evidence = "proofing-evidence"
  case pidSubject = "pid-subject"
  case pageSecret = "enrolment-page-secret"
  case providerSecret = "provider-secret"

  /// The data that a value sealed for this purpose is bound to.
  func associatedData(owner: [[UInt8]], keyID: String) -> [UInt8] {
    // Each part is preceded by its length, so that different lists of parts never give the same
    // bytes.
    let parts = [Array(rawValue.utf8)] + owner + [Array(keyID.utf8)]
    return parts.flatMap { part in
      withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part
    }
  }
}
