import CCurl
import Glibc
import WalletModel
import XCTest

@testable import WalletTransport

final class CurlFailureTests: XCTestCase {
  private func kind(
    _ code: CURLcode, systemCode: Int32 = 0, wasResolved: Bool = true
  ) -> WalletError.Kind {
    CurlFailure.error(
      code, systemCode: Int(systemCode), wasResolved: wasResolved, peer: .provider, reason: "reason"
    ).kind
  }

  func testAMissingNetworkIsNoInternet() {
    XCTAssertEqual(kind(CURLE_COULDNT_RESOLVE_HOST), .noInternet)
    XCTAssertEqual(kind(CURLE_COULDNT_RESOLVE_PROXY), .noInternet)
    XCTAssertEqual(kind(CURLE_COULDNT_CONNECT, systemCode: ENETUNREACH), .noInternet)
    XCTAssertEqual(kind(CURLE_COULDNT_CONNECT, systemCode: EHOSTUNREACH), .noInternet)
    XCTAssertEqual(kind(CURLE_COULDNT_CONNECT, systemCode: ENETDOWN), .noInternet)
    XCTAssertEqual(kind(CURLE_OPERATION_TIMEDOUT, wasResolved: false), .noInternet)
  }

  func testAProviderThatDoesNotAnswerIsUnreachable() {
    XCTAssertEqual(kind(CURLE_COULDNT_CONNECT), .serverUnreachable)
    XCTAssertEqual(kind(CURLE_COULDNT_CONNECT, systemCode: ECONNREFUSED), .serverUnreachable)
    XCTAssertEqual(kind(CURLE_OPERATION_TIMEDOUT), .serverUnreachable)
    for code in [
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR,
      CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
    ] { XCTAssertEqual(kind(code), .serverUnreachable) }
  }

  func testLibcurlsCodeIsInTheData() {
    let error = CurlFailure.error(
      CURLE_COULDNT_CONNECT, systemCode: Int(ECONNREFUSED), wasResolved: true, peer: .provider,
      reason: "reason")
    XCTAssertEqual(error.data["curl_code"], .number(7))
    XCTAssertEqual(error.data["errno"], .number(Int64(ECONNREFUSED)))
    XCTAssertTrue(error.message.contains("reason"))
  }

  func testAMissingLibraryNamesThePackageToInstall() {
    for names in [["libabsent.so.0"], ["libabsent.so.0", "libabsent-gnutls.so.0"], []] {
      XCTAssertThrowsError(try CurlLibrary(fileNames: names)) {
        XCTAssertEqual(($0 as? WalletError)?.kind, .transportMissing)
        XCTAssertTrue("\($0)".contains("libcurl4"), "\($0)")
      }
    }
  }

  func testAnotherLibraryInLibcurlsPlaceCountsAsMissing() {
    XCTAssertThrowsError(try CurlLibrary(fileNames: ["libc.so.6"])) {
      XCTAssertEqual(($0 as? WalletError)?.kind, .transportMissing)
    }
  }

  func testTheNextNameIsTriedIfTheFirstIsAbsent() throws {
    let names = ["libabsent.so.0"] + CurlLibrary.fileNames
    XCTAssertNoThrow(try CurlLibrary(fileNames: names))
  }
}
