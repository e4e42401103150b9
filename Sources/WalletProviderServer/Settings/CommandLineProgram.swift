public import ArgumentParser
import WalletProvider

extension AsyncParsableCommand {
  /// Runs the command given on the command line, and ends the process if it fails.
  ///
  /// For an invalid setting, which may be in a file, it prints one line instead of the usage of the
  /// options, and exits with EX_USAGE (64).
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
