@testable import WalletProofing

/// A card of an invented person, written by an edition of the standard. Tests change it in the ways
/// in which real cards differ.
struct Card {
  var version = 10
  var issuer = 636_045
  var kind = "DL"
  var elements: [(id: String, value: String)]
  var jurisdiction: [(id: String, value: String)] = [("ZWA", "WA-1"), ("ZWB", "")]

  // The format of the bytes.
  var start: [UInt8] = [0x40, 0x0A, 0x1E, 0x0D]
  var fileType = "ANSI "
  var issuerDigits: String?
  var hasJurisdictionVersion: Bool
  var hasEntries = true
  var hasLetters = true
  /// Returns another designator than the correct offset and length.
  var designator: ((_ index: Int, _ offset: Int, _ length: Int) -> String)?

  static let birth = (1987, 6, 5)
  static let issue = (2023, 4, 9)
  static let expiry = (2031, 6, 15)

  /// A well-formed card of `version`.
  init(_ version: Int = 10, canadian: Bool = false, kind: String = "DL") {
    self.version = version
    self.kind = kind
    hasJurisdictionVersion = version > 1
    if canadian { issuer = 636_012 }
    let yearFirst = version == 1 || version >= 3 && canadian
    func date(_ day: (Int, Int, Int)) -> String { Self.date(day, yearFirst: yearFirst) }
    let state = canadian ? "ON" : "WA"
    let address = [
      ("DAG", "12 QUILL LN"), ("DAI", "LOWMERE"), ("DAJ", state),
      ("DAK", canadian ? "K1A0B1     " : "980010000  "),
    ]
    let dates = [("DBB", date(Self.birth)), ("DBD", date(Self.issue)), ("DBA", date(Self.expiry))]
    guard version > 1 else {
      elements =
        [("DAQ", "VX0427193"), ("DAA", "VANDERBLOOM,MARIGOLD,TESSA,II")] + address
        + [("DAR", "C"), ("DAS", ""), ("DAT", "")] + dates + [("DBC", "F"), ("DAU", "509")]
      return
    }
    let names: [(String, String)] =
      switch version {
      case 2, 3: [("DCS", "VANDERBLOOM"), ("DCT", "MARIGOLD,TESSA"), ("DCU", "II")]
      default:
        [
          ("DCS", "VANDERBLOOM"), ("DDE", "N"), ("DAC", "MARIGOLD"), ("DDF", "N"),
          ("DAD", "TESSA"), ("DDG", "N"), ("DCU", "II"),
        ]
      }
    let driver = kind == "ID" ? [] : [("DCA", "C"), ("DCB", "NONE"), ("DCD", "NONE")]
    elements =
      [("DAQ", "VX0427193")] + driver + names + address + dates
      + [("DBC", "2"), ("DAY", "GRN"), ("DAU", "069 in"), ("DCF", "Q77M3")]
      + [("DCG", canadian ? version == 2 ? "CDN" : "CAN" : "USA")]
    if version == 2 { elements.append(("DCE", "4")) }
    if (2...3).contains(version), kind != "ID" { elements.append(("DCH", "NONE")) }
    if version >= 8 { elements += [("DDA", "F"), ("DDB", "03012020"), ("DDK", "1")] }
  }

  static func date(_ day: (Int, Int, Int), yearFirst: Bool) -> String {
    func padded(_ number: Int, _ width: Int) -> String {
      String(String(String(number).reversed()).padding(width).reversed())
    }
    let rest = padded(day.1, 2) + padded(day.2, 2)
    return yearFirst ? padded(day.0, 4) + rest : rest + padded(day.0, 4)
  }

  /// The value of the element `id`. Setting a missing one adds it; nil removes it.
  subscript(id: String) -> String? {
    get { elements.first { $0.id == id }?.value }
    set {
      let index = elements.firstIndex { $0.id == id }
      switch (index, newValue) {
      case (let index?, let value?): elements[index].value = value
      case (let index?, nil): elements.remove(at: index)
      case (nil, let value?): elements.append((id, value))
      case (nil, nil): break
      }
    }
  }

  mutating func changeDates(_ change: (String) -> String) {
    for id in ["DBA", "DBB", "DBD"] { self[id] = self[id].map(change) }
  }

  /// The bytes of the symbol.
  var bytes: [UInt8] {
    var subfiles = [subfile(kind, elements)]
    if !jurisdiction.isEmpty { subfiles.append(subfile("ZW", jurisdiction)) }
    func digits(_ number: Int, _ width: Int) -> String {
      String(String(String(number).reversed()).padding(width).reversed())
    }
    var header = start + latin1(fileType + (issuerDigits ?? digits(issuer, 6)))
    header += latin1(digits(version, 2))
    if hasJurisdictionVersion { header += latin1("01") }
    if hasEntries { header += latin1(digits(subfiles.count, 2)) }
    var offset = header.count + 10 * subfiles.count
    for (index, content) in subfiles.enumerated() {
      let declared =
        designator?(index, offset, content.count)
        ?? digits(offset, 4) + digits(content.count, 4)
      header += latin1((index == 0 ? kind : "ZW") + declared)
      offset += content.count
    }
    return header + subfiles.joined()
  }

  private func subfile(_ type: String, _ elements: [(id: String, value: String)]) -> [UInt8] {
    let lines = elements.map { latin1($0.id + $0.value) }
    return (hasLetters || type == "ZW" ? latin1(type) : []) + lines.joined(separator: [0x0A])
      + [0x0D]
  }
}

/// Returns `text` in ISO 8859-1.
func latin1(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
}

extension String {
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: "0", count: max(0, width - utf8.count))
  }
}
