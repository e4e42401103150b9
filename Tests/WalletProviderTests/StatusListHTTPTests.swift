import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletProtocol
import WalletProvider
import WalletProviderServer
import XCTest

/// The route of status lists (draft-ietf-oauth-status-list section 8).
final class StatusListHTTPTests: XCTestCase {
  private static let type = "application/statuslist+jwt"

  func testServesAListWithItsCachingHeaders() async throws {
    let bed = try StatusTestBed()
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let path = String(reference.uri.dropFirst(StatusTestBed.url.count))
    try await withHTTP(bed.harness, statusLists: try bed.publisher()) { http in
      let first = try await http.get(path)
      XCTAssertEqual(first.status, .ok)
      XCTAssertEqual(first.headers[.contentType], Self.type)
      XCTAssertEqual(first.headers[.accessControlAllowOrigin], "*")
      let left = 900 - bed.harness.clock.now / 1000 % 900
      XCTAssertEqual(first.headers[.cacheControl], "max-age=\(left)")
      _ = try bed.read(String(decoding: first.bytes, as: UTF8.self), uri: reference.uri)
      let tag = try XCTUnwrap(first.headers[.eTag])
      let second = try await http.get(path, headers: [.ifNoneMatch: tag])
      XCTAssertEqual(second.status, .notModified)
      XCTAssertEqual(second.headers[.eTag], tag)
      XCTAssertEqual(second.headers[.cacheControl], "max-age=\(left)")
      let head = try await http.client.execute(uri: path, method: .head)
      XCTAssertEqual(head.status, .ok)
      XCTAssertEqual(head.headers[.eTag], tag)
      XCTAssertEqual(head.body.readableBytes, 0)
      let post = try await http.post(path, [])
      XCTAssertEqual(post.problemKind(), .methodNotAllowed)
      XCTAssertEqual(post.headers[.allow], "GET, HEAD")
      bed.harness.clock.advance(900_000)
      let changed = try await http.get(path, headers: [.ifNoneMatch: tag])
      XCTAssertEqual(changed.status, .ok)
    }
  }

  func testAnswersOnlyInTheFormThatItHas() async throws {
    let bed = try StatusTestBed()
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let path = String(reference.uri.dropFirst(StatusTestBed.url.count))
    try await withHTTP(bed.harness, statusLists: try bed.publisher()) { http in
      for accepted in [
        Self.type, "*/*", "application/*;q=0.1", "", "APPLICATION/StatusList+JWT; q=0.5",
        "application/statuslist+cwt, application/statuslist+jwt;q=0.9", "text/html,*/*;q=0.8",
      ] {
        let answer = try await http.get(path, headers: [.accept: accepted])
        XCTAssertEqual(answer.status, .ok, accepted)
      }
      for refused in [
        "application/statuslist+cwt", "text/*", "application/statuslist+jwt;q=0, */*",
        "*/*;q=0", "application/jwt", ";", "q=1",
      ] {
        let answer = try await http.get(path, headers: [.accept: refused])
        XCTAssertEqual(answer.problemKind(), .notAcceptable, refused)
      }
      let past = try await http.get(path + "?time=1686925000")
      XCTAssertEqual(past.problemKind(), .notImplemented)
    }
  }

  func testUnknownListsAreNotFoundAndWithoutASignerThereIsNone() async throws {
    let bed = try StatusTestBed()
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let path = String(reference.uri.dropFirst(StatusTestBed.url.count))
    try await withHTTP(bed.harness, statusLists: try bed.publisher()) { http in
      for unknown in [
        "/status-lists", "/status-lists/", "/status-lists/unknown", path + "/", path + "x",
        "/status-lists/{list}", "/status-lists/%20", "/x" + path,
      ] {
        let answer = try await http.get(unknown)
        XCTAssertEqual(answer.problemKind(), .notFound, unknown)
      }
    }
    try await withHTTP(bed.harness) { http in
      let answer = try await http.get(path)
      XCTAssertEqual(answer.problemKind(), .notFound)
    }
  }

  func testRequestsAreCountedAndLimitedLikeOthers() async throws {
    let bed = try StatusTestBed()
    var settings = LimitSettings()
    settings.requestsInProgress = 0
    let limits = RequestLimits(settings)
    try await withHTTP(bed.harness, statusLists: try bed.publisher(), limits: limits) { http in
      let answer = try await http.get("/status-lists/unknown")
      XCTAssertEqual(answer.problemKind(), .unavailable)
    }
  }
}
