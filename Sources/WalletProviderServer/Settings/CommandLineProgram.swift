public import ArgumentParser
import WalletProvider

extension AsyncParsableCommand {
  /// Runs the command that the command line names, and ends the process where it fails.
  ///
  /// Who has set something wrong, perhaps in a file, is told that in one line and not how options are
  /// used, with the exit code for it (EX_USAGE, 64).
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
