import Hummingbird
import WalletProvider

/// The form at `/enrol` as a person filled it in.
struct EnrolmentForm: Decodable {
  var familyName: String
  var givenName: String
  var birthDate: String
  var label: String

  private enum CodingKeys: String, CodingKey {
    case label
    case familyName = "family_name"
    case givenName = "given_name"
    case birthDate = "birth_date"
  }

  /// Parses `application/x-www-form-urlencoded`; nil for anything else.
  init?(_ body: [UInt8]) {
    guard let text = String(validating: body, as: UTF8.self),
      let form = try? URLEncodedFormDecoder().decode(EnrolmentForm.self, from: text)
    else { return nil }
    self = form
  }

  func person() throws(SettingsError) -> AccountPerson {
    try AccountPerson(
      label: label, familyName: familyName, givenName: givenName, birthDate: birthDate)
  }

  /// The page with the form, filled in with what was entered before.
  static func page(
    _ typed: EnrolmentForm?, error: String?, _ layout: PageLayout
  ) -> Response {
    let notice: HTML = error.map { "<p class=\"error\" role=\"alert\">\($0)</p>" as HTML } ?? ""
    let body: HTML = """
      <p>For demonstrations: anyone can make an account here. Use invented data.</p>
      \(notice)
      <form method="post" action="\(EnrolmentSite.path)">
      \(field("family_name", "Family name", typed?.familyName))
      \(field("given_name", "Given names", typed?.givenName))
      \(field("birth_date", "Birth date", typed?.birthDate, type: "date"))
      \(field("label", "E-mail address, as the name of the account", typed?.label, type: "email"))
      <button>Make the account</button>
      </form>
      """
    return layout.response(
      error == nil ? .ok : .badRequest, title: "Make an account", body: body)
  }

  private static func field(
    _ name: String, _ label: String, _ value: String?, type: String = "text"
  ) -> HTML {
    """
    <label for="\(name)">\(label)</label>
    <input id="\(name)" name="\(name)" type="\(type)" value="\(value ?? "")" required \
    maxlength="\(AccountPerson.longestText)" autocomplete="off">
    """
  }
}
