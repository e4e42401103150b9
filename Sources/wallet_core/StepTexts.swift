internal import Glibc
internal import WalletModel

/// The texts of a step, made once and for as long as the event, because C hosts keep pointers.
final class StepTexts: Sendable {
  struct Choice: Sendable {
    let action: StableText
    let label: StableText
  }

  /// An argument: a text, or a number, which a truth value is too.
  private struct Argument: Sendable {
    let name: StableText
    var text: StableText?
    var number: Int64?

    init(_ name: String, _ value: Step.Value) {
      self.name = StableText(name)
      switch value {
      case .text(let text): self.text = StableText(text)
      case .number(let number): self.number = number
      case .truth(let truth): number = truth ? 1 : 0
      }
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
  private let arguments: [Argument]

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
    arguments = step.arguments.map { Argument($0.key, $0.value) }
  }

  func choice(_ index: Int) -> Choice? { choices.indices.contains(index) ? choices[index] : nil }

  func notice(_ index: Int) -> StableText? {
    notices.indices.contains(index) ? notices[index] : nil
  }

  func text(_ name: UnsafePointer<CChar>?) -> StableText? { find(name)?.text }

  func number(_ name: UnsafePointer<CChar>?) -> Int64? { find(name)?.number }

  /// Compares bytes, so that a name of any length or encoding is merely unknown.
  private func find(_ name: UnsafePointer<CChar>?) -> Argument? {
    guard let name else { return nil }
    return arguments.first { strcmp($0.name.start, name) == 0 }
  }
}
