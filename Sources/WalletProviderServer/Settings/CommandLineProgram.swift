public import ArgumentParser
import WalletProvider

extension AsyncParsableCommand {
  /// Runs the command given on the command line, and ends the process if it fails.
  ///
  /// For an invalid setting it prints one line and exits with EX_USAGE (64). It does not print the
  /// usage of the options, because the setting may be in a file.
  public static func runProgram() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as SettingsError {
      StandardError.print("Error: \(error)")
      exit(withError: ExitCode.validationFailure)
    } catch { exit(withError: error) }
  }
}
