extension Table {
  static let activities = Table(
    .activities, "View all activities",
    [
      Row(
        "1.1", .screen(.activities),
        [
          .on("a", .activity, .goTo(.activity)),
          .on("b", .help, .goTo(.help)),
          .on("c", .back, .back(RowID(.cards, "1.1"))),
        ])
    ])

  static let activity = Table(
    .activity, "View one activity",
    [
      Row(
        "1.1", .screen(.activityDetails),
        [
          .on("a", .viewData, .row("2.1")),
          .on("b", .agreement, .row("3.1")),
          .on("c", .organisation, .row("4.1")),
          .on("d", .report, .row("5.1")),
          .on("e", .help, .goTo(.help)),
          .on("f", .back, .back(RowID(.activities, "1.1"))),
        ]),
      Row("2.1", .screen(.requestedData), [.on("a", .back, .back(nil))]),
      Row(
        "3.1", .screen(.agreements),
        [.on("a", .privacyPolicy, .stay), .on("b", .back, .back(nil))]),
      Row("4.1", .screen(.aboutOrganisation), [.on("a", .back, .back(nil))]),
      Row("5.1", .handOff(.reportProblem), [.on("a", .done, .back(nil))])
        .corrected("screens", "how problems are reported is the host's affair"),
    ])

  static let confirm = Table(
    .confirm, "Confirm a protected action",
    [
      Row(
        "1.1", .screen(.confirmWithPin),
        [
          .on("a", .enter, .row("1.2")),
          .on("b", .forgotPin, .row("2")),
          .on("c", .back, .result(.back)),
          .on("d", .cancel, .result(.cancel)),
          .on("e", .help, .goTo(.help)),
        ]),
      Row(
        "1.2", .partialFlow(.validatePin),
        [
          .result("a", .validPin, .row("1.3")),
          .result("b", .retry, .row("1.1")),
          .result("c", .back, .result(.back)),
        ]
      ).added(
        "the PIN authorises this act alone. A block locks, gives the act up and tells nobody"),
      Row(
        "1.3", .determination(.walletStatus),
        [.when("a", .active, .row("1.4")), .when("b", .failed, .error(.generic))]
      ).corrected("PF2.10", "the answer to the PIN has told the status"),
      Row("1.4", .partialFlow(.updatePolicy), [.result("a", .allowed, .result(.confirm))]),
      Row(
        "2", .screen(.forgotPin),
        [
          .on("a", .deleteWallet, .goTo(.wipe)),
          .on("b", .back, .back(nil)),
        ]
      ).corrected("create a new PIN", "a PIN cannot be recovered here"),
    ])
}
