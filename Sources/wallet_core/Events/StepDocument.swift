internal import WalletModel

/// The JSON of a step event.
struct StepDocument: Encodable {
  var schema = 1
  var kind = "step"
  let serial: UInt64
  let useCase: String
  let row: String
  let stepKind: String
  let name: String
  let title: String
  let message: String
  let arguments: [String: Argument]
  let notices: [String]
  let input: String
  let actions: [Action]
  let beneath: String?
  let isProtected: Bool
  let trail: [String]
  let sharing: SharingDocument?

  /// A choice of the user.
  struct Action: Encodable {
    let name: String
    let label: String
  }

  /// A number, text or truth value.
  struct Argument: Encodable {
    let value: Step.Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      case .truth(let truth): try container.encode(truth)
      }
    }
  }

  init(_ step: Step) {
    serial = step.serial
    useCase = step.useCase
    row = step.row
    stepKind = step.kind.rawValue
    name = step.name
    title = step.title
    message = step.message
    arguments = Dictionary(
      uniqueKeysWithValues: step.arguments.map { ($0.key.rawValue, Argument(value: $0.value)) })
    notices = step.notices
    input = step.input.rawValue
    actions = step.choices.map { Action(name: $0.action, label: $0.label) }
    beneath = step.beneath
    isProtected = step.isProtected
    trail = step.trail
    sharing = step.sharing.map { SharingDocument($0) }
  }

  private enum CodingKeys: String, CodingKey {
    case schema, kind, serial, row, name, title, message, arguments, notices, input, actions
    case beneath, trail, sharing
    case useCase = "use_case"
    case stepKind = "step_kind"
    case isProtected = "is_protected"
  }
}
