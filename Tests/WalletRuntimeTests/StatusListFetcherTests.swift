import WalletModel
import WalletPlatform
import WalletTransport
import XCTest

@testable import WalletRuntime

/// The status lists of hosts of other parties, beside a wipe.
final class StatusListFetcherTests: XCTestCase {
  private struct NoNetwork: HTTPStack {
    func perform(
      _: HTTPCall, of _: HTTPPeer, cancellation _: Cancellation
    ) throws(HTTPFailure) -> HTTPResponse {
      throw HTTPFailure(WalletError(.noInternet, "There is no network."), wasSent: false)
    }
  }

  /// How often something was asked for by `body`.
  private func starts(_ body: (StatusListFetcher) -> Void) -> Int {
    let starts = Monitor(0)
    let fetcher = StatusListFetcher(
      allowLoopback: false, log: .silent,
      makeStack: {
        starts.update { $0 += 1 }
        return NoNetwork()
      }, authorities: { nil })
    body(fetcher)
    fetcher.shutDown()
    return starts.withLock { $0 }
  }

  /// A job that has read the cards before it may ask for their lists after it.
  func testAfterAWipeNobodyIsAskedForTheListsOfFormerCards() {
    let lists = ["https://issuer.example/list"]
    XCTAssertEqual(starts { $0.fetch(lists, begunIn: $0.era) }, 1)
    let afterAWipe = starts { fetcher in
      let era = fetcher.era
      fetcher.cancel()
      fetcher.fetch(lists, begunIn: era)
    }
    XCTAssertEqual(afterAWipe, 0)
  }
}
