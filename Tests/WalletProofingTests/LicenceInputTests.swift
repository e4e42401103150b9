import TestSupport
import WalletCrypto
import WalletModel
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Sends damaged cards and codes: nothing traps, and nothing is accepted whose elements cannot be
/// told apart.
///
/// `WALLET_CORE_PROOFING_INPUTS` sets their number. The counts are printed.
final class LicenceInputTests: LicenceTestCase {
  private static let inputs =
    ProcessInfo.processInfo.environment["WALLET_CORE_PROOFING_INPUTS"].flatMap { Int($0) }
    ?? Sample.rounds(400, of: 20_000)

  /// Set by `WALLET_CORE_PROOFING_SEED`, to another value in every long run; a failure names it.
  private static let seed =
    ProcessInfo.processInfo.environment["WALLET_CORE_PROOFING_SEED"].flatMap { UInt64($0) } ?? 5

  func testNoInputTrapsAndOnlySeparableElementsAreAccepted() {
    var inputs = LicenceInputs(seed: Self.seed)
    var tried: [LicenceInputs.Kind: Int] = [:]
    var accepted: [LicenceInputs.Kind: Int] = [:]
    var faults = 0
    for number in 0..<Self.inputs {
      let input = inputs.next()
      tried[input.kind, default: 0] += 1
      let evidence = try? self.evidence(input.bytes)
      if evidence != nil { accepted[input.kind, default: 0] += 1 }
      if let fault = evidence.map({ fault(in: $0, of: input) }) ?? refusalFault(of: input) {
        XCTFail(
          "seed \(Self.seed), input \(number) (\(input.kind)): \(fault)\n\(readable(input.bytes))")
        faults += 1
        if faults == 5 { return }
      }
    }
    let counts = LicenceInputs.Kind.allCases.map {
      "\($0) \(tried[$0] ?? 0)/\(accepted[$0] ?? 0)"
    }
    print(
      "licences: \(Self.inputs) inputs of seed \(Self.seed), tried/accepted: "
        + counts.joined(separator: ", ")
    )
    for kind in [
      LicenceInputs.Kind.whole, .contradictory, .truncated, .flipped, .spliced, .mutated,
      .restructured,
    ] {
      XCTAssertGreaterThan(accepted[kind] ?? 0, 0, "\(kind)")
    }
    XCTAssertEqual(accepted[.random] ?? 0, 0)
  }

  /// Returns why `input` should not have been refused; nil if that is right.
  private func refusalFault(of input: LicenceInputs.Input) -> String? {
    guard case .person = input.expected else { return nil }
    return "refused although it is valid"
  }

  /// Returns why `input` should not have been accepted; nil if that is right.
  private func fault(in evidence: LicenceEvidence, of input: LicenceInputs.Input) -> String? {
    let texts = [
      evidence.familyName, evidence.givenName, evidence.middleNames, evidence.nameSuffix,
      evidence.documentNumber,
    ]
    for text in texts.compactMap({ $0 }) {
      let isClean = text.withBytes { bytes in
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x7C }
      }
      guard isClean else { return "a separator in a text" }
      if case .texts(let known) = input.expected, !known.contains(text.disclosed()) {
        return "\"\(text.disclosed())\" is no text of the card"
      }
    }
    switch input.expected {
    case .refused: return "accepted although it is contradictory"
    case .person(let person):
      let expected = [person.family, person.given, person.middle, person.suffix, person.number]
      guard texts.map({ $0?.disclosed() }) == expected else { return "another person" }
    case .texts, .any: break
    }
    guard let again = try? self.evidence(input.bytes), again == evidence else {
      return "read in two ways"
    }
    // Random letters may mean something else in another edition.
    if case .any = input.expected { return nil }
    guard let rewritten = try? self.evidence(rewritten(evidence)) else {
      return "refused when rewritten by the standard"
    }
    return isSame(rewritten, evidence)
      ? nil : "another person when rewritten by the standard"
  }

  /// Returns what was read as a card without any deviation.
  private func rewritten(_ evidence: LicenceEvidence) -> [UInt8] {
    var card = Card(10, kind: evidence.documentKind.rawValue)
    card.issuerDigits = evidence.issuerNumber
    card["DCG"] = LicenceIssuer.with(number: Int(evidence.issuerNumber) ?? 0)?.country.rawValue
    func write(_ id: String, _ text: PersonalText?) { card[id] = text?.disclosed() ?? "NONE" }
    write("DCS", evidence.familyName)
    write("DAC", evidence.givenName)
    write("DAD", evidence.middleNames)
    write("DCU", evidence.nameSuffix)
    write("DAQ", evidence.documentNumber)
    for (id, day) in [("DBB", evidence.birthDate), ("DBA", evidence.expiryDate)] {
      card[id] = Card.date((day.year, day.month, day.day), yearFirst: false)
    }
    card["DBD"] = "NONE"
    return card.bytes
  }

  private func isSame(_ first: LicenceEvidence, _ second: LicenceEvidence) -> Bool {
    first.familyName == second.familyName && first.givenName == second.givenName
      && first.middleNames == second.middleNames && first.nameSuffix == second.nameSuffix
      && first.documentNumber == second.documentNumber && first.birthDate == second.birthDate
      && first.expiryDate == second.expiryDate && first.issuerNumber == second.issuerNumber
      && first.documentKind == second.documentKind
  }

  private func readable(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) })).debugDescription
  }

  func testNoInputTrapsOrYieldsACodeOfAnotherHost() {
    let hosts = ["id.example.org", "proofing.example.com"]
    let secret = String(repeating: "AbC-_9", count: 7) + "A"
    let codes = hosts.map { latin1("https://\($0)/b#v=1&n=\(secret)&x=1789000000&m=qr") }
    let start = latin1("https://id.example.org/b#")
    var random = SeededGenerator(seed: Self.seed &+ 1)
    var read = 0
    for number in 0..<Self.inputs {
      var bytes = codes[number % 2]
      switch number % 5 {
      case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      case 1: bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8(number / 5 % 8)
      case 2:
        bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        if number % 2 == 0 { bytes = start + bytes }
      default:
        for _ in 0...Int.random(in: 0...3, using: &random) { mutate(&bytes, using: &random) }
      }
      let code = bytes.withUnsafeBytes { raw in
        try? EnrolmentCode(scanned: raw, symbology: .qrCode, hosts: hosts)
      }
      guard let code else { continue }
      read += 1
      guard hosts.contains(where: { bytes.starts(with: latin1("https://\($0)/b#")) }),
        (16...32).contains(code.secret.count)
      else { return XCTFail("input \(number): \(readable(bytes))") }
    }
    print("enrolment codes: \(Self.inputs) inputs, \(read) accepted")
    XCTAssertGreaterThan(read, Self.inputs / 100)
  }
}
