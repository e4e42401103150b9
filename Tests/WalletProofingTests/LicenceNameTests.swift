import TestSupport
import WalletModel
import XCTest

@testable import WalletProofing

/// Names that contain the letters of elements, in every element of every edition: no name is
/// refused.
final class LicenceNameTests: LicenceTestCase {
  /// Family and given names of every origin.
  private static let names = """
    ABDALLA ABDALLAH ABDULLAH ADAIR ADAMO ADAMS ADAOMA ADAORA ADDAE ADDAMS ADDISON ADEDAYO
    AHMEDBHAI AMADADI AMIDAL ANDAL ARREDONDO BADAWI BADCOCK BAGHDADI BALDACCI BEDDAN BEDDOES
    BERMUDA BHADAURIA BINDA BLADDEN BLOODAXE BODDAERT BRADBERRY BRADBURY BRADDOCK BRANDAO BRENDA
    BRENDAN BUDDEN BUDDHA BUDDHIKA CANDACE CANDAU CARDAMONE CARDANO CHANDBHAI CHAUDHARY CRANDALL
    CUNDARI DADASHEV DADDARIO DAE DAGMAR DAGNY DAHL DAHLIA DAI DAISY DAKOTA DALE DALTON DAMASO
    DAMIAN DAN DANIEL DANLEY DANTE DAO DAOUD DAPHNE DAQUAN DARA DARCY DARREN DARWIN DAS DASHIELL
    DAT DATE DAU DAUGHERTY DAUPHIN DAV DAVID DAVIS DAW DAWSON DAX DAY DAYMAR DAYTON DAZA DBAIBO
    DBOUK DCOSTA DCRUZ DCUNHA DDAMULIRA DDUNGU DEADALUS FADAEI FADDAH FADDOUL FAIRCHILD FELDBAUM
    FELDBERG FIDDAMAN FOUDA FREDBERG FRIDAY FRIDBORG GADALLAH GADDAFI GANDALF GARDANO GODARD
    GODBOLD GODBOLE GODBOUT GODCHAUX GOLDBACH GOLDBERG GOLDBLATT GOLDBLUM GOLDCREST GOODBAR
    GOODBODY GOODCHILD GOODDAY GORDAN GOVINDBHAI GUADALUPE HADAEI HADDAD HADDADI HADDAF HADDAN
    HADDAWAY HADDEN HADDIN HADDOCK HALLADAY HAMDAN NORDDAHL HANDCOCK HARDCASTLE HASDAI HEDDA
    HINDDAL HOLIDAY HUDDART IDDAN JORDAN JORDANO JUDAH KADDARI KHADAJAH KHODADAD KHODAEI KHUDADAD
    KORDANI LANDAU LAUDANO LINDBACK LINDBERG LINDBJERG LINDBLAD LINDBLOM LINDBOM LINDBORG
    LINDBROOK LUDDEN MACDADE MACDANIEL MADDADI MADDAH MADDALENA MADDEN MADDIX MADDOX MAGDALENA
    MANDALA MATADAMAS MCDADE MCDANIEL MEDCALF MEHRDAD MENDAL MIDDLETON MONDAY MONDAVI NADAB NADAL
    NADDAF NAJDAAN NAUDAIN ODDBJORN ODDFRID ODDGEIR ODDNY PAGADUAN PIEDAD QADDAFI QADDOURA
    RADCLIFFE RADCLYFFE RAMADAN REDBURN REDDAN REDDING RUDDAY SAADAT SADDAM SADDLER SAEDBERG
    SANDBERG SANDBORN SANDBURG SCHILDBERG SEDDAKI SHERIDAN SIDDALL SIDDARTHA SIDDHARTHA SIDDIQUI
    SOLEDAD SOLIDAD STRANDBERG SUDAN SUNDBO SUNDBY SUNDAY TEODARDO TRINIDAD TRINIDADE VANDAELE
    VANDAM VANDAMME VANDAL VANDAPOOL VANDAVEER VENDABLE VIDAL WADDELL WILDBLOOD WOODARD WOODBRIDGE
    WOODBURN WOODCAMP WOODCOCK WOODCROFT WOODCUTTER YEHUDAH ZALDANA ZINDAGI
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  private static let sample = Sample.of(names, 3) { String($0.prefix(1)) }

  func testEveryNameIsReadInEveryElementOfEveryEdition() {
    XCTAssertGreaterThan(Self.names.count, 200)
    for name in Self.sample {
      for version in [2, 3, 7, 10] {
        assertPerson(card(version) { $0["DCS"] = name }, family: name)
        // Without the compliance element, which is optional.
        if version >= 8 {
          let bytes = card(version) { card in
            card["DDA"] = nil
            card["DCS"] = name
          }
          assertPerson(bytes, family: name)
        }
        if version > 3 {
          assertPerson(card(version) { $0["DAC"] = name }, given: name)
          assertPerson(card(version) { $0["DAD"] = name }, middle: name)
        } else {
          assertPerson(card(version) { $0["DCT"] = "\(name),TESSA" }, given: name)
          assertPerson(card(version) { $0["DCT"] = "MARIGOLD,\(name)" }, middle: name)
          assertPerson(card(version) { $0["DCT"] = "MARIGOLD \(name)" }, middle: name)
        }
      }
    }
  }

  func testEveryNameIsReadInTheFirstEdition() {
    for name in Self.sample {
      assertPerson(card(1) { $0["DAA"] = "\(name),MARIGOLD,TESSA,II" }, family: name)
      assertPerson(card(1) { $0["DAA"] = "VANDERBLOOM,\(name),TESSA,II" }, given: name)
      assertPerson(
        card(1) { $0["DAA"] = "VANDERBLOOM,MARIGOLD,\(name)" }, middle: name, suffix: nil)
      assertPerson(
        card(1) { $0["DAA"] = "LOPEZ,\(name)" }, family: "LOPEZ", given: name, middle: nil,
        suffix: nil)
      assertPerson(
        card(1) { $0["DAA"] = "MARIGOLD TESSA \(name)" }, family: name, suffix: nil)
      for (id, others) in [
        ("DAB", ["DAC", "DAD"]), ("DAC", ["DAB", "DAD"]), ("DAD", ["DAB", "DAC"]),
      ] {
        let bytes = card(1) { card in
          card["DAA"] = nil
          let parts = ["DAB": "VANDERBLOOM", "DAC": "MARIGOLD", "DAD": "TESSA", "DAE": "II"]
          for other in others + ["DAE"] { card[other] = parts[other] }
          card[id] = name
        }
        assertPerson(
          bytes, family: id == "DAB" ? name : "VANDERBLOOM", given: id == "DAC" ? name : "MARIGOLD",
          middle: id == "DAD" ? name : "TESSA")
      }
    }
  }

  func testAStatementOfNoMiddleNamesIsAbsent() {
    for none in ["NMN", "(NMN)", "NMI", "NONE", "-", "."] {
      assertPerson(card { $0["DAD"] = none }, middle: nil)
      assertPerson(card(3) { $0["DCT"] = "MARIGOLD,\(none)" }, middle: none == "NONE" ? none : nil)
    }
  }

  func testCharactersOutsideNamesAndNumbersAreDamage() {
    for (id, value) in [
      ("DCS", "MARI/GOLD"), ("DAC", "MARIGOLD2"), ("DAD", "(TESSA)"), ("DCS", "VANDER#BLOOM"),
      ("DCS", "-"), ("DAC", "'"), ("DAQ", "VX04É271"), ("DAQ", "---"), ("DCU", "J/R"),
      ("DAQ", String(repeating: "7", count: 65)), ("DCS", String(repeating: "A", count: 126)),
    ] {
      XCTAssertEqual(
        refusal(card { $0[id] = value }), LicenceRefusal(.needed, .documentDamaged), value)
    }
    for name in ["O'BRIEN-SMITH", "ST. JOHN", "D`ARCY", "D´ARCY", "ÿSAYE"] {
      assertPerson(card { $0["DCS"] = name }, family: name)
    }
    assertPerson(card { $0["DCU"] = "3RD" }, suffix: "3RD")
  }

  // MARK: Names that contradict each other

  func testContradictoryNamesOfTwoElementsAreDamage() {
    let contradictions: [(Int, [(String, String)])] = [
      (1, [("DAB", "OTHER"), ("DAC", "PERSON")]), (1, [("DAB", "OTHER")]),
      (1, [("DAC", "OTHER")]), (1, [("DCU", "SR"), ("DAE", "JR")]), (1, [("DAE", "SR")]),
      (10, [("DCT", "OTHER,NAMES")]), (10, [("DCT", "MARIGOLD,NAMES")]),
      (10, [("DAA", "OTHER,PERSON,X")]), (3, [("DAD", "OTHER")]), (2, [("DAC", "OTHER")]),
    ]
    for (version, values) in contradictions {
      let bytes = card(version) { card in for (id, value) in values { card[id] = value } }
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(version) \(values)")
    }
  }

  func testNamesOfTwoElementsThatAgreeAreRead() {
    let agreeing: [(Int, [(String, String)])] = [
      (1, [("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA"), ("DAE", "II")]),
      (1, [("DAB", "VANDERBLO"), ("DAC", "MARIGOLD T"), ("DAE", "II")]),
      (10, [("DCT", "MARIGOLD,TESSA")]), (10, [("DCT", "MARIGOLD")]), (10, [("DCT", "Marigold T")]),
      (10, [("DAA", "VANDERBLOOM,MARIGOLD,TESSA")]), (3, [("DAD", "TESSA")]),
      (3, [("DAC", "MARIGOLD")]),
    ]
    for (version, values) in agreeing {
      let bytes = card(version) { card in for (id, value) in values { card[id] = value } }
      XCTAssertNil(refusal(bytes), "\(version) \(values)")
    }
  }

  func testTwoFirstNamesBesideMiddleNamesAreOneName() {
    assertPerson(card { $0["DAC"] = "MARIGOLD,ROSE" }, [.nameForm], given: "MARIGOLD ROSE")
    assertPerson(card { $0["DAC"] = "MARIGOLD,TESSA" }, [.nameForm])
  }
}
