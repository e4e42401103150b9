extension Table {
  static let setUpPin = Table(
    .setUpPin, "Set up the remote PIN and biometric unlock",
    [
      Row(
        "1.1", .screen(.choosePin),
        [
          .on("a", .enter, .row("1.2")),
          .on("b", .back, .back(RowID(.introduceApp, "1.4"))),
          .on("c", .info, .goTo(.about)),
        ]
      ).added("the source does not spell out the input of the six digits"),
      Row(
        "1.2", .determination(.pinFitsPolicy),
        [
          .when("a", .fits, .row("1.3")),
          .when("b", .tooSimple, .row("2.1")),
        ]),
      Row(
        "1.3", .screen(.repeatPin),
        [
          .on("a", .enter, .row("1.4")),
          .on("b", .back, .back(RowID(.setUpPin, "1.1"))),
          .on("c", .info, .goTo(.about)),
        ]),
      Row(
        "1.4", .determination(.pinsAreEqual),
        [
          .when("a", .equal, .row("1.5")),
          .when("b", .differFirstTime, .row("3.1")),
          .when("c", .differSecondTime, .row("4.1")),
        ]),
      Row(
        "1.5", .effect(.setUpAccount),
        [
          .when("a", .done, .row("1.6")),
          .when("b", .deviceInsecure, .error(.deviceInsecure)),
          .when("c", .noInternet, .error(.noInternet)),
          .when("d", .serverUnreachable, .error(.serverUnreachable)),
          .when("e", .failed, .error(.generic)).added(
            "the source has three errors, but there are more"),
        ]),
      Row(
        "1.6", .determination(.areBiometricsSupported),
        [
          .when("a", .yes, .row("1.7")),
          .when("b", .no, .row("1.9")),
        ]),
      Row(
        "1.7", .screen(.configureBiometrics),
        [
          .on("a", .enable, .row("1.8"))
            .corrected("1.9", "no other case leads to 1.8, where the user confirms"),
          .on("b", .skip, .row("1.9")),
          .on("c", .info, .goTo(.about)),
        ]),
      Row(
        "1.8", .systemPrompt(.enableBiometrics),
        [
          .when("a", .confirmed, .row("1.9")),
          .when("b", .rejected, .row("1.7")),
        ]),
      Row("1.9", .screen(.setupDone), [.on("a", .next, .goTo(.obtainPID))]),
      Row(
        "2.1", .prompt(.pinTooSimple),
        [
          .on("a", .ok, .row("1.1"))
            .corrected("1.3", "a refused PIN must not be repeated")
        ]),
      Row("3.1", .prompt(.pinDiffersRetry), [.on("a", .tryAgain, .row("1.3"))]),
      Row("4.1", .prompt(.pinDiffersStartOver), [.on("a", .startOver, .row("1.1"))]),
    ])
}
