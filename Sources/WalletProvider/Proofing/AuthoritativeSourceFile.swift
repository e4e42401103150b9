import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An authoritative source in a file:
/// `{"issuers":[{"number":636014,"answers":true}],"documents":[...]}`.
///
/// It covers the issuers that it lists, each once, and contains documents of these issuers only.
/// For a document that it does not list, nothing matches.
public struct AuthoritativeSourceFile: AuthoritativeSource {
  private struct Key: Hashable {
    var issuer: Int
    var number: DocumentNumber

    init(issuer: Int, number: DocumentNumber) {
      self.issuer = LicenceIssuer.assigned(issuer)
      self.number = number
    }
  }

  /// Whether each issuer answers, by number.
  private let issuers: [Int: Bool]
  private let documents: [Key: SourceDocument]

  /// - Throws: `FileProblem` if the file is missing, accessible to others, or invalid.
  public init(path: String) throws(FileProblem) {
    guard let content = try PrivateFile.read(path, secret: true) else {
      throw FileProblem("there is no file \(path)")
    }
    do {
      try self.init(json: content)
    } catch { throw FileProblem("\(path) is not an authoritative source: \(error)") }
  }

  /// - Throws: `SettingsError` that names the location but quotes no value.
  package init(json: [UInt8]) throws(SettingsError) {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(json))
    } catch let error as SettingsError { throw error } catch {
      throw SettingsError("it is not JSON")
    }
    issuers = try Self.issuers(document.issuers)
    documents = try Self.documents(document.documents, of: issuers)
  }

  private static func issuers(_ listed: [SourceIssuer]) throws(SettingsError) -> [Int: Bool] {
    var issuers: [Int: Bool] = [:]
    for (index, issuer) in listed.enumerated() {
      let number = LicenceIssuer.assigned(issuer.number)
      guard issuers.updateValue(issuer.answers, forKey: number) == nil else {
        throw SettingsError("issuer \(index + 1) is listed already")
      }
    }
    return issuers
  }

  /// Throws for a document of an issuer that is not listed, and for two documents with the same
  /// number.
  private static func documents(
    _ listed: [SourceDocument], of issuers: [Int: Bool]
  ) throws(SettingsError) -> [Key: SourceDocument] {
    var documents: [Key: SourceDocument] = [:]
    for (index, document) in listed.enumerated() {
      let key = Key(issuer: document.issuer, number: document.number)
      guard issuers[key.issuer] != nil else {
        throw SettingsError("document \(index + 1) is of an issuer that is not listed")
      }
      guard documents.updateValue(document, forKey: key) == nil else {
        throw SettingsError("document \(index + 1) has the number of another one of its issuer")
      }
    }
    return documents
  }

  public func match(_ query: AttributeQuery) async -> SourceAnswer {
    guard let answers = issuers[query.issuer.number] else { return .notCovered }
    guard answers else { return .unavailable }
    guard let number = DocumentNumber(query.documentNumber),
      let found = documents[Key(issuer: query.issuer.number, number: number)]
    else {
      return .answered(
        MatchIndicators(
          documentNumber: false, birthDate: false, familyName: false, givenName: false,
          expiryDate: false))
    }
    return .answered(
      MatchIndicators(
        documentNumber: true, birthDate: found.birthDate == query.birthDate,
        // A name matches if the source has it as it is printed on the document, or as the complete
        // name in the account if the document truncates it.
        familyName: Self.isAny(found.familyName, of: query.familyName, query.wholeFamilyName),
        givenName: Self.isAny(found.givenName, of: query.givenName, query.wholeGivenName),
        expiryDate: found.expiryDate == query.expiryDate))
  }

  private static func isAny(_ known: String, of names: String...) -> Bool {
    names.contains { PersonName($0).joined == PersonName(known).joined }
  }
}

private struct Document: Decodable {
  let issuers: [SourceIssuer]
  let documents: [SourceDocument]

  init(from decoder: any Decoder) throws {
    let members = try StrictMembers(decoder, location: "the file", known: ["issuers", "documents"])
    issuers = try members.required([SourceIssuer].self, "issuers", "a list of issuers")
    documents = try members.required([SourceDocument].self, "documents", "a list of documents")
  }
}

private struct SourceIssuer: Decodable {
  let number: Int
  let answers: Bool

  init(from decoder: any Decoder) throws {
    let location = "issuer \((decoder.codingPath.last?.intValue ?? 0) + 1)"
    let members = try StrictMembers(decoder, location: location, known: ["number", "answers"])
    let wanted = "an issuer identification number, like 636014"
    number = try members.required(Int.self, "number", wanted)
    guard LicenceIssuer.with(number: number) != nil else {
      throw members.refusal("number", wanted)
    }
    answers = try members.optional(Bool.self, "answers", "true or false") ?? true
  }
}

private struct SourceDocument: Decodable, Sendable {
  let issuer: Int
  let number: DocumentNumber
  let familyName: String
  let givenName: String
  let birthDate: CalendarDate
  let expiryDate: CalendarDate

  private static let known = [
    "issuer", "number", "family_name", "given_name", "birth_date", "expiry_date",
  ]

  init(from decoder: any Decoder) throws {
    let location = "document \((decoder.codingPath.last?.intValue ?? 0) + 1)"
    let members = try StrictMembers(decoder, location: location, known: Self.known)
    let day = "a day like \"1990-12-31\""
    issuer = try members.required(Int.self, "issuer", "an issuer identification number")
    let text = try members.required(String.self, "number", "the document's number")
    guard let number = DocumentNumber(text) else {
      throw members.refusal("number", "the document's number, in ASCII")
    }
    self.number = number
    familyName = try members.required(String.self, "family_name", "a name")
    givenName = try members.required(String.self, "given_name", "a name")
    birthDate = try members.required(CalendarDate.self, "birth_date", day)
    expiryDate = try members.required(CalendarDate.self, "expiry_date", day)
  }
}
