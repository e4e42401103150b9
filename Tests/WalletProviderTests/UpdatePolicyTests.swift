import WalletProtocol
import WalletProvider
import XCTest

/// Which update policies are accepted, and the error messages for the others.
final class UpdatePolicyTests: XCTestCase {
  private func policy(_ json: String) throws -> UpdatePolicy {
    try UpdatePolicy(json: Array(json.utf8))
  }

  private func rule(_ members: String) throws -> UpdateRule {
    let rules = try policy(#"{"rules":[{\#(members)}]}"#).rules
    XCTAssertEqual(rules.count, 1)
    return try XCTUnwrap(rules.first)
  }

  func testRuleHasTheMembersOfTheMessage() throws {
    XCTAssertEqual(try policy(#"{"rules":[]}"#), .none)
    XCTAssertEqual(try rule(#""grade":"recommend""#), UpdateRule(grade: .recommend))
    let whole = try rule(
      #""minimum_version":"1.2.3","below_version":"1.10.0","grade":"block","from":1800000000,"#
        + #""warning_seconds":3600,"update_available":false"#)
    XCTAssertEqual(
      whole,
      UpdateRule(
        minimumVersion: "1.2.3", belowVersion: "1.10.0", grade: .block, from: 1_800_000_000,
        warningSeconds: 3600, updateAvailable: false))
    // The content of a message is a valid file, and null is the same as a missing member.
    let message = try WireJSON.encode(["rules": [whole]])
    XCTAssertEqual(try UpdatePolicy(json: message).rules, [whole])
    let nulls = #""grade":"block","from":null,"below_version":null,"warning_seconds":null"#
    XCTAssertEqual(try rule(nulls), UpdateRule(grade: .block))
  }

  func testTimeMayBeRFC3339Text() throws {
    let times: [(String, Int64)] = [
      ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00Z", 1_769_860_800),
      ("2026-01-31T12:00:00+01:00", 1_769_857_200), ("2026-01-31t12:00:00-05:30", 1_769_880_600),
      ("2000-02-29T23:59:59z", 951_868_799), ("2024-02-29T00:00:00Z", 1_709_164_800),
      ("2024-03-01T00:00:00Z", 1_709_251_200), ("2100-03-01T00:00:00Z", 4_107_542_400),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]
    for (text, seconds) in times {
      XCTAssertEqual(try rule(#""grade":"block","from":"\#(text)""#).from, seconds, text)
    }
    let refused = [
      "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-02-29T00:00:00Z",
      "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.5Z",
      "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00Z ",
      "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "-026-01-01T00:00:00Z", "1800000000",
    ]
    for text in refused {
      XCTAssertThrowsError(try rule(#""grade":"block","from":"\#(text)""#), text) {
        XCTAssertTrue("\($0)".hasPrefix("rule 1: \"from\" must be"), "\($0)")
      }
    }
  }

  func testEveryErrorNamesTheRuleAndTheMember() {
    let refused: [(String, says: String)] = [
      ("", says: "it is not JSON"), ("{", says: "it is not JSON"),
      ("[]", says: "the policy must be an object"), ("{}", says: "\"rules\" must be a list"),
      (#"{"rules":{}}"#, says: "\"rules\" must be a list"),
      (#"{"rules":[],"rule":1}"#, says: "the policy has the unknown member \"rule\""),
      (#"{"rules":[1]}"#, says: "rule 1 must be an object"),
      (#"{"rules":[{"grade":"block"},{}]}"#, says: "rule 2: \"grade\" must be"),
      (#"{"rules":[{"grade":"warn"}]}"#, says: "rule 1: \"grade\" must be \"recommend\" or"),
      (#"{"rules":[{"grade":1}]}"#, says: "rule 1: \"grade\" must be"),
      (
        #"{"rules":[{"grade":"block","belowVersion":"1.0.0"}]}"#,
        says: "rule 1 has the unknown member \"belowVersion\"; known are minimum_version, below"
      ),
      (
        #"{"rules":[{"grade":"block","minimum_version":"2.0.0","below_version":"2.0.0"}]}"#,
        says: "rule 1: \"minimum_version\" must be lower than \"below_version\""
      ),
      (
        #"{"rules":[{"grade":"block","minimum_version":"1.10.0","below_version":"1.9.0"}]}"#,
        says: "must be lower"
      ),
      (#"{"rules":[{"grade":"block","update_available":"no"}]}"#, says: "must be true or false"),
      (#"{"rules":[{"grade":"block","warning_seconds":-1}]}"#, says: "\"warning_seconds\" must"),
      (#"{"rules":[{"grade":"block","warning_seconds":31622401}]}"#, says: "\"warning_seconds\""),
      (#"{"rules":[{"grade":"block","from":-1}]}"#, says: "\"from\" must be"),
      (#"{"rules":[{"grade":"block","from":253402300800}]}"#, says: "\"from\" must be"),
      (#"{"rules":[{"grade":"block","from":true}]}"#, says: "\"from\" must be"),
      (#"{"rules":[{"grade":"block","from":1e30}]}"#, says: "\"from\" must be"),
    ]
    for (json, says) in refused {
      XCTAssertThrowsError(try policy(json), json) {
        XCTAssertTrue($0 is SettingsError)
        XCTAssertTrue("\($0)".contains(says), "\(json): \($0)")
      }
    }
    for version in [
      "", "1", "1.2", "1.2.3.4", "1.2.x", "1.2.3-beta", "1..3", "+1.2.3", "1.2.-3",
      " 1.2.3", "1.2.4294967296", "１.2.3",
    ] {
      for name in ["minimum_version", "below_version"] {
        XCTAssertThrowsError(try rule(#""grade":"block","\#(name)":"\#(version)""#), version) {
          XCTAssertTrue("\($0)".hasPrefix("rule 1: \"\(name)\" must be a version"), "\($0)")
        }
      }
    }
  }

  func testPolicyFitsIntoASignedMessage() throws {
    let longest =
      #"{"grade":"recommend","minimum_version":"4294967295.4294967295.4294967294","#
      + #""below_version":"4294967295.4294967295.4294967295","from":253402300799,"#
      + #""warning_seconds":31622400,"update_available":false}"#
    let many = { (count: Int) in
      #"{"rules":["# + Array(repeating: longest, count: count).joined(separator: ",") + "]}"
    }
    let claims = UpdatePolicyClaims(
      providerID: "id", issuedAt: Int64.max, rules: try policy(many(256)).rules)
    let size = try WireJSON.encode(claims).count
    XCTAssertLessThan(size * 4 / 3 + 1000, SignedMessage.maximumLength)
    XCTAssertThrowsError(try policy(many(257)))
    XCTAssertThrowsError(try policy(String(repeating: "[", count: 100_000)))
  }

  func testSummaryDescribesEveryVersionOverTime() throws {
    XCTAssertEqual(UpdatePolicy.none.summary, ["every version: allowed"])
    let block = try policy(#"{"rules":[{"grade":"block","update_available":false}]}"#)
    XCTAssertEqual(block.summary, ["every version: blocked, the store has no update"])
    let mixed = try policy(
      """
      {"rules":[{"grade":"block","below_version":"1.0.0"},
      {"grade":"block","below_version":"2.0.0","from":"2027-01-08T00:00:00Z"},
      {"grade":"recommend","minimum_version":"1.5.0","below_version":"3.0.0"}]}
      """)
    let later =
      "from 2027-01-01T00:00:00Z on allowed, with a warning of the block at 2027-01-08T00:00:00Z;"
      + " from 2027-01-08T00:00:00Z on blocked, the store has an update"
    XCTAssertEqual(
      mixed.summary,
      [
        "below 1.0.0: blocked, the store has an update",
        "1.0.0 and above, below 1.5.0: allowed; \(later)",
        "1.5.0 and above, below 2.0.0: allowed, an update is recommended; \(later)",
        "2.0.0 and above, below 3.0.0: allowed, an update is recommended",
        "3.0.0 and above: allowed",
      ])
  }
}
