internal import WalletModel
internal import WalletTrust

extension CardDisplay {
  /// What of it can be shown: a name as other texts of other parties, of 128 characters at most, and
  /// colours that are colours.
  var showable: CardDisplay {
    CardDisplay(
      name: name.flatMap { name in
        name.unicodeScalars.count <= 128 && DisplayText.isPlain(name) ? name : nil
      },
      backgroundColor: backgroundColor.flatMap(Self.color),
      textColor: textColor.flatMap(Self.color))
  }

  private static func color(_ text: String) -> String? {
    let digits = Array(text.utf8)
    guard digits.count == 7, digits[0] == UInt8(ascii: "#"),
      digits.dropFirst().allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return nil }
    return text.lowercased()
  }
}
