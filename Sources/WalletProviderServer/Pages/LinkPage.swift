import Hummingbird

/// What a browser shows that was given an enrolment link: the wallet should have opened it. The secret
/// is in the fragment and never comes here.
enum LinkPage {
  static let path = "/b"

  static var response: Response {
    PageLayout.response(
      title: "Open this link with your wallet",
      body: """
        <p>This link is for a wallet app on this device. If none opened, install the wallet, or scan \
        the code with it.</p>
        """)
  }
}
