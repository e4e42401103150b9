extension Table {
  static let unlock = Table(
    .unlock, "Unlock the app",
    [
      Row(
        "1.1", .determination(.isBiometricUnlockUsable),
        [
          .when("a", .yes, .row("1.2")).corrected("2", "the scan is row 1.2"),
          .when("b", .no, .row("1.3"))
            .corrected(
              "1.2", "without biometrics, or with biometrics set aside, there is no scan"),
          .when("c", .unlocked, .row("1.5"))
            .added("a host with its own screens has unlocked the wallet, so nothing is asked"),
        ]
      ).added("b also after a lock on request or by inactivity, which a scan would undo"),
      Row(
        "1.2", .systemPrompt(.scanBiometrics),
        [
          .when("a", .valid, .row("1.5"))
            .corrected("UC7.1", "the PID, a link and a suspended step are checked first"),
          .when("b", .iosFirstFailure, .row("2.1")),
          .when("c", .iosLaterFailure, .row("3.1")),
          .when("d", .androidFailure, .row("4.1")),
          .when("e", .androidLastFailure, .row("5.1"))
            .added("no case of the source leads to its section 5"),
          .when("f", .cancelled, .row("1.3")).added("the user may close the prompt"),
          .when("g", .unavailable, .row("1.3")).telling(.biometricsUnavailable)
            .added("the key may be gone and the bridge may fail"),
        ]),
      Row(
        "1.3", .screen(.openWithPin),
        [
          .on("a", .enter, .row("1.4")),
          .on("b", .forgotPin, .row("6.1")),
          .on("c", .info, .goTo(.about)),
          .on("d", .useBiometrics, .row("1.2")).only(.biometricsUsable)
            .added("the user can repeat a cancelled scan"),
        ]
      ).added(
        "tells of the last known block, also after a restart; a PIN can be entered all the same"),
      Row(
        "1.4", .partialFlow(.validatePin),
        [
          .result("a", .validPin, .row("1.5"))
            .corrected("Result: Confirm", "PF2.8 calls this result Valid PIN"),
          .result("b", .retry, .row("1.3")),
          .result("c", .back, .row("1.3"))
            .corrected("Back", "the screen before is row 1.3"),
        ]),
      Row(
        "1.5", .determination(.hasPIDOrLeftStep),
        [
          .when("a", .yes, .row("1.6")),
          .when("b", .no, .goTo(.obtainPID)),
          .when("c", .noButStepLeft, .resume)
            .added("a set-up or proofing that the lock interrupted continues"),
          .when("d", .failed, .error(.generic)).added("the storage may be unusable"),
          .when("e", .noButLinkKept, .goTo(.obtainPID))
            .added("an enrolment link that came while the wallet was locked leads to the PID"),
        ]),
      Row("1.6", .partialFlow(.universalLink), [.result("a", .noLink, .row("1.7"))]),
      Row(
        "1.7", .determination(.wasAppShutDown),
        [
          .when("a", .wasActive, .resume),
          .when("b", .wasShutDown, .goTo(.cards)),
        ]),
      Row(
        "2.1", .prompt(.biometricNotRecognised),
        [
          .on("a", .close, .row("1.3")),
          .on("b", .tryAgain, .row("1.2"))
            .corrected("2.1", "the prompt would lead to itself; it offers another scan"),
        ]),
      Row(
        "3.1", .prompt(.biometricNotRecognisedEnterPin),
        [
          .on("a", .enterPin, .row("1.3"))
            .corrected("Enter Password", "the PIN is meant; there is no password"),
          .on("b", .cancel, .row("1.3")),
        ]),
      Row(
        "4.1", .prompt(.biometricNotRecognised),
        [
          .on("a", .close, .row("1.3")),
          .on("b", .tryAgain, .row("1.2"))
            .corrected("2.1", "that is a row for iOS; the prompt offers another scan"),
        ]
      ).corrected("first time, message", "failures one to four lead here, and it has actions"),
      Row("5.1", .prompt(.biometricTooManyAttempts), [.on("a", .close, .row("5.2"))]),
      Row("5.2", .prompt(.biometricEnterPin), [.on("a", .ok, .row("1.3"))]),
      Row(
        "6.1", .screen(.forgotPin),
        [
          .on("a", .deleteWallet, .goTo(.wipe)),
          .on("b", .back, .back(RowID(.unlock, "1.3"))),
        ]),
    ])

  static let validatePin = Table(
    .validatePin, "Validate the PIN",
    [
      Row(
        "1.1", .effect(.validatePin),
        [
          .when("a", .valid, .result(.validPin)),
          .when("b", .blocked, .row("5.1")),
          .when("c", .blockedForGood, .row("9.1")),
          .when("d", .wrongFirst, .row("2.1")),
          .when("e", .wrongSecond, .row("3.1")),
          .when("f", .wrongThird, .row("4.1")),
          .when("g", .wrongFourth, .row("5.1")),
          .when("h", .finalWrongFirst, .row("6.1")),
          .when("i", .finalWrongSecond, .row("7.1")),
          .when("j", .finalWrongThird, .row("8.1")),
          .when("k", .finalWrongFourth, .row("9.1")),
          .when("l", .noInternet, .error(.noInternet)),
          .when("m", .serverUnreachable, .error(.serverUnreachable)),
          .when("n", .failed, .error(.generic)).added(
            "the source has two errors, but there are more"),
        ]),
      wrongPin("2.1"), wrongPin("3.1"), wrongPin("4.1"),
      Row(
        "5.1", .screen(.temporarilyBlocked),
        [
          .on("a", .deleteWallet, .goTo(.wipe)),
          .on("b", .back, .result(.back)),
          .on("c", .help, .goTo(.help)),
          .on("d", .forgotPin, .row("10.1")),
          .after("e", .blockOver, .result(.retry)),
        ]),
      wrongPin("6.1"), wrongPin("7.1"), wrongPin("8.1"),
      Row(
        "9.1", .screen(.permanentlyBlocked),
        [.on("a", .deleteWallet, .goTo(.wipe)), .on("b", .help, .goTo(.help))]),
      Row(
        "10.1", .screen(.forgotPin),
        [.on("a", .deleteWallet, .goTo(.wipe)), .on("b", .back, .result(.back))]),
    ])

  private static func wrongPin(_ number: String) -> Row {
    Row(
      number, .prompt(.wrongPin),
      [.on("a", .close, .result(.retry)), .on("b", .forgotPin, .row("10.1"))])
  }
}
