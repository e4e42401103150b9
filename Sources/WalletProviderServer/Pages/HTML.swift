/// Markup that is safe in an HTML element or a quoted attribute.
struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The markup.
  let description: String

  init(stringLiteral markup: String) { description = markup }

  init(stringInterpolation: Interpolation) { description = stringInterpolation.markup }

  /// Escapes interpolated values unless they are markup already.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    init(literalCapacity _: Int, interpolationCount _: Int) {}

    mutating func appendLiteral(_ literal: String) { markup += literal }

    mutating func appendInterpolation(_ value: HTML) { markup += value.description }

    mutating func appendInterpolation(_ value: some LosslessStringConvertible) {
      markup += HTML.escape(String(value))
    }
  }

  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
