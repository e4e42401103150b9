import WalletEvaluator
import WalletEvaluatorClient
public import WalletProtocol
public import WalletProvider
public import WalletProviderServer

/// Checks the evaluator that a start with these settings would use, without making one.
public struct EvaluatorCheck {
  /// Its keys; empty if there is none yet, or none that can be used.
  public private(set) var grantKeys: [PublishedKey] = []
  public private(set) var findings: [Finding] = []

  /// Whether nothing is wrong.
  public var isPassed: Bool { findings.allSatisfy { $0.grade != .wrong } }

  /// - Parameter store: the inspection of the provider's store.
  public init(_ settings: ServerSettings, store: StoreInspection?) async {
    do {
      var id: String?
      if let remote = settings.remoteEvaluator {
        let evaluator = try await RemoteEvaluator(EvaluatorConnection(remote, mostWaiting: 1))
        (id, grantKeys) = (evaluator.id, evaluator.grantKeys)
        findings.append(Finding(.ok, "evaluator", "\(evaluator.id) at \(remote.url)"))
      } else {
        let directory = try EvaluatorDirectory.existing(inData: settings.data)
        (id, grantKeys) = (directory?.id, directory?.keys.grantKeys ?? [])
        try directory?.checkFiles(isNamed: store?.namesEvaluator ?? false)
      }
      guard let identity = try? DataDirectory.existingIdentity(settings.data),
        let problem = store?.problem(ofEvaluator: id, identity)
      else { return }
      findings = [Finding(.wrong, "evaluator", problem)]
    } catch { findings = [Finding(.wrong, "evaluator", "\(error)")] }
  }
}
