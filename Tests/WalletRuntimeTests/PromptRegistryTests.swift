import WalletPlatform
import XCTest

@testable import WalletRuntime

final class PromptRegistryTests: XCTestCase {
  func testEveryExpectedPromptThatIsNotOverIsCancelled() {
    let registry = PromptRegistry()
    let (waiting, over, later) = (Cancellation(), Cancellation(), Cancellation())
    registry.expect(waiting, since: 0)
    registry.expect(waiting, since: 0)
    registry.expect(over, since: 0)
    registry.forget(over)
    registry.cancelAll()
    registry.expect(later, since: 0)
    registry.forget(waiting)
    XCTAssertTrue(waiting.isCancelled)
    XCTAssertFalse(over.isCancelled)
    XCTAssertFalse(later.isCancelled, "later prompts are not affected")
  }

  func testQueuedPromptsAreCancelledBeforeTheOpenOne() {
    let registry = PromptRegistry()
    let requests = (0..<20).map { _ in Cancellation() }
    for request in requests { registry.expect(request, since: 0) }
    registry.expect(requests[3], since: 0)
    // When the open prompt ends, the next one starts.
    requests[0].whileCancellable(
      onCancel: { XCTAssertTrue(requests.dropFirst().allSatisfy(\.isCancelled)) }
    ) { registry.cancelAll() }
    XCTAssertTrue(requests.allSatisfy(\.isCancelled))
  }

  func testAForgottenPromptIsNotCancelled() {
    let registry = PromptRegistry()
    let request = Cancellation()
    registry.expect(request, since: 0)
    registry.forget(request)
    registry.cancelAll()
    XCTAssertFalse(request.isCancelled)
  }

  func testALockEndsOnlyThePromptsThatBeganBeforeIt() {
    let registry = PromptRegistry()
    let (before, since, late) = (Cancellation(), Cancellation(), Cancellation())
    registry.expect(before, since: 0)
    registry.expect(since, since: 1)
    registry.cancelAll(before: 1)
    registry.expect(late, since: 0)
    XCTAssertTrue(before.isCancelled)
    XCTAssertFalse(since.isCancelled, "it is to unlock the wallet again")
    XCTAssertTrue(late.isCancelled, "it began before the lock, which found no prompt of it")
  }
}
