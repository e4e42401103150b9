/// Proofings while the provider's answer to a check of the PIN is held back, as if it never came.
class UnansweredPinTestCase: ProofingTestCase {
  private(set) var held: HeldAnswer!
  var host: TestHost { flow.host }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  /// Begins a request with the PIN and returns its id once the provider has answered it.
  func beginUnanswered(_ function: TestHost.PinRequest) throws -> UInt64 {
    let held = HeldAnswer(path("check_pin"))
    self.held = held
    middle.answer { held.rewrite($0) }
    let request = try host.begin(function, pin)
    try held.waitUntilHeld()
    return request
  }
}
