import Hummingbird

/// The page for a browser that opened an enrolment link instead of the wallet. The secret is in the
/// fragment and is never sent to the server.
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
