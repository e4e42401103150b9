import WalletProtocol
import XCTest

/// What names and numbers on documents are made of.
final class DocumentTextTests: XCTestCase {
  func testNamesAreOfLettersAndWhatJoinsThem() {
    for name in ["ERIKA", "O'Brien-Smith", "ST. JOHN", "Zoë", "Ó Súilleabháin", "Łukasz", "王", ""] {
      XCTAssertTrue(DocumentText.isName(name), name)
    }
    for name in ["MARI/GOLD", "(NMN)", "MAR1GOLD", "A|B", "A,B", "A\nB", "A\u{1A}", "A©"] {
      XCTAssertFalse(DocumentText.isName(name), name)
    }
    XCTAssertTrue("3RD".unicodeScalars.allSatisfy(DocumentText.isOfSuffix))
    XCTAssertFalse("J/R".unicodeScalars.allSatisfy(DocumentText.isOfSuffix))
    XCTAssertFalse(" -.'".unicodeScalars.contains(where: DocumentText.isLetter))
    XCTAssertTrue("Éł王a".unicodeScalars.allSatisfy(DocumentText.isLetter))
  }

  func testNumbersArePrintableASCIIWithALetterOrADigit() {
    for number in ["1", "x", "WDL*AB1-2.C", "A1234-12345-12345", "VX#1"] {
      XCTAssertTrue(DocumentText.isNumber(number.utf8), number)
    }
    for number in ["", " ", "---", "VX04É", "A\u{7F}", "A\n1"] {
      XCTAssertFalse(DocumentText.isNumber(number.utf8), number)
    }
  }
}
