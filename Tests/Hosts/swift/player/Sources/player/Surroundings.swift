import CWalletCore
import CWalletCoreTesting
import WalletHost

// The phone around the app, and the outside world.
extension Player {
  func change(_ words: [String]) throws {
    switch (words.first ?? "", words.count) {
    case ("platform", 2):
      let rules = try named(
        words[1], ["ios": WALLET_CORE_PLATFORM_IOS, "android": WALLET_CORE_PLATFORM_ANDROID])
      device.world.withLock { $0.rules = rules }
    case ("biometrics", 2):
      let biometrics = try named(
        words[1],
        [
          "none": wallet_core_biometrics?.none, "any": WALLET_CORE_BIOMETRICS_ANY,
          "fingerprint": WALLET_CORE_BIOMETRICS_FINGERPRINT,
          "face": WALLET_CORE_BIOMETRICS_FACE,
        ])
      device.world.withLock { $0.biometrics = biometrics }
    case ("camera", 2):
      let camera = try named(
        words[1],
        [
          "missing": WALLET_CORE_CAMERA_MISSING, "usable": WALLET_CORE_CAMERA_USABLE,
          "denied": WALLET_CORE_CAMERA_DENIED,
        ])
      device.world.withLock { $0.camera = camera }
    case ("device", 2):
      let isSecure = try named(words[1], ["secure": true, "insecure": false])
      device.world.withLock { $0.isSecure = isSecure }
    case ("keys", 2):
      let hasKeyStore = try named(words[1], ["ok": true, "lost": true, "unavailable": false])
      if words[1] == "lost" { try device.sensor.loseKeys() }
      device.world.withLock { $0.hasKeyStore = hasKeyStore }
    case ("network", 3):
      let fault = try named(
        words[1],
        [
          "ok": WALLET_CORE_TESTING_NETWORK_OK,
          "no-internet": WALLET_CORE_TESTING_NETWORK_NO_INTERNET,
          "refused": WALLET_CORE_TESTING_NETWORK_REFUSED,
          "answer-lost": WALLET_CORE_TESTING_NETWORK_ANSWER_LOST,
        ])
      device.world.withLock { $0.isOnline = words[1] != "no-internet" }
      wallet_core_testing_set_network_fault(Int32(fault), try number(words[2]))
    case ("clock", 2):
      wallet_core_testing_advance_clock(try number(words[1]))
      // Any call makes the wallet do what is due.
      if WalletCore.isStarted { _ = try WalletCore.isLocked() }
    case ("stop-clock", 1): wallet_core_testing_stop_clock()
    case ("calendar", 2): wallet_core_testing_advance_calendar(try number(words[1]))
    case ("kill-at", 2): wallet_core_testing_set_crash_point(words[1])
    default: throw Failed(description: "unknown instruction")
    }
  }
}

func named<Value>(_ word: String, _ values: [String: Value]) throws -> Value {
  guard let value = values[word] else {
    throw Failed(description: "\(word) is none of \(values.keys.sorted().joined(separator: ", "))")
  }
  return value
}

func number<Number: FixedWidthInteger>(_ word: String) throws -> Number {
  guard let number = Number(word) else { throw Failed(description: "\(word) is no number") }
  return number
}
