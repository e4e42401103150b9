/// Which texts of other parties may be shown to the user.
package enum DisplayText {
  /// Whether a text has characters, and none that could disguise it, such as marks of direction.
  package static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    // What decoding puts in the place of broken UTF-8.
    default: scalar != "\u{FFFD}"
    }
  }
}
