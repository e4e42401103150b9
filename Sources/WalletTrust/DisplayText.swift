/// Which texts of other parties may be shown to the user.
package enum DisplayText {
  /// Whether a text can be seen, and has no characters that could disguise it, such as marks of
  /// direction and letters without a shape.
  package static func isPlain(_ text: String) -> Bool {
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      guard isPlain(scalar) || last.map({ isSelector(scalar, behind: $0) }) ?? false else {
        return false
      }
      last = scalar
    }
    return text.unicodeScalars.contains { !$0.properties.isWhitespace }
  }

  /// Whether `scalar` chooses the form of the emoji or ideograph before it.
  private static func isSelector(_ scalar: Unicode.Scalar, behind last: Unicode.Scalar) -> Bool {
    let hasForms = last.properties.isEmoji && !last.isASCII || last.properties.isIdeographic
    return scalar.properties.isVariationSelector && hasForms
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    // U+FFFD is what decoding puts in the place of broken UTF-8, U+2800 the pattern of Braille without
    // a dot.
    default:
      !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{FFFD}"
        && scalar != "\u{2800}"
    }
  }
}
