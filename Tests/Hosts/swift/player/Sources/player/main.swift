// Plays the instructions of Tests/Hosts/README.md with the Swift binding.
//
//     player CONFIGURATION_FILE STATE_DIRECTORY

import Foundation

guard CommandLine.arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: player CONFIGURATION_FILE STATE_DIRECTORY\n".utf8))
  exit(2)
}
do {
  let player = try Player(
    configuration: URL(filePath: CommandLine.arguments[1]),
    directory: URL(filePath: CommandLine.arguments[2]))
  while let line = readLine(), line != "quit" {
    say(await player.answer(line))
  }
  await player.end()
} catch {
  FileHandle.standardError.write(Data("player: \(error)\n".utf8))
  exit(1)
}
