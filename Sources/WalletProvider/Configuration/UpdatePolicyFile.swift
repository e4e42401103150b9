/// The update policy in a file that may change while the provider runs. The last valid policy stays
/// in effect: an invalid file is reported and changes nothing.
public actor UpdatePolicyFile: UpdatePolicySource {
  /// The result of a change to the file.
  public enum Change: Sendable, Equatable {
    /// The new policy is in effect, with this number of rules; 0 if the file was removed.
    case taken(rules: Int)
    /// The previous policy stays in effect.
    case refused(reason: String)
  }

  private let path: String
  private let report: @Sendable (Change) -> Void
  private var policy: UpdatePolicy
  private var stamp: FileStamp?
  private var problem: String?

  /// Reads the file. Without a file there are no rules.
  ///
  /// - Parameter report: called for every later change.
  /// - Throws: `FileProblem` that describes the problem with the file.
  public init(
    path: String, report: @escaping @Sendable (Change) -> Void = { _ in }
  ) throws(FileProblem) {
    self.path = path
    self.report = report
    // The stamp is read before the content. If the file changes in between, the next check notices
    // it.
    stamp = FileStamp(path: path)
    policy = try UpdatePolicy(file: path) ?? .none
  }

  /// The current policy; reads the file again if it has changed.
  public var updatePolicy: UpdatePolicy {
    let latest = FileStamp(path: path)
    if latest != stamp || latest?.isSettled == false { read(latest, reportAlways: false) }
    return policy
  }

  /// Reads the file even if it has not changed, and always reports the result.
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
