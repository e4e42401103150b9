internal import Glibc
internal import WalletModel

/// The texts of a step, made once and for as long as the event, because C hosts keep pointers.
final class StepTexts: Sendable {
  struct Choice: Sendable {
    let action: StableText
    let label: StableText
  }

  private struct Named<Value: Sendable>: Sendable {
    let name: StableText
    let value: Value

    init(_ name: String, _ value: Value) {
      self.name = StableText(name)
      self.value = value
    }
  }

  let useCase: StableText
  let row: StableText
  let name: StableText
  let title: StableText
  let message: StableText
  let beneath: StableText
  private let choices: [Choice]
  private let notices: [StableText]
  private let texts: [Named<StableText>]
  private let numbers: [Named<Int64>]

  init(_ step: Step) {
    useCase = StableText(step.useCase)
    row = StableText(step.row)
    name = StableText(step.name)
    title = StableText(step.title)
    message = StableText(step.message)
    beneath = StableText(step.beneath ?? "")
    choices = step.choices.map {
      Choice(action: StableText($0.action), label: StableText($0.label))
    }
    notices = step.notices.map { StableText($0) }
    texts = step.arguments.compactMap { name, value in
      if case .text(let text) = value { Named(name, StableText(text)) } else { nil }
    }
    numbers = step.arguments.compactMap { name, value in
      switch value {
      case .number(let number): Named(name, number)
      case .truth(let truth): Named(name, truth ? 1 : 0)
      case .text: nil
      }
    }
  }

  func choice(_ index: Int) -> Choice? { choices.indices.contains(index) ? choices[index] : nil }

  func notice(_ index: Int) -> StableText? {
    notices.indices.contains(index) ? notices[index] : nil
  }

  func text(_ name: UnsafePointer<CChar>?) -> StableText? { Self.find(name, in: texts) }

  func number(_ name: UnsafePointer<CChar>?) -> Int64? { Self.find(name, in: numbers) }

  /// Compares bytes, so that a name of any length or encoding is merely unknown.
  private static func find<Value>(
    _ name: UnsafePointer<CChar>?, in arguments: [Named<Value>]
  ) -> Value? {
    guard let name else { return nil }
    return arguments.first { strcmp($0.name.start, name) == 0 }?.value
  }
}
