extension Table {
  static let cards = Table(
    .cards, "Show all available cards",
    [
      Row(
        "1.1", .screen(.dashboard),
        [
          .on("b", .scan, .goTo(.scanQR)),
          .on("c", .activities, .goTo(.activities)),
          .on("d", .card, .row("2.1")).only(.withPID),
          .on("f", .about, .goTo(.about)),
          .on("g", .help, .goTo(.help)),
          .on("i", .lock, .goToRow(.lock, "2")).added(
            "an entry of the source's menu, which this wallet does not have"),
          .on("j", .removeData, .goTo(.wipe)).added(
            "an entry of the source's menu, which this wallet does not have"),
          .on("k", .obtainPID, .goTo(.obtainPID)).only(.withoutPID)
            .added("Later in UC3.1 leads to a dashboard without a PID"),
          .on("l", .enableBiometrics, .row("3.1")).only(.biometricsOff)
            .added("the supported part of UC2.2"),
          .on("m", .disableBiometrics, .stay).only(.biometricsOn).doing(.disableBiometrics)
            .added("the supported part of UC2.2"),
          .on("n", .replacement, .row("4.1")).only(.replacementWaits)
            .added("the decision can be made later"),
          .after("o", .replacementTold, .row("4.1"))
            .added("the owner hears of it with the first dashboard after the provider told"),
        ]
      ).added("letters a (app tour), e (menu) and h (other) are not supported"),
      Row(
        "2.1", .screen(.cardDetails), [.on("a", .back, .back(RowID(.cards, "1.1")))]
      ).added("the supported part of UC7.2"),
      Row(
        "3.1", .systemPrompt(.sealBiometrics),
        [.when("a", .confirmed, .row("3.2")), .when("b", .rejected, .row("1.1"))]
      ).added("the supported part of UC2.2"),
      Row(
        "3.2", .screen(.confirmWithPin),
        [.on("a", .enter, .row("3.3")), .on("b", .back, .row("1.1"))]
      ).added("a person who holds the unlocked phone must not enrol their own fingerprint"),
      Row(
        "3.3", .partialFlow(.validatePin),
        [
          .result("a", .validPin, .row("1.1")),
          .result("b", .retry, .row("3.2")),
          .result("c", .back, .row("1.1")),
        ]
      ).added("the supported part of UC2.2"),
      Row(
        "4.1", .screen(.walletReplacement),
        [
          .on("a", .refuse, .row("4.2")),
          .on("b", .allow, .row("4.4")),
          .on("c", .later, .row("1.1")),
        ]
      ).added("another wallet waits to take the place of this one, whose owner may object"),
      Row(
        "4.2", .screen(.refuseReplacement),
        [.on("a", .enter, .row("4.3")), .on("b", .back, .row("4.1"))]
      ).added("a person who holds the unlocked phone must not decide"),
      Row(
        "4.3", .partialFlow(.validatePin),
        [
          .result("a", .validPin, .row("1.1")).telling(.replacementRefused),
          .result("b", .retry, .row("4.2")),
          .result("c", .back, .row("4.1")),
        ]
      ).added("the provider checks the PIN together with the decision"),
      Row(
        "4.4", .screen(.allowReplacement),
        [.on("a", .enter, .row("4.5")), .on("b", .back, .row("4.1"))]
      ).added("a person who holds the unlocked phone must not decide"),
      Row(
        "4.5", .partialFlow(.validatePin),
        [
          .result("a", .validPin, .row("1.1")).telling(.replacementAllowed),
          .result("b", .retry, .row("4.4")),
          .result("c", .back, .row("4.1")),
        ]
      ).added("the provider checks the PIN together with the decision"),
    ])

  static let scanQR = Table(
    .scanQR, "Scan a QR code",
    [
      Row(
        "1.1", .handOff(.cameraPermission),
        [.on("a", .granted, .row("1.3")), .on("b", .rejected, .row("1.2"))]
      ).corrected("determined by the app", "the host owns the camera and answers"),
      Row(
        "1.2", .handOff(.askForCamera),
        [.on("a", .granted, .row("1.3")), .on("b", .rejected, .row("2.1"))]
      ).corrected("asked by the app", "the host owns the camera and lets the system ask"),
      Row(
        "1.3", .screen(.scanQR),
        [
          .on("a", .scanned, .row("1.4")),
          .on("b", .back, .back(nil)),
          .on("c", .help, .goTo(.help)),
          .on("d", .torch, .stay),
        ]),
      Row(
        "1.4", .determination(.isCodeValid),
        [.when("a", .valid, .row("1.5")), .when("b", .invalid, .row("3.1"))]),
      Row(
        "1.5", .determination(.codePurpose),
        [
          .when("a", .issuance, .goTo(.issuance)),
          .when("b", .sharing, .goTo(.sharing)),
          .when("c", .login, .goTo(.login)),
          .when("d", .enrolment, .goTo(.obtainPID))
            .added("an enrolment code begins the identity proofing"),
          .when("e", .failed, .error(.generic)).corrected(
            "1.1e", "the label is that of another row"),
          .when("f", .flowInProgress, .row("3.1")).telling(.flowInProgress)
            .added("an active claim is not abandoned for a code"),
        ]),
      Row(
        "2.1", .screen(.cameraPermissionNeeded),
        [
          .on("a", .back, .back(nil)),
          .on("b", .help, .goTo(.help)),
          .on("c", .grant, .row("1.2")),
        ]),
      Row("3.1", .prompt(.invalidQR), [.on("a", .ok, .row("1.3"))]),
    ])
}
