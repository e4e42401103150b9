internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletModel
internal import WalletTransport

extension WalletSession {
  /// Fetches the status lists of cards that are due, in the background: after an unlock and after a
  /// PID was issued. Never because a card is used, so that nobody can tell the time of a use from
  /// the requests. Only lists of the provider itself are fetched.
  func refreshCardStatuses(_ job: JobQueue.Job) {
    context.attempt("cards", "The status of a card is not known") { () throws(WalletError) in
      let cards = try account(job, creating: false).cards
      let now = context.updatePolicy.providerTime
      for wanted in try cards.wantedStatusLists(at: now) {
        guard let path = context.provider.path(of: wanted.uri) else { continue }
        let answer = try transport.send(
          HTTPRequest(.get, path, headers: ["accept": "application/statuslist+jwt"]),
          cancellation: job.cancellation)
        guard answer.status == 200, let list = String(validating: answer.body, as: UTF8.self) else {
          throw answer.failure
            ?? WalletError(.serverRefused, "The provider sent something else than a status list.")
        }
        try cards.note(
          statusList: list, uri: wanted.uri, anchors: context.configuration.trustAnchors, now: now)
      }
    }
  }
}
