/// What is sealed, and for whom. A sealed value opens in its place and for its owner only.
enum SealingPurpose: String, Sendable {
  case pinKey = "pin-public-key"
  case pendingPinKey = "pending-pin-public-key"
  case share = "unlock-share"
  case accountPerson = "account-person"
  case evidence = "proofing-evidence"
  case pidSubject = "pid-subject"
  case pageSecret = "enrolment-page-secret"
  case providerSecret = "provider-secret"

  /// What a value in this place is bound to.
  func associatedData(owner: [[UInt8]], keyID: String) -> [UInt8] {
    // Each part is preceded by its length: no two different lists of parts give the same bytes.
    let parts = [Array(rawValue.utf8)] + owner + [Array(keyID.utf8)]
    return parts.flatMap { part in
      withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part
    }
  }
}
