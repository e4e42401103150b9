internal import Synchronization
internal import WalletPlatform

/// The outside world as tests have it: one for the process, installed when it is first touched.
final class TestWorld: Sendable {
  static let shared = TestWorld()

  let clock = AdjustableClock()
  let network = NetworkFaults()
  let crashPoints = CrashPoints()
  private let calendarOffset = Atomic<Int64>(0)

  private init() {
    var world = SystemEnvironment()
    world.clock = clock
    let systemCalendar = world.calendarSeconds
    world.calendarSeconds = { systemCalendar() &+ TestWorld.shared.calendarAdvance }
    world.nextNetworkFault = { [network] in network.next() }
    let trace = RowTrace()
    world.passCrashPoint = { [crashPoints] name in
      trace?.note(name)
      crashPoints.pass(name)
    }
    SystemEnvironment.replacement.withLock { $0 = world }
  }

  func advanceCalendar(by seconds: Int64) {
    calendarOffset.wrappingAdd(seconds, ordering: .relaxed)
  }

  private var calendarAdvance: Int64 { calendarOffset.load(ordering: .relaxed) }
}
