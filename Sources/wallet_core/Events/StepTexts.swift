internal import WalletModel
internal import WalletSystem

/// The texts of a step. They live as long as the event, because C hosts keep pointers to them.
final class StepTexts: Sendable {
  /// A text that every step has.
  enum Part: Int {
    case useCase, row, name, title, message, beneath
  }

  /// First the texts of `Part`, then the action and the label of each choice, then the notices,
  /// then the name and the text of each argument.
  private let texts: StableTexts
  private let firstChoice: Int
  private let firstNotice: Int
  private let firstArgument: Int
  /// The value of each argument that is a number or a truth value.
  private let numbers: [Int64?]

  init(_ step: Step) {
    var texts: [String] = []
    texts.reserveCapacity(
      6 + 2 * step.choices.count + step.notices.count + 2 * step.arguments.count)
    texts += [step.useCase, step.row, step.name, step.title, step.message, step.beneath ?? ""]
    var numbers: [Int64?] = []
    firstChoice = texts.count
    for choice in step.choices {
      texts.append(choice.action)
      texts.append(choice.label)
    }
    firstNotice = texts.count
    texts += step.notices
    firstArgument = texts.count
    for (name, value) in step.arguments {
      let (text, number): (String, Int64?) =
        switch value {
        case .text(let text): (text, nil)
        case .number(let number): ("", number)
        case .truth(let truth): ("", truth ? 1 : 0)
        }
      texts.append(name.rawValue)
      texts.append(text)
      numbers.append(number)
    }
    self.texts = StableTexts(texts)
    self.numbers = numbers
  }

  func part(_ part: Part) -> UnsafePointer<CChar> { texts.start(part.rawValue) }

  func action(_ index: Int) -> UnsafePointer<CChar>? {
    isChoice(index) ? texts.start(firstChoice + 2 * index) : nil
  }

  func label(_ index: Int) -> UnsafePointer<CChar>? {
    isChoice(index) ? texts.start(firstChoice + 2 * index + 1) : nil
  }

  private func isChoice(_ index: Int) -> Bool {
    (0..<(firstNotice - firstChoice) / 2).contains(index)
  }

  func notice(_ index: Int) -> UnsafePointer<CChar>? {
    (0..<firstArgument - firstNotice).contains(index) ? texts.start(firstNotice + index) : nil
  }

  func text(_ name: UnsafePointer<CChar>?) -> UnsafePointer<CChar>? {
    find(name).map { texts.start(firstArgument + 2 * $0 + 1) }
  }

  func number(_ name: UnsafePointer<CChar>?) -> Int64? { find(name).flatMap { numbers[$0] } }

  /// Compares bytes. So a name of any length or encoding does no harm: it is just not found.
  private func find(_ name: UnsafePointer<CChar>?) -> Int? {
    guard let name else { return nil }
    return numbers.indices.first { CText.areEqual(texts.start(firstArgument + 2 * $0), name) }
  }
}
