import Foundation

/// An invented person with an account and a driver's licence.
struct Applicant: Codable {
  var familyName = "QUILLFEATHER"
  var givenName = "ODALYS"
  /// YYYY-MM-DD.
  var birthDate = "1988-03-09"
  var expiryDate = "2034-03-09"
  /// Random for each applicant, because a licence can prove only one account.
  var documentNumber = "Q" + String(UInt64.random(in: 1_000_000_000...9_999_999_999))
  /// Washington.
  var issuer = 636_045

  /// The barcode of the licence: AAMVA version 10 with exact offsets and lengths.
  var barcode: [UInt8] {
    let elements = [
      "DAQ\(documentNumber)", "DCS\(familyName)", "DDEN", "DAC\(givenName)", "DDFN", "DADNONE",
      "DDGN", "DCAC", "DCBNONE", "DCDNONE", "DBD04092024", "DBB\(Self.onCard(birthDate))",
      "DBA\(Self.onCard(expiryDate))", "DBC2", "DAYGRN", "DAU066 in", "DAG7 PENNYWHISTLE WAY",
      "DAIUPPER WATTLE", "DAJWA", "DAK980010000  ", "DCFT5583QX", "DCGUSA",
    ]
    let subfile = "DL" + elements.joined(separator: "\n") + "\r"
    let length = String(subfile.utf8.count)
    let padded = String(repeating: "0", count: 4 - length.count) + length
    let header = "@\n\u{1E}\rANSI \(issuer)100001DL0031\(padded)"
    return Array((header + subfile).utf8)
  }

  /// `date` as the licence writes it: MMDDYYYY.
  static func onCard(_ date: String) -> String {
    let parts = date.split(separator: "-")
    return String(parts[1] + parts[2] + parts[0])
  }

  /// The data of the licence that is sent to the provider, and that which is not. Nobody else may
  /// learn it.
  var secrets: [String] {
    [familyName, givenName, birthDate, documentNumber] + elsewhere
  }

  /// The data that only the parser sees.
  var elsewhere: [String] { ["PENNYWHISTLE", "UPPER WATTLE", "T5583QX"] }
}
