public import WalletModel
public import WalletProtocol

/// Everything about a licence that leaves the core: the minimal data of the document and its
/// holder, and what was noticed while the barcode was read.
///
/// The address, the number of the card itself, sex, eye colour, height and everything else never
/// leave the core.
public struct LicenceEvidence: Codable, Equatable, Sendable, RedactedDescription {
  public let familyName: PersonalText
  public let givenName: PersonalText
  public let middleNames: PersonalText?
  public let nameSuffix: PersonalText?
  public let birthDate: CalendarDate
  public let documentNumber: PersonalText
  public let expiryDate: CalendarDate
  /// Six digits.
  public let issuerNumber: String
  public let documentKind: LicenceKind
  /// Sorted by name, so that the same card is always the same bytes.
  public let warnings: [LicenceWarning]
  public let deviations: [LicenceDeviation]

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case familyName = "family_name"
    case givenName = "given_name"
    case middleNames = "middle_names"
    case nameSuffix = "name_suffix"
    case birthDate = "birth_date"
    case documentNumber = "document_number"
    case expiryDate = "expiry_date"
    case issuerNumber = "issuer_number"
    case documentKind = "document_kind"
    case warnings
    case deviations
  }

  /// Reads, checks and minimises a scanned licence; keeps nothing else of `raw`.
  ///
  /// - Parameter now: Seconds since 1970 by the provider's clock.
  public init(
    scanned raw: UnsafeRawBufferPointer, symbology: Symbology, now: Int64, policy: ProofingPolicy
  ) throws(LicenceRefusal) {
    let document: LicenceDocument
    do {
      document = try LicenceReader.read(raw, symbology: symbology)
    } catch {
      throw LicenceRefusal(error == .documentUnsupportedFormat ? .encoding : .header, error)
    }
    try self.init(document, now: now, policy: policy)
  }

  /// Checks and minimises a licence that was read.
  public init(
    _ document: LicenceDocument, now: Int64, policy: ProofingPolicy
  ) throws(LicenceRefusal) {
    let warnings = try LicenceRules.check(document, now: now, policy: policy)
    guard let familyName = document.familyName, let givenName = document.givenName,
      let number = document.number, let kind = document.kind,
      case .value(let birthDate) = document.birthDate,
      case .value(let expiryDate) = document.expiryDate
    else { throw LicenceRefusal(.needed, .documentDamaged) }
    self.familyName = familyName
    self.givenName = givenName
    middleNames = document.middleNames
    nameSuffix = document.suffix
    self.birthDate = birthDate
    documentNumber = number
    self.expiryDate = expiryDate
    issuerNumber = String(document.issuerNumber)
    documentKind = kind
    self.warnings = warnings.sorted { $0.rawValue < $1.rawValue }
    deviations = document.deviations.sorted { $0.rawValue < $1.rawValue }
  }
}
