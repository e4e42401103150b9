internal import Synchronization
internal import WalletPlatform
internal import WalletTransport

/// The environment of tests: one for the process, installed on first use.
final class TestEnvironment: Sendable {
  static let shared = TestEnvironment()

  let clock = AdjustableClock()
  let network = NetworkFaults()
  let crashPoints = CrashPoints()
  private let calendarOffset = Atomic<Int64>(0)

  private init() {
    var environment = SystemEnvironment()
    environment.clock = clock
    let systemCalendar = environment.calendarSeconds
    environment.calendarSeconds = { systemCalendar() &+ TestEnvironment.shared.calendarAdvance }
    let trace = RowTrace()
    environment.passCrashPoint = { [crashPoints] name in
      trace?.note(name)
      crashPoints.pass(name)
    }
    SystemEnvironment.replacement.withLock { $0 = environment }
    TransportDecorator.installed.withLock { [network] in
      $0 = { FaultyTransport(transport: $0, faults: network) }
    }
    TransportDecorator.installedForOthers.withLock { [network] in
      $0 = { FaultyStack(stack: $0, faults: network) }
    }
  }

  func advanceCalendar(by seconds: Int64) {
    calendarOffset.wrappingAdd(seconds, ordering: .relaxed)
  }

  private var calendarAdvance: Int64 { calendarOffset.load(ordering: .relaxed) }
}
