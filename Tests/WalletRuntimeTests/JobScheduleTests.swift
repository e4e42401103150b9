import WalletPlatform
import XCTest

@testable import WalletRuntime

/// Which job of the two threads starts when.
final class JobScheduleTests: XCTestCase {
  private var schedule = JobSchedule()

  override func setUp() {
    schedule = JobSchedule()
    schedule.isStoreOpen = true
  }

  private func add(
    _ need: JobQueue.Need, _ order: JobQueue.Order = .free, isBackground: Bool = false,
    finishesAnswers: Bool = false, waitsForBackground: Bool = false
  ) -> JobQueue.Job {
    let job = JobQueue.Job(
      cancellation: Cancellation(), abort: Cancellation(), need: need, order: order,
      isBackground: isBackground, finishesAnswers: finishesAnswers,
      waitsForBackground: waitsForBackground, isWipe: false, body: { _, _ in })
    let (isAdded, interrupted) = schedule.add(job)
    XCTAssertTrue(isAdded)
    for background in interrupted { background.interrupt() }
    return job
  }

  private func assertNext(
    _ thread: JobThread, is job: JobQueue.Job?, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertTrue(
      schedule.takeNext(for: thread)?.abort === job?.abort, file: file, line: line)
  }

  private func end(_ thread: JobThread) { schedule.running[thread] = nil }

  func testWorkOfThisDeviceDoesNotWaitForTheProvider() {
    let (unlock, cards) = (add(.provider), add(.device))
    assertNext(.provider, is: unlock)
    assertNext(.device, is: cards)
  }

  func testBackgroundWorkIsInterruptedByARequestAndByOtherBackgroundWork() {
    for isBackground in [false, true] {
      let first = add(.provider, isBackground: true)
      assertNext(.provider, is: first)
      _ = add(.provider, isBackground: isBackground)
      XCTAssertTrue(first.cancellation.isCancelled)
      XCTAssertTrue(first.abort.isCancelled)
      setUp()
    }
  }

  func testWhatFinishesItsAnswersIsCutOffByNothing() {
    let first = add(.provider, isBackground: true, finishesAnswers: true)
    assertNext(.provider, is: first)
    _ = add(.provider, isBackground: true)
    XCTAssertFalse(first.cancellation.isCancelled)
    _ = add(.provider)
    XCTAssertTrue(first.cancellation.isCancelled)
    XCTAssertFalse(first.abort.isCancelled)
  }

  func testWhatWaitsForBackgroundWorkKeepsItsPlaceAmongRequests() {
    let running = add(.provider, isBackground: true, finishesAnswers: true)
    assertNext(.provider, is: running)
    let background = add(.provider, isBackground: true, finishesAnswers: true)
    let note = add(.provider, waitsForBackground: true)
    XCTAssertFalse(running.cancellation.isCancelled)
    let request = add(.device)
    end(.provider)
    assertNext(.provider, is: note)
    assertNext(.device, is: request)
    end(.provider)
    assertNext(.provider, is: background)
  }

  func testUntilTheStoreIsOpenOneThreadDoesAllInOrder() {
    schedule.isStoreOpen = false
    let (scan, unlock, cards) = (add(.device), add(.provider), add(.device))
    assertNext(.device, is: nil)
    assertNext(.provider, is: scan)
    schedule.isStoreOpen = true
    // The scan is still under way on the other thread.
    assertNext(.device, is: nil)
    end(.provider)
    assertNext(.device, is: cards)
    assertNext(.provider, is: unlock)
  }

  func testAWipeRunsAloneAndInItsPlace() {
    let (unlock, before) = (add(.provider), add(.device))
    let (wipe, after) = (add(.provider, .alone), add(.device))
    assertNext(.provider, is: unlock)
    assertNext(.device, is: before)
    end(.provider)
    assertNext(.provider, is: nil)
    end(.device)
    assertNext(.device, is: nil)
    assertNext(.provider, is: wipe)
    assertNext(.device, is: nil)
    end(.provider)
    assertNext(.device, is: after)
  }

  /// A wipe cancels all of them in this order. A job that waits must not begin in between because the
  /// running one has ended.
  func testWhatWaitsIsCancelledBeforeWhatRuns() {
    let (running, waiting) = (add(.device), add(.device))
    assertNext(.device, is: running)
    XCTAssertEqual(schedule.jobs.count, 2)
    XCTAssertTrue(schedule.jobs.first?.abort === waiting.abort)
    XCTAssertTrue(schedule.jobs.last?.abort === running.abort)
  }

