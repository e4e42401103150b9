extension Table {
  static let sharing = Table(
    .sharing, "Share data",
    [
      Row(
        "1.1", .effect(.retrieveRequest),
        [
          .when("a", .otherDevice, .row("1.2")),
          .when("b", .sameDevice, .row("1.3")),
          .when("c", .notInWallet, .row("9.1")),
        ] + retrievalFailures
      ).added("letter j (Bluetooth lost) is for what this wallet does not support"),
      websiteCheck,
      Row(
        "1.3", .determination(.severalCardsFit),
        [.when("a", .no, .row("1.4")), .when("b", .yes, .row("10.1"))]),
      Row("1.4", .screen(.approveSharing), approval(data: "4.1")),
      Row("1.5", .partialFlow(.confirm), confirmation(act: "1.5.1", back: "1.3")),
      Row("1.5.1", .effect(.shareData), answered(done: "1.6", confirm: "1.5"))
        .added("the act itself; the source has its errors on the screen that tells of its success"),
      Row(
        "1.6", .screen(.sharingDone),
        [
          .on("a", .overview, .goTo(.cards)).only(.mayStay),
          .on("b", .website, .row("1.7")).only(.withWebsite),
          .on("c", .activity, .goTo(.activity)),
          .on("d", .help, .goTo(.help)),
          .on("e", .close, .row("1.6.1")),
        ]
      ).corrected("f, g, h", "errors stand on row 1.5.1"),
      Row(
        "1.6.1", .determination(.mustReturn),
        [.when("a", .no, .goTo(.cards)), .when("b", .yes, .row("1.7"))]
      ).added("on the same device the return is a duty, also for who closes"),
      openWebsite("1.7"),
    ] + interruptions + details
      + [
        Row(
          "9.1", .screen(.missingData),
          [
            .on("a", .close, .row("2.1")),
            .on("b", .details, .row("9.2")),
            .on("c", .help, .goTo(.help)),
          ]
        ).added("nobody is told of it before the user stops"),
        Row("9.2", .prompt(.missingDataDetails), [.on("a", .close, .row("9.1"))]),
        Row(
          "10.1", .screen(.approveSharing),
          approval(data: "10.2") + [
            .on("h", .swapCard, .row("10.3")).corrected("10.1e", "that letter is taken")
          ]),
        Row(
          "10.2", .screen(.requestedData),
          [
            .on("a", .swapCard, .row("10.3")),
            .on("b", .detailsIncorrect, .row("5.1")),
            .on("c", .help, .goTo(.help)),
            .on("d", .back, .back(RowID(.sharing, "10.1"))),
          ]),
      ] + choice)

  static let login = Table(
    .login, "Log in",
    [
      Row(
        "1.1", .effect(.retrieveLogin),
        [
          .when("a", .otherDevice, .row("1.2")),
          .when("b", .sameDevice, .row("1.3")),
          .when("c", .notInWallet, .row("9.1")),
        ] + retrievalFailures + [
          .when("k", .moreOnOtherDevice, .goToRow(.sharing, "1.2"))
            .added("what asks for more than a log-in is shown as sharing, whatever the link says"),
          .when("l", .moreOnSameDevice, .goToRow(.sharing, "1.3"))
            .added("what asks for more than a log-in is shown as sharing, whatever the link says"),
        ]),
      websiteCheck,
      Row(
        "1.3", .screen(.approveLogin),
        [
          .on("a", .login, .row("1.4")),
          .on("b", .details, .row("4.1")),
          .on("c", .help, .goTo(.help)),
          .on("d", .close, .row("2.1")),
          .on("e", .stop, .row("2.1")),
          .on("f", .swapCard, .row("10.3")).only(.withChoice)
            .added("several cards may fit here too"),
        ]
      ).corrected("a, b, e, f, g", "the letters c and d are missing in the source"),
      Row("1.4", .partialFlow(.confirm), confirmation(act: "1.4.1", back: "1.3")),
      Row("1.4.1", .effect(.shareData), answered(done: "1.5", confirm: "1.4"))
        .added("the act itself; the source has no row for it"),
      Row(
        "1.5", .determination(.mustReturn),
        [.when("a", .no, .row("1.6")), .when("b", .yes, .row("1.7"))]),
      Row(
        "1.6", .screen(.loginDone),
        [
          .on("a", .overview, .goTo(.cards)),
          .on("e", .website, .row("1.8")).only(.withWebsite)
            .added("a relying party may give an address to the other device too"),
          .on("b", .activity, .goTo(.activity)),
          .on("c", .help, .goTo(.help)),
          .on("d", .close, .goTo(.cards))
            .corrected("opens the browser", "there is none to return to on this device"),
        ]),
      Row(
        "1.7", .screen(.loginDone),
        [
          .on("a", .website, .row("1.8")),
          .on("b", .activity, .goTo(.activity)),
          .on("c", .help, .goTo(.help)),
          .on("d", .close, .row("1.8")),
        ]),
      openWebsite("1.8"),
    ] + interruptions + details
      + [
        Row(
          "9.1", .screen(.missingData),
          [
            .on("a", .close, .row("2.1")),
            .on("b", .details, .row("9.2")),
            .on("c", .help, .goTo(.help)),
          ]),
        Row("9.2", .prompt(.missingDataDetails), [.on("a", .close, .row("9.1"))]),
      ] + choice)

  /// What can fail before the relying party is known, and after.
  private static let retrievalFailures: [Case] = [
    .on("d", .stop, .goTo(.cards))
      .corrected("2", "nothing was shown or sent yet, so there is nothing to ask"),
    .when("e", .sessionExpired, .error(.sessionExpired)),
    .when("f", .noInternet, .error(.noInternet)),
    .when("g", .unreachable, .error(.unknownVerifier))
      .corrected("server unreachable", "that step is for the wallet's own provider"),
    .when("h", .unknownVerifier, .error(.unknownVerifier)),
    .when("i", .knownVerifier, .error(.knownVerifier)),
    .when("m", .failed, .error(.generic)).added("the storage may be unusable"),
  ]

  private static let websiteCheck = Row(
    "1.2", .screen(.websiteCheck),
    [
      .on("a", .yes, .row("1.3")),
      .on("b", .stop, .row("2.3"))
        .corrected("2", "the user has not seen who asks, so nobody is told anything"),
      .on("c", .aboutCheck, .row("3.1")),
      .on("d", .help, .goTo(.help)),
    ])

  private static func approval(data: String) -> [Case] {
    [
      .on("a", .share, .row("1.5")),
      .on("b", .organisation, .row("7.1")),
      .on("c", .viewData, .row(data)),
      .on("d", .help, .goTo(.help)),
      .on("e", .close, .row("2.1")),
      .on("f", .stop, .row("2.1")),
      .on("g", .agreement, .row("6.2")),
    ]
  }

  private static func confirmation(act: String, back: String) -> [Case] {
    [
      .result("a", .confirm, .row(act)).corrected("the success screen", "the act comes first"),
      .result("b", .cancel, .row("2.1")),
      .result("c", .back, .row(back)).corrected("Back", "the screen before is named"),
    ]
  }

  private static func answered(done: String, confirm: String) -> [Case] {
    [
      .when("a", .done, .row(done)),
      .when("b", .noInternet, .error(.noInternet)),
      .when("c", .knownVerifier, .error(.knownVerifier)),
      .when("d", .sessionExpired, .error(.sessionExpired)),
      .when("e", .pinNeeded, .row(confirm)),
      .when("f", .failed, .error(.generic)),
    ]
  }

  private static func openWebsite(_ number: String) -> Row {
    Row(number, .handOff(.openWebsite), [.on("a", .done, .goTo(.cards))])
      .added("one step for the duty to return, so that no host can miss it or do it twice")
  }

  /// Sections 2 and 3, which both use cases have.
  private static let interruptions: [Row] = [
    Row(
      "2.1", .prompt(.confirmStop),
      [
        .on("a", .confirmStop, .row("2.1.1")).corrected("no next", "the source names none"),
        .on("b", .no, .back(nil)),
        .on("c", .report, .row("8.1")).corrected("6", "that section has the agreements"),
      ]),
    Row("2.1.1", .effect(.refuseRequest), [.when("a", .done, .row("2.2"))])
      .added("the relying party is told that the user refused, and not why"),
    Row(
      "2.2", .screen(.sharingStopped),
      [
        .on("a", .close, .goTo(.cards)),
        .on("b", .website, .row("2.4")).only(.withWebsite),
      ]
    ).added("the source has no end of this section"),
    Row(
      "2.3", .prompt(.confirmStop),
      [.on("a", .confirmStop, .row("2.3.1")), .on("b", .no, .back(nil))]
    ).added("the user stops before seeing who asks"),
    Row("2.3.1", .effect(.dropRequest), [.when("a", .done, .row("2.2"))])
      .added("nobody is told"),
    openWebsite("2.4"),
    Row("3.1", .screen(.aboutWebsiteCheck), [.on("a", .back, .back(nil))]),
  ]

  /// Sections 4 to 8, which both use cases have.
  private static let details: [Row] = [
    Row(
      "4.1", .screen(.sharingDetails),
      [
        .on("a", .organisation, .row("7.1")),
        .on("b", .viewData, .row("4.2")),
        .on("c", .agreement, .row("6.2")),
        .on("d", .help, .goTo(.help)),
        .on("e", .back, .back(nil)),
      ]
    ).corrected("title and text of a log-in", "it is for sharing too"),
    Row(
      "4.2", .screen(.requestedData),
      [
        .on("a", .detailsIncorrect, .row("5.1")),
        .on("b", .help, .goTo(.help)),
        .on("c", .back, .back(nil)),
      ]),
    Row("5.1", .screen(.detailsIncorrect), [.on("a", .back, .back(nil))]),
    Row(
      "6.2", .screen(.agreements),
      [.on("a", .privacyPolicy, .stay), .on("b", .back, .back(nil))]),
    Row(
      "7.1", .screen(.aboutOrganisation),
      [.on("a", .help, .goTo(.help)), .on("b", .back, .back(nil))]),
    Row("8.1", .handOff(.reportProblem), [.on("a", .done, .back(nil))])
      .corrected("two screens", "how problems are reported is the host's affair"),
  ]

  /// The choice of a card, which both use cases have.
  private static let choice: [Row] = [
    Row(
      "10.3", .prompt(.chooseCard),
      [
        .on("a", .choose, .row("10.4")),
        .on("b", .close, .back(nil)).corrected("10.3a", "that letter is taken"),
      ]),
    Row(
      "10.4", .determination(.applyChoice),
      [.when("a", .done, .back(nil)), .when("b", .invalid, .row("10.3"))]
    ).added("the choice takes effect"),
  ]
}
