import WalletProtocol

/// Has a case vetted once at a time, however many requests wait for it in this process, and not without
/// end.
actor VettingCoordinator {
  private struct Vetting {
    let vettingCase: VettingCase
    let task: Task<VettingVerdict, Never>
  }

  private var running: [String: Vetting] = [:]

  /// - Parameter deadline: milliseconds; after them the verdict is that the source does not answer.
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

  /// To be called when a verdict of the case was put into the rows, or could not be: until then whoever
  /// comes later is told the same.
  func forget(_ vettingCase: VettingCase) {
    guard running[vettingCase.session]?.vettingCase == vettingCase else { return }
    running[vettingCase.session] = nil
  }

  /// Whichever is first. A vetting that heeds no cancellation goes on unheard.
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
