/// What is done with the wallet, by a request or by a step of the flows: what it needs, what it
/// waits for, and what must hold for it.
struct Operation: Sendable {
  /// Who asks for it, as the log names it.
  enum Asker: String {
    case requests, flows
  }

  /// The name in the log.
  var name: String
  var asker = Asker.requests
  /// What it needs, which decides the thread that does it.
  var need = JobQueue.Need.provider
  /// Which jobs of the other thread it waits for.
  var order = JobQueue.Order.free
  var conditions: Gate.Conditions = .wanted
  /// Whether it has the wallet's PIN, which the provider checks. Then it ends earlier prompts: a
  /// user who enters the PIN is not at the sensor.
  var checksPin = false
  /// Whether the platform will show the user a prompt.
  var prompts = false
  /// Whether it deletes the wallet: it cancels all other jobs and locks at once.
  var isWipe = false

  /// The same operation as an effect or a query of the flows, whose rows decide what is allowed.
  func inFlows(_ name: String, _ conditions: Gate.Conditions = []) -> Operation {
    var operation = self
    (operation.name, operation.asker, operation.conditions) = (name, .flows, conditions)
    // The flows end their own prompts, after the engine has dropped the work that awaits them.
    operation.prompts = false
    return operation
  }
}

/// What must hold for an operation. It is checked when the operation's turn comes, and once more at
/// its point of no return, after which it is carried out whatever happens.
struct Gate: Sendable {
  struct Conditions: OptionSet, Sendable {
    let rawValue: UInt8

    /// The update policy does not block this app version.
    static let allowedVersion = Conditions(rawValue: 1)
    static let registered = Conditions(rawValue: 2)
    /// The wallet is unlocked and was not locked since the operation was asked for.
    static let unlocked = Conditions(rawValue: 4)
    /// The wallet was not locked since then. For operations that unlock it.
    static let notLockedSince = Conditions(rawValue: 8)
    /// It was not cancelled, its client has not ended, and no request has interrupted it.
    static let wanted = Conditions(rawValue: 16)
    /// Someone still waits for its result; otherwise what it changed is undone.
    static let awaited = Conditions(rawValue: 32)
  }

  var conditions: Conditions = []
  /// The count of locks when the operation was asked for.
  var epoch: UInt64 = 0
}

extension Operation {
  /// A lock does not undo a registration, so the wallet may be locked when it ends.
  static let register = Operation(name: "register", conditions: [.wanted, .allowedVersion])
  static let unlock = Operation(
    name: "unlock", conditions: .ofWallet.union(.notLockedSince), checksPin: true)
  static let checkPin = Operation(name: "check_pin", conditions: .ofWallet, checksPin: true)
  static let pinState = Operation(name: "pin_state", conditions: .ofWallet)
  static let changePin = Operation(
    name: "change_pin", conditions: .ofWallet.union(.unlocked), checksPin: true)
  static let decideReplacement = Operation(
    name: "decide_replacement", conditions: .ofWallet.union(.unlocked), checksPin: true)
  /// What only removes something is always allowed, without a wallet too.
  static let wipe = Operation(name: "wipe", order: .alone, isWipe: true)
  static let enableBiometrics = Operation(
    name: "enable_biometric_unlock", order: .changesBiometrics,
    conditions: .ofWallet.union(.unlocked), checksPin: true, prompts: true)
  static let disableBiometrics = Operation(
    name: "disable_biometric_unlock", need: .device, order: .changesBiometrics)
  static let unlockWithBiometrics = Operation(
    name: "unlock_with_biometrics", need: .device, order: .usesBiometrics,
    conditions: .ofWallet.union(.notLockedSince), prompts: true)
  static let cards = Operation(
    name: "cards", need: .device, conditions: .ofWallet.union(.unlocked))
  static let present = Operation(
    name: "present", conditions: .ofWallet.union(.unlocked), checksPin: true)
  static let beginSharing = Operation(
    name: "begin_sharing", conditions: .ofWallet.union(.unlocked))
  static let chooseSharingOption = Operation(
    name: "choose_sharing_option", need: .device, conditions: .ofWallet.union(.unlocked))
  static let confirmSharing = Operation(
    name: "confirm_sharing", conditions: .ofWallet.union(.unlocked), checksPin: true)
  static let refuseSharing = Operation(
    name: "refuse_sharing", conditions: .ofWallet.union(.unlocked))
  static let activities = Operation(
    name: "activities", need: .device, conditions: .ofWallet.union(.unlocked))
  static let prepareCardKeys = Operation(
    name: "prepare_card_keys", need: .device, conditions: .ofWallet.union(.unlocked))
  static let takeCard = Operation(
    name: "take_card", need: .device, conditions: .ofWallet.union(.unlocked))
  static let deleteCard = Operation(
    name: "delete_card", need: .device, conditions: .ofWallet.union(.unlocked))
}

extension Gate.Conditions {
  /// Those of all that uses the wallet.
  fileprivate static let ofWallet: Self = [.wanted, .allowedVersion, .registered]
}
