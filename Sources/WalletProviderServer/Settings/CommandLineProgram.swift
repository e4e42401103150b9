public import ArgumentParser
import WalletProvider
import WalletSystem

extension AsyncParsableCommand {
  /// Runs the command given on the command line, and ends the process.
  ///
  /// For an invalid setting it prints one line and exits with EX_USAGE (64). It does not print the
  /// usage of the options, because the setting may be in a file.
  ///
  /// The process ends without the finalizers of libraries. The threads of the database and of the
  /// network still run, and one that closes its connection while libpq's libraries are finalized
  /// can abort the process.
  public static func runProgram() async -> Never {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as SettingsError {
      StandardError.print("Error: \(error)")
      CurrentProcess.end(ExitCode.validationFailure.rawValue)
    } catch { end(with: error) }
    CurrentProcess.end(ExitCode.success.rawValue)
  }

  /// As `exit(withError:)` of ArgumentParser. The help that was asked for is an error without failure.
  private static func end(with error: any Error) -> Never {
    let (message, code) = (fullMessage(for: error), exitCode(for: error))
    if !message.isEmpty {
      if code.isSuccess { StandardOutput.print(message) } else { StandardError.print(message) }
    }
    CurrentProcess.end(code.rawValue)
  }
}
