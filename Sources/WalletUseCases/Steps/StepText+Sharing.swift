internal import WalletModel

// The texts of UC5.1 and UC5.2.

extension StepText {
  static let confirmWithPin = StepText("Enter your PIN") { arguments in
    switch arguments[.purpose] {
    case .text("share"): "Your PIN shares the data with \(organisation(arguments))."
    case .text("log-in"): "Your PIN logs you in to \(organisation(arguments))."
    default: "Confirm that it is you who enables biometric unlock."
    }
  }

  private static func organisation(_ arguments: [StepArgument: Step.Value]) -> String {
    if case .text(let name) = arguments[.organisation] { return name }
    if case .text(let host) = arguments[.host] { return host }
    return "the website"
  }

  /// Returns the text of a screen of UC5.1 or UC5.2.
  static func sharing(_ screen: Screen) -> StepText {
    switch screen {
    case .websiteCheck:
      StepText("Is this the website?") { arguments in
        guard case .text(let host) = arguments[.host] else { return "" }
        return "The code leads to \(host). Go on only if that is where you saw it."
      }
    case .approveSharing:
      StepText("Share your data?") { "\(organisation($0)) asks for this data." }
    case .approveLogin: StepText("Log in?") { "\(organisation($0)) wants to know who you are." }
    case .sharingDone: StepText("Shared") { "\(organisation($0)) has your data." }
    case .loginDone: StepText("Logged in") { "You are logged in to \(organisation($0))." }
    case .confirmStop: StepText("Stop here?", "Nothing is shared.")
    case .sharingStopped: StepText("Stopped", "Nothing was shared.")
    case .aboutWebsiteCheck:
      StepText(
        "Why this question?",
        "Somebody could show you the code of another website. Only you can see where you are.")
    case .sharingDetails: StepText("Who gets what") { "For \(organisation($0))." }
    case .requestedData: StepText("The data")
    case .detailsIncorrect:
      StepText("Is something wrong?", "Ask whoever issued the card to correct it.")
    case .agreements: StepText("What is agreed") { "With \(organisation($0))." }
    case .aboutOrganisation: StepText("About the organisation")
    case .missingData:
      StepText("Not in your wallet") { "You do not have what \(organisation($0)) asks for." }
    case .missingDataDetails: StepText("What is missing")
    case .chooseCard: StepText("Choose a card")
    default: StepText("")
    }
  }
}
