@testable import WalletUseCases

/// Rows, kinds and letters as agreed, to catch mistakes in the tables.
enum SettledRows {
  /// Number, kind, letters of the cases.
  static let rows: [UseCase: [String]] = [
    .openApp: [
      "1.1 D ab", "2.1 S a", "2.2 P a", "2.3 D abc", "3.1 D ab", "3.2 D ab", "3.3 D abc",
      "3.4 P a",
    ],
    .introduceApp: ["1.1 S abcd", "1.2 S abcde", "1.3 S abcd", "1.4 S abcd", "2.1 S a"],
    .setUpPin: [
      "1.1 S abc", "1.2 D ab", "1.3 S abc", "1.4 D abc", "1.5 F abcde", "1.6 D ab", "1.7 S abc",
      "1.8 O ab", "1.9 S a", "2.1 Q a", "3.1 Q a", "4.1 Q a",
    ],
    .unlock: [
      "1.1 D abc", "1.2 O abcdefg", "1.3 S abcd", "1.4 P abc", "1.5 D abcde", "1.6 P a", "1.7 D ab",
      "2.1 Q ab", "3.1 Q ab", "4.1 Q ab", "5.1 Q a", "5.2 Q a", "6.1 S ab",
    ],
    .obtainPID: [
      "1 F abcde", "2a S a", "2b S abcd", "3 S abcdef", "4 F abc", "5a S a", "5b S abcd",
      "5c S abc", "5d Q ab", "6 S abcde", "7 F abcd", "8a S a", "8b S abc", "9a F a",
      "9b F abcdefg",
      "9c S ab", "9d P abc",
      // A wallet that would replace a proofed one waits for its owner.
      "10a S a", "10b S abcde", "10c S abc", "11 S ab",
    ],
    .issuance: ["1 H a"],
    .sharing: [
      "1.1 F abcdefghim", "1.2 S abcd", "1.3 D ab", "1.4 S abcdefg", "1.5 P abc", "1.5.1 F abcdef",
      "1.6 S abcde", "1.6.1 D ab", "1.7 H a", "2.1 Q abc", "2.1.1 F a", "2.2 S ab", "2.3 Q ab",
      "2.3.1 F a",
      "2.4 H a", "3.1 S a", "4.1 S abcde", "4.2 S abc", "5.1 S a", "6.2 S ab", "7.1 S ab",
      "8.1 H a",
      "9.1 S abc", "9.2 Q a", "10.1 S abcdefgh", "10.2 S abcd", "10.3 Q ab", "10.4 D ab",
    ],
    .login: [
      "1.1 F abcdefghimkl", "1.2 S abcd", "1.3 S abcdef", "1.4 P abc", "1.4.1 F abcdef", "1.5 D ab",
      "1.6 S aebcd", "1.7 S abcd", "1.8 H a", "2.1 Q abc", "2.1.1 F a", "2.2 S ab", "2.3 Q ab",
      "2.3.1 F a", "2.4 H a", "3.1 S a", "4.1 S abcde", "4.2 S abc", "5.1 S a", "6.2 S ab",
      "7.1 S ab", "8.1 H a", "9.1 S abc", "9.2 Q a", "10.3 Q ab", "10.4 D ab",
    ],
    .activities: ["1.1 S abc"],
    .activity: ["1.1 S abcdef", "2.1 S a", "3.1 S ab", "4.1 S a", "5.1 H a"],
    .confirm: ["1.1 S abcde", "1.2 P abc", "1.3 D ab", "1.4 P a", "2 S ab"],
    .cards: [
      "1.1 S bcdfgijklmno", "2.1 S a", "3.1 O ab", "3.2 S ab", "3.3 P abc",
      // The owner decides on another wallet, with the PIN.
      "4.1 S abc", "4.2 S ab", "4.3 P abc", "4.4 S ab", "4.5 P abc",
    ],
    .about: ["1.1 S abc", "2.1 S a"], .wipe: ["1.1 S ab", "1.2 F ab"], .help: ["1 H a"],
    .lock: ["1.1 D abcde", "1.2 Q abc", "2 F a"],
    .scanQR: [
      // The host answers the first row and asks the user in the second.
      "1.1 H ab", "1.2 H ab", "1.3 S abcd", "1.4 D ab", "1.5 D abcdef", "2.1 S abc", "3.1 Q a",
    ],
    .updatePolicy: ["1.1 F abcdef", "2.1 S ab", "3.1 S ab"],
    .universalLink: ["1.1 D ab", "1.2 D abc", "1.3 D abcde", "2.1 Q ab"],
    .validatePin: [
      "1.1 F abcdefghijklmn", "2.1 Q ab", "3.1 Q ab", "4.1 Q ab", "5.1 S abcde", "6.1 Q ab",
      "7.1 Q ab", "8.1 Q ab", "9.1 S ab", "10.1 S ab",
    ],
    .errors: [
      "1 E abc", "2 E abc", "3 E ab", "4 E abcd", "5 E a", "6 E ab", "7 E cab", "8 F ab", "9 H a",
    ],
  ]

  /// The letter of a kind.
  static func letter(_ kind: Row.Kind) -> String {
    switch kind {
    case .determination, .watch: "D"
    case .effect: "F"
    case .partialFlow: "P"
    case .screen: "S"
    case .prompt: "Q"
    case .systemPrompt: "O"
    case .handOff: "H"
    case .error: "E"
    }
  }
}
