internal import WalletPlatform

/// The outside world as tests have it: one for the process, installed when it is first touched.
final class TestWorld: Sendable {
  static let shared = TestWorld()

  let clock = AdjustableClock()
  let network = NetworkFaults()
  let crashPoints = CrashPoints()

  private init() {
    var world = OutsideWorld()
    world.clock = clock
    world.nextNetworkFault = { [network] in network.next() }
    world.passCrashPoint = { [crashPoints] name in crashPoints.pass(name) }
    OutsideWorld.replacement.withLock { $0 = world }
  }
}
