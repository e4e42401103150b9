import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletProtocol
import XCTest

@testable import WalletProviderServer

/// Compares the description with the routes. Tests/Interop/openapi.sh tests whether it is valid
/// OpenAPI and whether a running server conforms to it.
final class OpenAPITests: XCTestCase {
  /// The keys of a description by their path: `paths//v2/configuration/get/responses/200`.
  private func places(_ text: String) -> Set<String> {
    var places: Set<String> = []
    var above: [(indent: Int, key: String)] = []
    for line in text.split(separator: "\n") {
      let indent = line.prefix { $0 == " " }.count
      guard let colon = line.range(of: ": ") ?? line.range(of: ":", options: .backwards),
        !line.contains("- ")
      else { continue }
      let key = line[..<colon.lowerBound].trimmingCharacters(in: .init(charactersIn: " '"))
      above.removeAll { $0.indent >= indent }
      above.append((indent, key))
      places.insert(above.map(\.key).joined(separator: " "))
    }
    return places
  }

  func testDescribesExactlyTheRoutesAndTheirMethods() {
    let places = places(OpenAPIDescription(LimitSettings()).text)
    let paths = places.filter { $0.hasPrefix("paths /") && $0.split(separator: " ").count == 2 }
      .map { String($0.dropFirst("paths ".count)) }
    let others = ["/enrol", "/enrol/{page}", MetricsResponder.path]
    XCTAssertEqual(Set(paths), Set(Endpoint.all.map(\.path) + others))
    for endpoint in Endpoint.all {
      let method = endpoint.method.rawValue.lowercased()
      let operations = ["get", "head", "post", "put", "delete", "patch", "options", "trace"]
        .filter { places.contains("paths \(endpoint.path) \($0)") }
      XCTAssertEqual(operations, method == "get" ? ["get", "head"] : [method], endpoint.path)
      XCTAssertTrue(places.contains("paths \(endpoint.path) \(method) responses 200"))
    }
  }

  func testDefinesEveryProblemAndReference() {
    let text = OpenAPIDescription(LimitSettings()).text
    let places = places(text)
    for kind in ProblemKind.allCases {
      XCTAssertTrue(text.contains("- \(Problem.typePrefix)\(kind.rawValue)\n"), kind.rawValue)
      XCTAssertTrue(places.contains("components responses Problem\(kind.status)"))
    }
    let references = text.split(separator: "'").filter { $0.hasPrefix("#/") }
    XCTAssertGreaterThan(references.count, 100)
    for reference in references {
      let place = reference.dropFirst(2).split(separator: "/").joined(separator: " ")
      XCTAssertTrue(places.contains(place), String(reference))
    }
  }

  func testStatesTheLimitsOfTheProcess() {
    var limits = LimitSettings()
    limits.bodyBytes = 12_345
    limits.headerSeconds = 77
    let text = OpenAPIDescription(limits).text
    XCTAssertTrue(text.contains("bodies of 12345 bytes"))
    XCTAssertTrue(text.contains("77 seconds for a head"))
  }

  func testServesTheDescription() async throws {
    try await withHTTP(try ProviderHarness()) { http in
      let response = try await http.get("/openapi.yaml")
      XCTAssertEqual(response.status, .ok)
      XCTAssertEqual(response.headers[.contentType], "application/yaml")
      XCTAssertTrue(String(buffer: response.body).hasPrefix("openapi: 3.1.1\n"))
    }
  }
}
