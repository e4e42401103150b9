import WalletPlatform
import XCTest

@testable import WalletRuntime

final class PromptKeeperTests: XCTestCase {
  func testEveryPromptThatIsExpectedAndNotOverIsEnded() {
    let keeper = PromptKeeper()
    let (waiting, over, later) = (Cancellation(), Cancellation(), Cancellation())
    keeper.expect(waiting)
    keeper.expect(waiting)
    keeper.expect(over)
    keeper.forget(over)
    keeper.cancelAll()
    keeper.expect(later)
    keeper.forget(waiting)
    XCTAssertTrue(waiting.isCancelled)
    XCTAssertFalse(over.isCancelled)
    XCTAssertFalse(later.isCancelled, "what comes after is not meant")
  }
}
