internal import WalletModel

extension Table {
  /// The steps of the identity proofing. The error table (`ProofingError.row`) has the names of the
  /// failures and their buttons.
  static let obtainPID = Table(
    .obtainPID, "Obtain a PID", beforeTheCode + code + licence + verdict)

  private static let beforeTheCode = [
    Row(
      "1", .effect(.checkProofing),
      [
        .when("a", .ready, .row("2b")),
        .when("b", .codeKept, .row("4")).added(
          "the code came from the app's own scanner or from a link"),
        .when("c", .unavailable, .row("2a")),
        .when("d", .submissionPending, .row("9b")).added("a verdict may come days later"),
        .when("e", .claimAlive, .row("5c")).added("a claim outlives the process"),
      ]),
    Row("2a", .screen(.proofingUnavailable), [.on("a", .exit, .goTo(.cards))]),
    Row(
      "2b", .screen(.proofingStart),
      [
        .on("a", .scan, .row("3")),
        .on("b", .useLink, .row("4")).only(.linkKept)
          .added("an enrolment link opened on this device needs no scanner"),
        .on("c", .later, .goTo(.cards)).added("the way to a dashboard without a PID"),
        .on("d", .help, .goTo(.help)),
      ]),
  ]

  private static let code = [
    Row(
      "3", .screen(.scanEnrolmentCode),
      [
        .on("a", .scanned, .row("4")),
        .after("b", .scanTimeout, .row("5b")).failing(.codeTimeout),
        .on("c", .cancel, .row("5b")).failing(.codeCancelled),
        .on("d", .unreadable, .row("5b")).failing(.codeUnreadable),
        .on("e", .back, .row("2b")),
        .after("f", .attemptsSpent, .row("5a")).failing(.codeRateLimited)
          .added("each start of the scanner is an attempt"),
      ]),
    Row(
      "4", .effect(.claimCode),
      [
        .when("a", .claimed, .row("5c")),
        .when("b", .recoverable, .row("5b")),
        .when("c", .irrecoverable, .row("5a")),
      ]),
    Row("5a", .screen(.codeFailed), [.on("a", .exit, .goTo(.cards))]),
    Row(
      "5b", .screen(.codeRetry),
      [
        .on("a", .scanAgain, .row("3")).only(.remedy),
        .on("b", .tryAgain, .row("4")).only(.remedy),
        .on("c", .exit, .goTo(.cards)).added("a user whose scan failed must be able to leave"),
        .after("d", .attemptsSpent, .row("5a")).failing(.codeRateLimited)
          .added("no scan is left to offer"),
      ]),
  ]

  private static let licence = [
    Row(
      "5c", .screen(.confirmAccount),
      [
        .on("a", .scanLicence, .row("6")),
        .on("b", .notMyAccount, .row("5b")).failing(.codeReleased)
          .added("somebody else's account must not be proofed with the user's licence"),
        .on("c", .exit, .row("5d")),
      ]),
    Row(
      "5d", .prompt(.stopProofing),
      [.on("a", .goOn, .back(RowID(.obtainPID, "5c"))), .on("b", .stop, .goTo(.cards))]
    ).added("an exit releases the claim, so the user confirms it first"),
    Row(
      "6", .screen(.scanLicence),
      [
        .on("a", .scanned, .row("7")),
        .after("b", .scanTimeout, .row("8b")).failing(.documentTimeout),
        .on("c", .cancel, .row("8b")).failing(.documentCancelled),
        .on("d", .unreadable, .row("8b")).failing(.documentUnreadable),
        .on("e", .back, .row("5c")),
      ]),
    Row(
      "7", .effect(.readLicence),
      [
        .when("a", .passed, .row("9a")),
        .when("b", .recoverable, .row("8b")),
        .when("c", .irrecoverable, .row("8a")),
        .when("d", .sessionLost, .row("2b")).telling(.sessionLost).added("a claim may lapse"),
      ]),
    Row("8a", .screen(.licenceFailed), [.on("a", .exit, .goTo(.cards))]),
    Row(
      "8b", .screen(.licenceRetry),
      [
        .on("a", .scanAgain, .row("6")).only(.remedy),
        .on("b", .scanAnother, .row("6")).only(.remedy),
        .on("c", .exit, .goTo(.cards)).added("a user whose scan failed must be able to leave"),
      ]),
  ]

  private static let verdict = [
    Row("9a", .effect(.announceLicence), [.when("a", .done, .row("9b"))]),
    Row(
      "9b", .effect(.submitProofing),
      [
        .when("a", .issued, .row("11")),
        .when("b", .recoverable, .row("10b")),
        .when("c", .irrecoverable, .row("10a")),
        .when("d", .pendingReview, .row("10a")),
        .when("e", .sessionLost, .row("2b")).telling(.sessionLost).added("a claim may lapse"),
        .when("f", .replacementWaits, .row("10c")).added(
          "a proofed wallet is replaced only with its agreement, or after a time"),
        .when("g", .pinNeeded, .row("9c")).added(
          "who only holds the unlocked phone gets no PID"),
      ]),
    Row(
      "9c", .screen(.receiveWithPin),
      [
        .on("a", .enter, .row("9d")),
        .on("b", .exit, .goTo(.cards)).added("the PID can be received later"),
      ]
    ).added("the provider issues the PID only after the PIN was checked once more"),
    Row(
      "9d", .partialFlow(.validatePin),
      [
        .result("a", .validPin, .row("9b")),
        .result("b", .retry, .row("9c")),
        .result("c", .back, .row("9c")),
      ]
    ).added("the provider issues the PID only after the PIN was checked once more"),
    Row("10a", .screen(.proofingFailed), [.on("a", .exit, .goTo(.cards))])
      .orShowing(.proofingPending).added("a pending review is not a failure"),
    Row(
      "10b", .screen(.proofingRetry),
      [
        .on("a", .tryAgain, .row("9b")).only(.remedy),
        .on("b", .scanLicence, .row("6")).only(.remedy),
        .on("c", .scanAgain, .row("6")).only(.remedy),
        .on("d", .scan, .row("3")).only(.remedy),
        .on("e", .exit, .goTo(.cards)).added(
          "a user whose submission failed must be able to leave"),
      ]),
    Row(
      "10c", .screen(.proofingWaiting),
      [
        .on("a", .tryAgain, .row("9b")),
        .on("b", .exit, .goTo(.cards)),
        .after("c", .blockOver, .row("9b")),
      ]
    ).added("the wallet that is proofed for the account may object"),
    Row(
      "11", .screen(.walletReady), [.on("a", .goOn, .goTo(.cards)), .on("b", .exit, .goTo(.cards))]),
  ]
}
