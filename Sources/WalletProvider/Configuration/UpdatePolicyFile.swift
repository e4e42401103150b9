/// The update policy in a file that may change while the provider runs. Whoever asks gets the last
/// policy that was whole: a broken file is reported and changes nothing.
public actor UpdatePolicyFile: UpdatePolicySource {
  /// What became of a change of the file.
  public enum Change: Sendable, Equatable {
    /// It holds from now on, with so many rules; none when the file is gone.
    case taken(rules: Int)
    /// The policy before it stays.
    case refused(reason: String)
  }

  private let path: String
  private let report: @Sendable (Change) -> Void
  private var policy: UpdatePolicy
  private var stamp: FileStamp?
  private var problem: String?

  /// Reads the file; where there is none, there are no rules.
  ///
  /// - Parameter report: told of every change after this one.
  /// - Throws: `FileProblem` that says what is wrong with the file.
  public init(
    path: String, report: @escaping @Sendable (Change) -> Void = { _ in }
  ) throws(FileProblem) {
    self.path = path
    self.report = report
    // Before the content, so that a change in between is a change for the next look.
    stamp = FileStamp(path: path)
    policy = try UpdatePolicy(file: path) ?? .none
  }

  /// Looks at the file when it changed since the last time.
  public var updatePolicy: UpdatePolicy {
    let latest = FileStamp(path: path)
    if latest != stamp || latest?.isSettled == false { read(latest, reportAlways: false) }
    return policy
  }

  /// Reads the file whether it changed or not, and reports in any case.
  public func reload() { read(FileStamp(path: path), reportAlways: true) }

  private func read(_ latest: FileStamp?, reportAlways: Bool) {
    stamp = latest
    do {
      let found = try UpdatePolicy(file: path) ?? .none
      let isNews = found != policy || problem != nil
      policy = found
      problem = nil
      if isNews || reportAlways { report(.taken(rules: found.rules.count)) }
    } catch {
      let isNews = error.description != problem
      problem = error.description
      if isNews || reportAlways { report(.refused(reason: error.description)) }
    }
  }
}
