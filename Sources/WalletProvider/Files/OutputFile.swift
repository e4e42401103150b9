import WalletSystem

/// A file that a command writes because an option names it. The command makes a new file or, if it
/// may, replaces an existing regular file. It never writes through a symbolic link or to a device.
public struct OutputFile: Sendable {
  private let path: String
  private let replaces: Bool
  private let mode: UInt32

  /// - Parameters:
  ///   - path: the option's value.
  ///   - option: the option, for messages.
  ///   - replaces: whether a regular file may be replaced.
  ///   - isPrivate: whether only the owner may read the file.
  /// - Throws: `SettingsError` for a path that cannot be written. It is checked here, so that the
  ///   command fails before it makes its output.
  public init(
    _ path: String, option: String, replaces: Bool, isPrivate: Bool
  ) throws(SettingsError) {
    self.path = path
    self.replaces = replaces
    mode = isPrivate ? 0o600 : 0o644
    guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
      throw SettingsError("\(option) names no file")
    }
    switch kind {
    case .none: break
    case .regular:
      guard replaces else {
        throw SettingsError("\(path) is there already; pass --replace to overwrite it")
      }
    case .other: throw unfit
    }
    guard (try? FileSystem.checkAccess(to: directory, writing: true, entering: true)) != nil else {
      throw SettingsError("\(path) cannot be written")
    }
  }

  /// Writes the whole file, or nothing.
  public func write(_ content: [UInt8]) throws {
    // Something else may have been put at `path` in the meantime.
    guard kind != .other else { throw unfit }
    try PrivateFile.write(content, to: path, replace: replaces, mode: mode)
  }

  private enum Kind { case none, regular, other }

  /// What is at `path` now. A symbolic link counts as `other`, whatever it leads to. If nothing can
  /// be found out, this is `none`, and the attempt to write reports why.
  private var kind: Kind {
    guard let status = try? FileStatus(name: path) else { return .none }
    return status.isRegular ? .regular : .other
  }

  private var directory: String { PrivateFile.parent(of: path) }

  private var unfit: SettingsError {
    SettingsError("\(path) cannot be written: it is no regular file")
  }
}
