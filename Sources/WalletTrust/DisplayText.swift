/// Which texts of other parties may be shown to the user.
package enum DisplayText {
  /// Whether a text can be seen, and has no characters that could disguise it, such as marks of
  /// direction and letters without a shape.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy(isPlain)
      && text.unicodeScalars.contains { !$0.properties.isWhitespace }
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
