internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletTransport

extension WalletSession {
  /// Fetches the status lists of cards that are due, in the background: after an unlock and after a
  /// card was issued. Never because a card is used, so that nobody can tell the time of a use from
  /// the requests. A list that cannot be had keeps no other one from being fetched.
  func refreshCardStatuses(_ job: JobQueue.Job) {
    let (now, era) = (context.updatePolicy.providerTime, context.statusLists.era)
    var own: [(uri: String, path: String)] = []
    var foreign: [String] = []
    attempt { () throws(WalletError) in
      let cards = try account(job, creating: false).cards
      for wanted in try cards.wantedStatusLists(at: now) {
        if let path = context.provider.path(of: wanted.uri) {
          own.append((wanted.uri, path))
        } else {
          foreign.append(wanted.uri)
        }
      }
      try cards.noteAttempts(foreign, at: now)
    }
    context.statusLists.fetch(foreign, begunIn: era)
    for (uri, path) in own where !job.cancellation.isCancelled {
      attempt { () throws(WalletError) in
        let answer = try transport.send(
          HTTPRequest(.get, path, headers: ["accept": StatusListFetcher.type]),
          cancellation: job.cancellation)
        try note(answer.statusList(of: .provider), of: uri, job)
      }
    }
  }

  /// Takes in a status list that was fetched from a host of another party.
  func take(statusList: String, of uri: String, _ job: JobQueue.Job) {
    attempt { () throws(WalletError) in try note(statusList, of: uri, job.uncancelled) }
  }

  private func note(
    _ list: String, of uri: String, _ job: JobQueue.Job
  ) throws(WalletError) {
    let account = try account(job, creating: false)
    try account.cards.note(
      statusList: list, uri: uri, anchors: context.configuration.trustAnchors,
      now: context.updatePolicy.providerTime)
    lookAtCards(account)
  }

  private func attempt(_ body: () throws(WalletError) -> Void) {
    context.attempt("cards", "The status of a card is not known", body)
  }
}
