import WalletEvaluator
public import WalletProtocol
import WalletProvider
public import WalletProviderServer

/// The evaluator in a directory, for a server of it alone.
public struct ServedDirectory: ServedEvaluator {
  private let evaluator: Evaluator

  /// - Throws: `FileProblem`, also for the data directory of a provider, where a mistyped path would
  ///   make a second evaluator; `EvaluatorFailure`.
  public init(_ settings: ServerSettings) throws {
    try Self.checkDirectory(settings.data)
    evaluator = try Self.open(EvaluatorDirectory(path: settings.data), settings)
  }

  /// Begins the attempts of a wallet anew, for the operator of an evaluator that exists.
  ///
  /// - Parameter keys: the ids of its PIN keys, which share one count.
  /// - Returns: False if there is no such PIN key.
  /// - Throws: `FileProblem`, `EvaluatorFailure`.
  public static func unblock(keys: [String], _ settings: ServerSettings) async throws -> Bool {
    try checkDirectory(settings.data)
    let evaluator = try open(EvaluatorDirectory(existing: settings.data), settings)
    for key in keys where try await evaluator.unblock(key: key) { return true }
    return false
  }

  private static func open(
    _ directory: EvaluatorDirectory, _ settings: ServerSettings
  ) throws -> Evaluator {
    try directory.evaluator(
      policy: settings.provider.attemptPolicy, clock: SystemWallClock(),
      report: { [report = ServerLog.evaluatorReport(settings)] in report($0.description) })
  }

  private static func checkDirectory(_ path: String) throws(FileProblem) {
    if let problem = DataDirectory.problems(of: path).first { throw problem }
    guard try PrivateFile.read(path + "/provider-id", secret: false) == nil else {
      throw FileProblem(
        "\(path) is the data directory of a provider; an evaluator needs a directory of its own")
    }
  }

  public var id: String { evaluator.id }

  public var grantKeys: [PublishedKey] { evaluator.grantKeys }

  public func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    try await described { try await evaluator.answer(request) }
  }

  public func ping() async throws { try await described { try await evaluator.ping() } }

  /// The log of the server shows the descriptions of this kind of failure only.
  private func described<Result>(_ work: () async throws -> Result) async throws -> Result {
    do { return try await work() } catch let failure as EvaluatorFailure {
      throw StoreFailure(failure.description)
    }
  }
}
