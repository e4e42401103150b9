import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import WalletProtocol
import WalletProvider
import XCTest

/// The provider's enrolment pages as a browser sees them.
class EnrolmentPageTests: StoreTestCase {
  /// The link in the page's QR code, read by an independent program.
  private func scanned(_ html: String) throws -> String {
    let image = try XCTUnwrap(
      html.components(separatedBy: "base64,").last?.components(separatedBy: "\"").first)
    let path = NSTemporaryDirectory() + UUID().uuidString + ".png"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try XCTUnwrap(Data(base64Encoded: image)).write(to: URL(fileURLWithPath: path))
    return try QRReader.read(path)
  }

  func testPageFollowsAnAccountFromItsCodeToItsProofing() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let pages = try await withHTTP(harness, enrolment: true) { http in
      let created = try await http.send("/enrol", invented)
      XCTAssertEqual(created.status, .seeOther)
      let page = try XCTUnwrap(created.headers[.location])
      let response = try await http.get(page)
      XCTAssertEqual(response.headers[.cacheControl], "no-store")
      let html = response.text
      XCTAssertTrue(html.contains("<meta http-equiv=\"refresh\" content=\"2\">"))
      XCTAssertTrue(html.contains("e•••@example.org"))
      XCTAssertFalse(html.contains("Mustermann"))
      return (page, html)
    }
    let link = try scanned(pages.1)
    XCTAssertTrue(link.hasPrefix("https://127.0.0.1/b#v=1&n="), link)
    XCTAssertTrue(link.hasSuffix("&m=qr"), link)
    XCTAssertTrue(
      pages.1.contains(
        link.replacingOccurrences(of: "m=qr", with: "m=link")
          .replacingOccurrences(of: "&", with: "&amp;")))
    let secret = try XCTUnwrap(
      link.components(separatedBy: "&n=").last?.components(separatedBy: "&").first)
    let code = try XCTUnwrap(Base64URL.decode(secret))
    XCTAssertEqual(code.count, 32)

