extension Table {
  static let about = Table(
    .about, "About the app",
    [
      Row(
        "1.1", .screen(.about),
        [
          .on("a", .website, .stay),
          .on("b", .readPrivacyStatement, .row("2.1")),
          .on("c", .back, .back(nil)),
        ]),
      Row(
        "2.1", .screen(.privacyStatement), [.on("a", .back, .back(RowID(.about, "1.1")))]),
    ])

  static let wipe = Table(
    .wipe, "Wipe all app data",
    [
      Row(
        "1.1", .screen(.wipe),
        [.on("a", .confirmDelete, .row("1.2")), .on("b", .cancel, .back(nil))]),
      Row(
        "1.2", .effect(.wipe),
        [
          .when("a", .deleted, .goTo(.introduceApp)),
          .when("b", .failed, .error(.generic)).added("the source has no case for a failure"),
        ]),
    ])

  static let lock = Table(
    .lock, "Lock",
    [
      Row(
        "1.1", .watch,
        [
          .after("a", .active, .stay),
          .after("b", .inactive, .goTo(.unlock)),
          .after("c", .nearlyInactive, .row("1.2")),
          .after("d", .shortBackground, .stay),
          .after("e", .longBackground, .goTo(.unlock)),
        ]
      ).corrected("more than", "at the limit; all times are the configuration's"),
      Row(
        "1.2", .prompt(.inactivityWarning),
        [
          .on("a", .goOn, .stay),
          .on("b", .lock, .goTo(.unlock)),
          .after("c", .inactive, .goTo(.unlock)),
        ]),
      Row("2", .effect(.lock), [.when("a", .locked, .goTo(.unlock))]),
    ])

  /// The error flows. Which of its actions an error step offers depends on what failed.
  static let errors = Table(
    .errors, "Error flows",
    [
      errorRow("1", .noInternet), errorRow("2", .serverUnreachable),
      errorRow("3", .deviceInsecure), errorRow("4", .generic),
      Row("5", .error(.sessionExpired), [.on("a", .close, .goTo(.cards))]),
      Row(
        "6", .error(.unknownVerifier),
        [.on("a", .close, .goTo(.cards)), .on("b", .help, .goTo(.help))]),
      Row(
        "7", .error(.knownVerifier),
        [
          .on("c", .tryAgain, .repeatFailed).only(.repeatingHelps)
            .added("nothing was sent, so the same request may still be answered"),
          .on("a", .close, .row("8")),
          .on("b", .help, .goTo(.help)),
        ]),
      Row(
        "8", .effect(.tellVerifier),
        [.when("a", .done, .goTo(.cards)), .when("b", .websiteGiven, .row("9"))]
      ).added("a relying party hears of an error by the user's hand only"),
      Row("9", .handOff(.openWebsite), [.on("a", .done, .goTo(.cards))])
        .added("its reply may have an address"),
    ])

  private static func errorRow(_ number: String, _ step: ErrorStep) -> Row {
    var cases: [Case] = [
      .on("a", .tryAgain, .repeatFailed).only(.repeatingHelps),
      .on("b", .back, .back(nil)).only(.somethingBefore),
    ]
    // Only the set-up of the account fails with `deviceInsecure`. The PIN screen always lies before
    // it, so Close would never be offered.
    if step != .deviceInsecure { cases.append(.on("c", .close, .end).only(.nothingBefore)) }
    if step == .generic {
      cases.append(.on("d", .deleteWallet, .goTo(.wipe)).only(.wipeHelps))
    }
    return Row(number, .error(step), cases)
  }

  // Hand-offs to the host's own screens.
  static let help = handedOff(.help, "Help", .help, [.on("a", .done, .back(nil))])
  static let issuance = handedOff(
    .issuance, "Obtain a card", .issuance, [.on("a", .done, .goTo(.cards))])

  private static func handedOff(
    _ useCase: UseCase, _ title: String, _ handOff: HandOff, _ cases: [Case]
  ) -> Table {
    Table(useCase, title, [Row("1", .handOff(handOff), cases)])
  }
}
