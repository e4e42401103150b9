public import WalletModel
internal import WalletProtocol

/// Reads the barcode of a driver's licence (AAMVA DL/ID Card Design Standard, 2000 and later).
///
/// Real cards differ from the standard in many ways. So the text itself decides where things are;
/// offsets, lengths and control characters are only evidence. The rules refuse a barcode whose
/// elements cannot be told apart.
public enum LicenceReader {
  /// The maximum length in bytes, more than the symbol can hold.
  public static let maximumLength = 4096

  /// Reads `raw` and keeps nothing of it but the document.
  ///
  /// - Throws: `documentWrongBarcode` if this is no licence, `documentDamaged` if its header is
  ///   damaged, `documentUnsupportedFormat` if its encoding or version is not supported.
  public static func read(
    _ raw: UnsafeRawBufferPointer, symbology: Symbology
  ) throws(ProofingError) -> LicenceDocument {
    guard symbology == .pdf417, raw.count <= maximumLength else { throw .documentWrongBarcode }
    var clean = LicenceBytes(raw.bindMemory(to: UInt8.self).span)
    defer { clean.wipe() }
    return try document(clean.bytes, clean.deviations)
  }

  private static func document(
    _ bytes: [UInt8], _ deviations: Set<LicenceDeviation>
  ) throws(ProofingError) -> LicenceDocument {
    let header = try LicenceHeader(bytes)
    let elements = LicenceElements(bytes, from: header.bodyStart)
    let names = LicenceNames(
      bytes, elements, version: header.version, isLengthConfirmed: header.isLengthConfirmed)
    let kinds = header.kinds.union(elements.kinds)
    // If a barcode names two kinds, its kind is unknown. The exception is an enhanced licence that
    // is also called a licence, which counts as a licence.
    let kind =
      kinds == [.licence, .enhancedLicence] ? .licence : kinds.count == 1 ? kinds.first : nil
    let mandatory = LicenceElementID.mandatory(in: header.version, kind ?? .licence)
    func value(_ id: LicenceElementID) -> ArraySlice<UInt8> {
      elements.values[id].map { bytes[$0] } ?? []
    }
    func flag(_ id: LicenceElementID) -> UInt8? {
      value(id).count == 1 ? value(id).first : nil
    }
    func truncation(_ id: LicenceElementID) -> NameTruncation? {
      flag(id).flatMap { NameTruncation(rawValue: String(UnicodeScalar($0))) }
    }

    var document = LicenceDocument(issuerNumber: header.issuerNumber, version: header.version)
    document.kind = kind
    document.familyName = names.family
    document.givenName = names.given
    document.middleNames = names.middle
    document.suffix = names.suffix
    document.number = PersonalText(latin1: value(.number))
    document.addressState = PersonalText(latin1: value(.addressState))
    document.country = country(value(.country))
    document.familyNameTruncation = truncation(.familyNameTruncation)
    document.givenNameTruncation = truncation(.givenNameTruncation)
    document.middleNamesTruncation = truncation(.middleNamesTruncation)
    document.isLimitedTerm = flag(.limitedTerm) == UInt8(ascii: "1")
    document.isNonCompliant = flag(.compliance) == UInt8(ascii: "N")
    document.areElementsSeparate =
      names.areConsistent && names.areComplete
      && LicenceSeparation(
        bytes: bytes, elements: elements, version: header.version, mandatory: mandatory,
        jurisdictions: header.jurisdictions, isLengthConfirmed: header.isLengthConfirmed,
        isByteMissing: header.isByteMissing
          && deviations.isDisjoint(with: [.transcoded, .strayControls])
      ).isCertain
    document.areTextsPlain = areTextsPlain(document)

    document.deviations = deviations.union(header.deviations).union(elements.deviations)
      .union(names.deviations)
    readDates(into: &document, value)
    if !mandatory.isSubset(of: elements.seen) { document.deviations.insert(.mandatoryMissing) }
    if LicenceForm.isUnusual(value) { document.deviations.insert(.unusualValues) }
    document.hasJurisdictionPart = elements.hasJurisdictionElements
    return document
  }

  /// Whether the texts have only the characters and lengths that the provider accepts.
  private static func areTextsPlain(_ document: LicenceDocument) -> Bool {
    let names = [document.familyName, document.givenName, document.middleNames].compactMap { $0 }
    let areNames = names.allSatisfy {
      $0.holds(atMost: DocumentText.longestName, DocumentText.isOfName)
        && !$0.holds { !DocumentText.isLetter($0) }
    }
    let isSuffix = document.suffix?.holds(
      atMost: DocumentText.longestName, DocumentText.isOfSuffix)
    let isNumber = document.number?.withBytes {
      $0.count <= DocumentText.longestNumber && DocumentText.isNumber($0)
    }
    return areNames && isSuffix ?? true && isNumber ?? true
  }

  private static func readDates(
    into document: inout LicenceDocument, _ value: (LicenceElementID) -> ArraySlice<UInt8>
  ) {
    var country = LicenceIssuer.with(number: document.issuerNumber)?.country
    if case .value(let stated) = document.country { country = stated }
    let order = LicenceDates.order(version: document.version, country: country)
    document.birthDate = LicenceDates.read(
      value(.birthDate), expecting: order, &document.deviations)
    document.issueDate = LicenceDates.read(
      value(.issueDate), expecting: order, &document.deviations)
    document.expiryDate = LicenceDates.read(
      value(.expiryDate), expecting: order, &document.deviations)
    // These dates are optional, so deviations in their form are not reported.
    var unused: Set<LicenceDeviation> = []
    document.revisionDate = LicenceDates.read(value(.revisionDate), expecting: order, &unused)
    document.underAgeUntil = LicenceElementID.underAgeUntil.mapValues {
      LicenceDates.read(value($0), expecting: order, &unused)
    }
  }

  private static func country(_ value: ArraySlice<UInt8>) -> Stated<LicenceCountry> {
    guard !value.isEmpty else { return .absent }
    guard value.count <= 3 else { return .unreadable }
    return LicenceCountry(stated: String(decoding: value, as: UTF8.self)).map { .value($0) }
      ?? .unreadable
  }
}