  func testChangesOfBiometricUnlockKeepTheirOrderAndOthersPass() {
    let (enable, disable) = (add(.provider, .changesBiometrics), add(.device, .changesBiometrics))
    let (unlock, passing) = (add(.device, .usesBiometrics), add(.device))
    assertNext(.provider, is: enable)
    assertNext(.device, is: passing)
    assertNext(.device, is: nil)
    end(.device)
    end(.provider)
    let later = add(.provider, .changesBiometrics)
    assertNext(.provider, is: nil)
    assertNext(.device, is: disable)
    assertNext(.provider, is: nil)
    let cards = add(.device)
    end(.device)
    assertNext(.provider, is: later)
    assertNext(.device, is: unlock)
    end(.device)
    assertNext(.device, is: cards)
  }

  func testRequestsComeBeforeBackgroundWorkOfBothThreads() {
    let (reread, refresh) = (
      add(.provider, .alone, isBackground: true), add(.device, isBackground: true)
    )
    let cards = add(.device)
    assertNext(.provider, is: nil)
    assertNext(.device, is: cards)
    assertNext(.provider, is: nil)
    end(.device)
    assertNext(.provider, is: reread)
    assertNext(.device, is: nil)
    end(.provider)
    assertNext(.device, is: refresh)
  }

  func testARequestInterruptsOnlyTheBackgroundWorkThatDelaysIt() {
    let (release, refresh) = (
      add(.provider, isBackground: true), add(.device, isBackground: true)
    )
    assertNext(.provider, is: release)
    assertNext(.device, is: refresh)
    _ = add(.device)
    XCTAssertFalse(release.cancellation.isCancelled)
    XCTAssertTrue(refresh.cancellation.isCancelled)
    _ = add(.provider, .alone)
    XCTAssertTrue(release.cancellation.isCancelled)
  }

  private func assertWoken(
    _ threads: Set<JobThread>, file: StaticString = #filePath, line: UInt = #line
  ) { XCTAssertEqual(Set(schedule.takeThreadsToWake()), threads, file: file, line: line) }

  func testAJobWakesOnlyTheThreadThatCanStartItAndThatOnce() {
    for thread in JobThread.allCases { schedule.sleep(thread) }
    assertWoken([])
    _ = add(.provider)
    assertWoken([.provider])
    assertWoken([])
    _ = add(.device)
    assertWoken([.device])
    schedule.sleep(.device)
    schedule.isStoreOpen = false
    assertWoken([])
  }

  func testTheEndOfWhatAThreadWaitsForWakesIt() {
    let cards = add(.device)
    assertNext(.device, is: cards)
    let wipe = add(.provider, .alone)
    assertNext(.provider, is: nil)
    schedule.sleep(.provider)
    assertWoken([])
    end(.device)
    assertWoken([.provider])
    assertNext(.provider, is: wipe)
    _ = add(.device)
    schedule.sleep(.device)
    assertWoken([])
    end(.provider)
    assertWoken([.device])
  }

  func testTheOpeningOfTheStoreWakesTheThreadForThisDevice() {
    schedule.isStoreOpen = false
    schedule.sleep(.device)
    let (unlock, cards) = (add(.provider), add(.device))
    assertNext(.provider, is: unlock)
    assertWoken([])
    schedule.isStoreOpen = true
    assertWoken([.device])
    assertNext(.device, is: cards)
  }

  func testAThreadThatSleepsEndsOnceNothingIsLeftForIt() {
    schedule.isStoreOpen = false
    for thread in JobThread.allCases { schedule.sleep(thread) }
    let cards = add(.device)
    assertWoken([.provider])
    schedule.isStopping = true
    // The store may still be opened by the job that waits.
    assertWoken([])
    XCTAssertFalse(schedule.isOver(for: .device))
    assertNext(.provider, is: cards)
    assertWoken([.device])
    XCTAssertTrue(schedule.isOver(for: .device))
  }

  /// Whatever waits, something runs or can start, until everything has ended.
  func testNoTwoJobsWaitForEachOther() {
    var seed: UInt64 = 17
    func roll(_ count: UInt64) -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (seed >> 33) % count
    }
    for _ in 0..<2_000 {
      schedule = JobSchedule()
      for _ in 0..<(2 + roll(8)) {
        schedule.isStoreOpen = schedule.isStoreOpen || roll(2) == 0
        let isDevice = roll(2) == 0
        let orders: [JobQueue.Order] = [.free, .usesBiometrics, .changesBiometrics, .alone]
        let order = orders[Int(roll(4))]
        _ = add(
          isDevice ? .device : .provider, isDevice && order == .alone ? .free : order,
          isBackground: roll(3) == 0)
        if roll(2) == 0 { _ = schedule.takeNext(for: roll(2) == 0 ? .provider : .device) }
      }
      while !schedule.jobs.isEmpty {
        for thread in JobThread.allCases where schedule.running[thread] == nil {
          _ = schedule.takeNext(for: thread)
        }
        guard !schedule.running.isEmpty else { return XCTFail("all jobs wait") }
        let alone = schedule.running.values.contains { $0.order == .alone }
        XCTAssertTrue(!alone || schedule.running.count == 1)
        end(roll(2) == 0 ? .device : .provider)
      }
    }
  }
}
