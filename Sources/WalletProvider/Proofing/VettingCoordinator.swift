import WalletProtocol

/// Vets each case only once at a time, however many requests of this process wait for it, and with
/// a deadline.
actor VettingCoordinator {
  private struct Vetting {
    let vettingCase: VettingCase
    let task: Task<VettingVerdict, Never>
  }

  private var running: [String: Vetting] = [:]

  /// - Parameter deadline: milliseconds, after which the verdict is that the source does not
  ///   respond.
  func vet(
    _ vettingCase: VettingCase, now: Int64, by vetting: any IdentityVetting, deadline: Int64
  ) async -> VettingVerdict {
    let session = vettingCase.session
    if let found = running[session], found.vettingCase == vettingCase {
      return await found.task.value
    }
    let task = Task { await Self.verdict(vettingCase, now: now, by: vetting, deadline: deadline) }
    running[session] = Vetting(vettingCase: vettingCase, task: task)
    return await task.value
  }

  /// Must be called after a verdict of the case was applied or could not be applied. Until then
  /// concurrent requests get the same verdict.
  func forget(_ vettingCase: VettingCase) {
    guard running[vettingCase.session]?.vettingCase == vettingCase else { return }
    running[vettingCase.session] = nil
  }

  /// The verdict or the deadline, whichever comes first. Vetting that ignores cancellation
  /// continues, but its result is discarded.
  private static func verdict(
    _ vettingCase: VettingCase, now: Int64, by vetting: any IdentityVetting, deadline: Int64
  ) async -> VettingVerdict {
    let (verdicts, answer) = AsyncStream.makeStream(
      of: VettingVerdict.self, bufferingPolicy: .bufferingOldest(1))
    let work = Task { answer.yield(await vetting.vet(vettingCase, now: now)) }
    let limit = Task {
      try await Task.sleep(for: .milliseconds(deadline))
      answer.yield(.sourceUnavailable)
    }
    defer {
      work.cancel()
      limit.cancel()
    }
    for await verdict in verdicts { return verdict }
    return .sourceUnavailable
  }
}
