import WalletCredentials
import WalletProtocol
import XCTest

/// Claims path pointers (OpenID4VP 1.0 section 7).
final class ClaimsPathTests: XCTestCase {
  private static let claims = #"""
    {"name":"Arthur","address":{"locality":"Köln","codes":[51147,"x"]},
     "degrees":[{"type":"B","year":1},{"type":"M"},{"year":3}],"nationalities":["DE","NL"],
     "matrix":[[1,2],[],[3]],"mixed":[{"a":1},"b"],"empty":[],"null":null,"0":"zero",
     "\u00e9":"composed","K":"kelvin"}
    """#

  func testSelections() throws {
    let claims = try json(Self.claims)
    let selections: [(String, String)] = [
      (#"["name"]"#, #"["Arthur"]"#), (#"["address","locality"]"#, #"["Köln"]"#),
      (#"["address"]"#, #"[{"locality":"Köln","codes":[51147,"x"]}]"#),
      (#"["address","codes",1]"#, #"["x"]"#), (#"["nationalities"]"#, #"[["DE","NL"]]"#),
      (#"["nationalities",null]"#, #"["DE","NL"]"#), (#"["nationalities",1]"#, #"["NL"]"#),
      (#"["degrees",null,"type"]"#, #"["B","M"]"#), (#"["degrees",null,"year"]"#, "[1,3]"),
      (#"["degrees",2,"year"]"#, "[3]"), (#"["matrix",null,null]"#, "[1,2,3]"),
      (#"["matrix",null,0]"#, "[1,3]"), (#"["matrix",null]"#, "[[1,2],[],[3]]"),
      (#"["null"]"#, "[null]"), (#"["0"]"#, #"["zero"]"#), (#"["\u00e9"]"#, #"["composed"]"#),
      (#"["empty"]"#, "[[]]"),
    ]
    for (pointer, selected) in selections {
      XCTAssertEqual(
        .array(try path(pointer).select(in: claims)), try json(selected), pointer)
      XCTAssertEqual(try ClaimsPath(parsing: path(pointer).json), try path(pointer))
    }
  }

  func testErrors() throws {
    let claims = try json(Self.claims)
    let errors: [(String, ClaimsPathError)] = [
      (#"["ssn"]"#, .nothingSelected), (#"["address","region"]"#, .nothingSelected),
      (#"["nationalities",7]"#, .nothingSelected), (#"["empty",null]"#, .nothingSelected),
      (#"["degrees",null,"x"]"#, .nothingSelected), (#"["ssn","x",null]"#, .nothingSelected),
      (#"["matrix",1,0]"#, .nothingSelected), (#"["empty",null,"x"]"#, .nothingSelected),
      (#"["name",0]"#, .notAnArray), (#"["name",null]"#, .notAnArray),
      (#"["address",0]"#, .notAnArray), (#"["address",null]"#, .notAnArray),
      (#"["null",null]"#, .notAnArray), ("[0]", .notAnArray), ("[null]", .notAnArray),
      (#"["nationalities","x"]"#, .notAnObject), (#"["name","x"]"#, .notAnObject),
      (#"["null","x"]"#, .notAnObject),
      // One of the selected elements is enough.
      (#"["mixed",null,"a"]"#, .notAnObject), (#"["degrees",null,0]"#, .notAnArray),
      // Names are compared byte for byte.
      (#"["e\u0301"]"#, .nothingSelected), (#"["\u212a"]"#, .nothingSelected),
      (#"["Name"]"#, .nothingSelected),
    ]
    for (pointer, error) in errors {
      assertRefused(error, pointer) { try path(pointer).select(in: claims) }
    }
  }

  func testMalformedPointersAreRefused() throws {
    let long = "[" + String(repeating: "0,", count: ClaimsPath.maximumLength) + "0]"
    for pointer in [
      "[]", "{}", "null", #""name""#, #"["a",-1]"#, #"["a",1.0]"#, #"["a",-0]"#, #"["a",true]"#,
      #"["a",["b"]]"#, #"["a",{}]"#, #"["a",9223372036854775808]"#, long,
    ] {
      assertRefused(ClaimsPathError.malformed, pointer) { try path(pointer) }
    }
    assertRefused(ClaimsPathError.malformed) { try ClaimsPath([.element(-1)]) }
    assertRefused(ClaimsPathError.malformed) { try ClaimsPath([]) }
    XCTAssertNoThrow(try path(#"["a",9223372036854775807]"#))
  }
}
