import ArgumentParser
import Foundation
import HTTPTypes
import TestSupport
import WalletProvider
import XCTest

@testable import WalletProviderServer

/// Randomly mutated input that the server itself parses: enrolment forms, headers of proxies and
/// caches, and setting files. Nothing traps, and nothing invalid is accepted.
///
/// `WALLET_CORE_SPOILT_TEXTS` is the number of mutations of each.
final class MutatedTextTests: XCTestCase {
  private static let texts =
    ProcessInfo.processInfo.environment["WALLET_CORE_SPOILT_TEXTS"].flatMap { Int($0) } ?? 2_000

  /// Fragments that are meaningful to one of the parsers, and some that are not.
  private static let pieces = [
    "%", "%2", "%C3", "%00", "&", "=", "+", "[]", ",", ";", "\"", "[", "]", ":", "\t", " ", "*",
    "W/", "for=", "::ffff:", "%eth0", "\u{0}", "\u{301}", "é", "\u{FFFD}", "\n", "- ",
    "!!binary ", "&a ", "*a", "? ", "<b>", "'", "|", ">", "~", "{", "}", "#", "9223372036854775808",
    "-1",
  ]

  private func tampered(_ sound: [String], _ use: (String, [UInt8]) throws -> Void) rethrows {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<Self.texts {
      var bytes = Array((sound.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0...5, using: &generator) {
        case 0 where place < bytes.count: bytes.remove(at: place)
        case 1 where place < bytes.count:
          bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(place...)
        case 3: bytes += bytes[..<place].suffix(40)
        default:
          bytes.insert(
            contentsOf: (Self.pieces.randomElement(using: &generator) ?? "").utf8, at: place)
        }
      }
      try use(String(decoding: bytes, as: UTF8.self), bytes)
    }
  }

  func testParsesOrRefusesForms() {
    let form =
      "family_name=Rowan&given_name=Imogen+Elspeth&birth_date=1988-03-14&label=i%40rowan.example"
    var read = 0
    var accepted = 0
    tampered([form, "label=&" + form, "family_name[]=Rowan&" + form]) { _, bytes in
      guard let form = EnrolmentForm(bytes) else { return }
      read += 1
      let input: HTML = "<input value=\"\(form.label)\">"
      XCTAssertEqual(input.description.utf8.count { $0 == UInt8(ascii: "<") }, 1, "\(input)")
      XCTAssertEqual(input.description.utf8.count { $0 == UInt8(ascii: "\"") }, 2, "\(input)")
      guard let person = try? form.person() else { return }
      accepted += 1
      XCTAssertNotEqual(person.maskedLabel, form.label)
    }
    XCTAssertGreaterThan(read, Self.texts / 20)
    XCTAssertGreaterThan(accepted, Self.texts / 20)
  }

  func testProxyHeadersNameAnAddressOrNone() throws {
    let values = [
      "10.0.0.1, 198.51.100.7", "2001:db8::1", "[2001:db8::1]:80", "for=198.51.100.7;proto=https",
      "for=10.0.0.1, proto=https;For=\"[2001:db8::1]:4711\"",
    ]
    let names = [
      (ProxyHeader.xForwardedFor, try XCTUnwrap(HTTPField.Name("X-Forwarded-For"))),
      (ProxyHeader.forwarded, try XCTUnwrap(HTTPField.Name("Forwarded"))),
    ]
    var named = 0
    tampered(values) { text, _ in
      for (header, name) in names {
        let address = header.client([name: text])
        named += address == nil ? 0 : 1
        // Anything before the last element may come from the client.
        XCTAssertEqual(header.client([name: "192.0.2.66," + text]), address, text)
      }
    }
    XCTAssertGreaterThan(named, Self.texts / 20)
  }

  func testEntityTagsMatchOnlyNamedTags() {
    var matched = 0
    tampered(["\"abc\"", "W/\"abc\"", "\"x\", W/\"abc\" , \"y\"", "*"]) { text, _ in
      let names = text.contains(/(^|,)[ \t]*(\*|(W\/)?"abc")[ \t]*(,|$)/)
      XCTAssertEqual(EntityTags(text).match("\"abc\""), names, text)
      matched += names ? 1 : 0
    }
    XCTAssertGreaterThan(matched, Self.texts / 20)
  }

  func testReadsSettingFilesOrRefusesThemByName() throws {
    let path = NSTemporaryDirectory() + "tampered-settings-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let files = [
      "port: 1001\nattempt-rounds: 3\nblock-seconds: [7, 8]\n",
      "issuing-authority: \"Ministry: \\\"Interior\\\" # 1\"\ndatabase-connections: 3\n",
      SettingText.sample.replacingOccurrences(of: "\n#", with: "\n"),
    ]
    var taken = 0
    try tampered(files) { _, bytes in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      XCTAssertEqual(chmod(path, 0o600), 0)
      do {
        _ = try ServerSettings.read(options: [:], config: path)
        taken += 1
      } catch {
        let message = (error as? ValidationError)?.message ?? "\(error)"
        XCTAssertTrue(message.contains(path), message)
        XCTAssertFalse(message.contains("\n"), message)
      }
    }
    XCTAssertGreaterThan(taken, Self.texts / 20)
  }
}