    var states: [String] = []
    func look() async throws {
      states.append(
        try await withHTTP(harness, enrolment: true) { try await $0.state(pages.0) })
    }
    try await look()
    guard case .claimed(let session) = try await wallet.claim(secret: code) else {
      return XCTFail("not claimed")
    }
    try await look()
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    try await look()
    XCTAssertEqual(states, ["issued", "claimed", "proofed"])
  }

  func testEveryPageOfADemonstrationSaysSo() async throws {
    for isDemonstration in [true, false] {
      let harness = try ProviderHarness(isDemonstration: isDemonstration)
      try await withHTTP(harness, enrolment: true) { http in
        let page = try await http.newPage(invented)
        var texts: [String] = []
        for path in ["/enrol", page, "/enrol/none", "/b"] {
          texts.append(try await http.get(path).text)
        }
        texts.append(try await http.send("/enrol", "label=x").text)
        for text in texts {
          XCTAssertTrue(text.contains("<h1>"), text)
          XCTAssertEqual(
            text.contains("digital IDs of this provider prove nothing"), isDemonstration)
        }
      }
    }
  }

  func testPageOfAnExpiredCodeOffersANewOne() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness, enrolment: true) { http in
      let page = try await http.newPage(invented)
      harness.clock.advance(15 * 60_000)
      let expired = try await http.state(page)
      XCTAssertEqual(expired, "expired")
      let still = try await http.get(page).text
      XCTAssertFalse(still.contains("http-equiv"))
      XCTAssertFalse(still.contains("base64,"))
      let renewed = try await http.send(page, "")
      XCTAssertEqual(renewed.status, .seeOther)
      XCTAssertEqual(renewed.headers[.location], page)
      let issued = try await http.state(page)
      XCTAssertEqual(issued, "issued")
      harness.clock.advance(24 * 3_600_000)
      let gone = try await http.get(page)
      XCTAssertEqual(gone.status, .notFound)
    }
  }

  func testPageOfAProofedAccountGivesNoMoreCodes() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let id = try await harness.accounts.createPage(try TestPerson.person())
    let shown = try await harness.accounts.page(id)
    let session = try await wallet.claimed(try XCTUnwrap(shown?.code))
    _ = try await wallet.submit(try TestPerson.claims(), session.id)
    try await withHTTP(harness, enrolment: true) { http in
      let page = "/enrol/" + id
      let before = try await http.get(page).text
      XCTAssertFalse(before.contains("<form"), before)
      let refused = try await http.send(page, "")
      XCTAssertEqual(refused.headers[.location], page)
      let after = try await http.get(page).text
      XCTAssertEqual(after, before)
      XCTAssertTrue(after.contains("makes no more codes"), after)
    }
    let renewal = try await harness.accounts.renewPage(id)
    XCTAssertEqual(renewal, .proofed)
    let account = try await harness.accounts.accounts().first
    XCTAssertEqual(account?.code, .consumed)
  }

  func testNewCodeDoesNotExtendThePage() async throws {
    let harness = try ProviderHarness()
    let id = try await harness.accounts.createPage(try TestPerson.person())
    harness.clock.advance(24 * 3_600_000 - 1)
    let renewal = try await harness.accounts.renewPage(id)
    XCTAssertEqual(renewal, .renewed)
    let last = try await harness.accounts.page(id)
    XCTAssertEqual(last?.state, .issued)
    harness.clock.advance(1)
    let gone = try await harness.accounts.page(id)
    XCTAssertNil(gone)
    let late = try await harness.accounts.renewPage(id)
    XCTAssertEqual(late, .unknown)
  }

  func testUnusedAccountIsDeletedWithItsPage() async throws {
    let harness = try ProviderHarness()
    let wallet = try await TestWallet.confirmed(harness)
    let operated = try await harness.accounts.create(try TestPerson.person()).account
    var accounts: [String: String] = [operated: "made by the operator"]
    /// Makes a page; returns its id and the code that it shows.
    func page(_ name: String) async throws -> (id: String, code: IssuedCode) {
      let id = try await harness.accounts.createPage(try TestPerson.person())
      let shown = try await harness.accounts.page(id)
      let code = try XCTUnwrap(shown?.code)
      accounts[code.account] = name
      return (id, code)
    }
    func left() async throws -> [String] {
      try await harness.provider.deleteEndedRows()
      return try await harness.accounts.accounts().compactMap { accounts[$0.id] }.sorted()
    }
    _ = try await page("unused")
    _ = try await wallet.release(try await wallet.claimed(try await page("released").code).id)
    let cases = [("proofed", "MUSTERMANN", 1, ProofingStatus.State.proofed)]
    for (name, family, times, state) in cases + [("exhausted", "OTHER", 5, .exhausted)] {
      let session = try await wallet.claimed(try await page(name).code)
      var status: ProofingStatus?
      for _ in 1...times {
        status = try await wallet.submit(try TestPerson.claims(family: family), session.id)
      }
      XCTAssertEqual(status?.state, state)
    }
    let (open, renewed) = (try await page("open"), try await page("renewed"))
    harness.clock.advance(24 * 3_600_000 - 1)
    let all = try await left()
    XCTAssertEqual(all.count, 7)
    _ = try await harness.accounts.renewPage(open.id)
    let shown = try await harness.accounts.page(open.id)
    let session = try await wallet.claimed(try XCTUnwrap(shown?.code))
    let code = try await harness.accounts.issueCode(account: renewed.code.account)
    XCTAssertNotNil(code)
    harness.clock.advance(1)
    let afterADay = try await left()
    XCTAssertEqual(afterADay, ["exhausted", "made by the operator", "open", "proofed", "renewed"])
    let status = try await wallet.status(session.id)
    XCTAssertEqual(status.state, .open)
    harness.clock.advance(15 * 60_000)
    let afterTheCode = try await left()
    XCTAssertEqual(afterTheCode, ["exhausted", "made by the operator", "open", "proofed"])
    harness.clock.advance(45 * 60_000)
    let afterTheSession = try await left()
    XCTAssertEqual(afterTheSession, ["exhausted", "made by the operator", "proofed"])
  }

  func testEscapesFormInputAndRefusesItWithAReason() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness, enrolment: true) { http in
      let evil =
        "family_name=%22%3E%3Cscript%3Ex%3C%2Fscript%3E&given_name=%27%26&birth_date=x&label=%3Cb%3E"
      let refused = try await http.send("/enrol", evil)
      XCTAssertEqual(refused.status, .badRequest)
      let html = refused.text
      XCTAssertTrue(html.contains("&quot;&gt;&lt;script&gt;x&lt;/script&gt;"), html)
      XCTAssertTrue(html.contains("&#39;&amp;"), html)
      XCTAssertFalse(html.contains("<script"))
      XCTAssertFalse(html.contains("<b>"))
      XCTAssertTrue(html.contains("role=\"alert\""))
      let label = "family_name=A&given_name=B&birth_date=1990-12-31&label=%3Ci%3E%40%3Cb%3E"
      let page = try await http.newPage(label)
      let shown = try await http.get(page).text
      XCTAssertTrue(shown.contains("•••"), shown)
      XCTAssertFalse(shown.contains("<b>"))
      for broken in ["", "family_name=A", "%", "a[b]=c", "\u{0}"] {
        let answer = try await http.send("/enrol", broken)
        XCTAssertEqual(answer.status, .badRequest, broken)
      }
      let long = try await http.send("/enrol", String(repeating: "a", count: 8193))
      XCTAssertEqual(long.problemKind(), .bodyTooLarge)
    }
    let counts = try await harness.accounts.accounts()
    XCTAssertEqual(counts.count, 1)
  }

  func testRefusesFormsFromOtherSites() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness, enrolment: true) { http in
      for site in ["cross-site", "same-site", "none", nil] {
        let answer = try await http.send("/enrol", invented, site: site)
        XCTAssertEqual(answer.status, .forbidden, site ?? "no header")
      }
    }
    let accounts = try await harness.accounts.accounts()
    XCTAssertEqual(accounts, [])
  }

  func testRefusesRequestsThatNameAnotherHost() async throws {
    let harness = try ProviderHarness()
    let page = try await withHTTP(harness, enrolment: true) { try await $0.newPage(invented) }
    try await withHTTP(harness, enrolment: true, hosts: ["wallet.example"]) { http in
      for path in ["/enrol", page] {
        let shown = try await http.get(path)
        XCTAssertEqual(shown.status, .misdirectedRequest)
        XCTAssertFalse(shown.text.contains("<form"))
        let sent = try await http.send(path, invented)
        XCTAssertEqual(sent.status, .misdirectedRequest)
      }
      // Only the pages are for browsers.
      let configuration = try await http.get(Route.configuration)
      XCTAssertEqual(configuration.status, .ok)
    }
    let accounts = try await harness.accounts.accounts()
    XCTAssertEqual(accounts.count, 1)
  }

  func testPagesContainAndAllowNoScripts() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness, enrolment: true) { http in
      for path in ["/enrol", "/b"] {
        let page = try await http.get(path)
        XCTAssertEqual(page.status, .ok)
        XCTAssertEqual(page.headers[.contentType], "text/html; charset=utf-8")
        let policy = try XCTUnwrap(page.headers[.contentSecurityPolicy])
        XCTAssertTrue(policy.hasPrefix("default-src 'none'; style-src 'sha256-"), policy)
        XCTAssertFalse(policy.contains("unsafe"))
        XCTAssertFalse(page.text.contains("<script"))
        // The hash in the policy matches the style in the page.
        let style = page.text.components(separatedBy: "<style>").last?
          .components(separatedBy: "</style>").first
        let hash = Data(sha256(try XCTUnwrap(style).utf8)).base64EncodedString()
        XCTAssertTrue(policy.contains("'sha256-\(hash)'"))
      }
      for path in ["/enrol/x", "/enrol/" + Base64URL.encode([UInt8](repeating: 1, count: 32))] {
        let page = try await http.get(path)
        XCTAssertEqual(page.status, .notFound)
      }
    }
  }

  func testPageExistsOnlyWithTheSetting() async throws {
    let harness = try ProviderHarness()
    try await withHTTP(harness) { http in
      let page = try await http.get("/enrol")
      XCTAssertEqual(page.problemKind(), .notFound)
      let posted = try await http.send("/enrol", invented)
      XCTAssertEqual(posted.problemKind(), .notFound)
      let link = try await http.get("/b")
      XCTAssertEqual(link.status, .ok)
    }
  }
}

private let invented =
  "family_name=Mustermann&given_name=Erika+Maria&birth_date=1990-12-31&label=e%40example.org"

extension HTTPClient {
  /// Sends a form like a browser.
  fileprivate func send(
    _ path: String, _ form: String, site: String? = "same-origin"
  ) async throws -> TestResponse {
    var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    if let site, let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
    return try await client.execute(
      uri: path, method: .post, headers: headers, body: ByteBuffer(string: form))
  }

  /// The page that the form redirects to.
  fileprivate func newPage(_ form: String) async throws -> String {
    let answer = try await send("/enrol", form)
    XCTAssertEqual(answer.status, .seeOther)
    return try XCTUnwrap(answer.headers[.location])
  }

  fileprivate func state(_ page: String) async throws -> String {
    let parts = try await get(page).text.components(separatedBy: "<strong id=\"state\">")
    XCTAssertEqual(parts.count, 2)
    return parts.last?.components(separatedBy: "</strong>").first ?? ""
  }
}

extension TestResponse {
  fileprivate var text: String { String(buffer: body) }
}
