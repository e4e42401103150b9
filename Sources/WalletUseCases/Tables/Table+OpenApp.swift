extension Table {
  static let openApp = Table(
    .openApp, "Open the app",
    [
      Row(
        "1.1", .determination(.startup),
        [
          .when("a", .launch, .row("2.1")),
          .when("b", .resume, .row("3.1")),
        ]),
      Row("2.1", .screen(.splash), [.after("a", .splashOver, .row("2.2"))]),
      Row("2.2", .partialFlow(.updatePolicy), [.result("a", .allowed, .row("2.3"))]),
      Row(
        "2.3", .determination(.isPinSetUp),
        [
          .when("a", .yes, .goTo(.unlock)),
          .when("b", .no, .goTo(.introduceApp)),
          .when("c", .failed, .error(.generic)).added("the storage may be unusable"),
        ]),
      Row(
        "3.1", .determination(.isWalletThere),
        [
          .when("a", .yes, .row("3.2")),
          .when("b", .no, .resume),
        ]),
      Row(
        "3.2", .determination(.isLocked),
        [
          .when("a", .unlocked, .row("3.3")),
          .when("b", .locked, .goTo(.unlock)),
        ]),
      Row(
        "3.3", .determination(.hasPID),
        [
          .when("a", .yes, .row("3.4")),
          .when("b", .no, .resume)
            .corrected("3.3a", "both cases have the same number in the source"),
          .when("c", .noButLinkKept, .goTo(.obtainPID))
            .added("an enrolment link leads to the PID"),
        ]),
      Row("3.4", .partialFlow(.universalLink), [.result("a", .noLink, .resume)]),
    ])

  static let updatePolicy = Table(
    .updatePolicy, "Apply the update policy",
    [
      Row(
        "1.1", .effect(.applyUpdatePolicy),
        [
          .when("a", .allowed, .result(.allowed)),
          .when("b", .blockedWithUpdate, .row("2.1")),
          .when("c", .blockedWithoutUpdate, .row("3.1")),
          .when("d", .noInternet, .error(.noInternet)),
          .when("e", .serverUnreachable, .error(.serverUnreachable)),
          .when("f", .failed, .error(.generic)).added("the storage may be unusable"),
        ]),
      Row(
        "2.1", .screen(.updateNeeded),
        [.on("a", .close, .end), .on("b", .store, .stay)]),
      Row(
        "3.1", .screen(.appBlocked),
        [.on("a", .help, .goTo(.help)), .on("b", .store, .stay)]),
    ])

  static let universalLink = Table(
    .universalLink, "Resolve a universal link",
    [
      Row(
        "1.1", .determination(.isLinkThere),
        [
          .when("a", .yes, .row("1.2")),
          .when("b", .no, .result(.noLink)),
        ]),
      Row(
        "1.2", .determination(.isLinkValid),
        [
          .when("a", .valid, .row("1.3"))
            .corrected("no next", "only the row that follows fits"),
          .when("b", .foreignScanner, .row("2.1")),
          .when("c", .invalid, .result(.noLink)).telling(.linkInvalid),
        ]),
      Row(
        "1.3", .determination(.linkPurpose),
        [
          .when("a", .issuance, .goTo(.issuance)),
          .when("b", .sharing, .goTo(.sharing)),
          .when("c", .login, .goTo(.login)),
          .when("d", .enrolment, .goTo(.obtainPID))
            .added("an enrolment code begins the identity proofing"),
          .when("e", .flowInProgress, .result(.noLink)).telling(.flowInProgress)
            .added("an active claim is not abandoned for a link"),
        ]),
      Row(
        "2.1", .prompt(.scanWithWallet),
        [.on("a", .close, .result(.noLink)), .on("b", .scan, .goTo(.scanQR))]),
    ])

  static let introduceApp = Table(
    .introduceApp, "Introduce the app",
    [
      Row(
        "1.1", .screen(.introduction1),
        [
          .on("a", .next, .row("1.2")),
          .on("b", .skip, .row("1.4")),
          .on("c", .help, .goTo(.help)),
          .on("d", .pauseOrPlay, .stay),
        ]),
      Row(
        "1.2", .screen(.introduction2),
        [
          .on("a", .back, .back(RowID(.introduceApp, "1.1"))),
          .on("b", .next, .row("1.3")),
          .on("c", .skip, .row("1.4")),
          .on("d", .help, .goTo(.help)),
          .on("e", .pauseOrPlay, .stay),
        ]),
      Row(
        "1.3", .screen(.introduction3),
        [
          .on("a", .back, .back(RowID(.introduceApp, "1.2"))),
          .on("b", .next, .row("1.4")),
          .on("c", .help, .goTo(.help)),
          .on("d", .pauseOrPlay, .stay),
        ]),
      Row(
        "1.4", .screen(.privacyConsiderations),
        [
          .on("a", .back, .back(nil)),
          .on("b", .next, .goTo(.setUpPin)),
          .on("c", .readPrivacyStatement, .row("2.1")),
          .on("d", .help, .goTo(.help)),
        ]),
      Row(
        "2.1", .screen(.privacyStatement),
        [.on("a", .back, .back(RowID(.introduceApp, "1.4")))]),
    ])
}
