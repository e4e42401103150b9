import Hummingbird

/// The page that a browser shows if it opens an enrolment link instead of the wallet. The link's
/// secret is in its fragment, which browsers never send to a server.
enum LinkPage {
  static let path = "/b"

  static func response(_ layout: PageLayout) -> Response {
    layout.response(
      title: "Open this link with your wallet",
      body: """
        <p>This link is for a wallet app on this device. If none opened, install the wallet, or scan \
        the code with it.</p>
        """)
  }
}
