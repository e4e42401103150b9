public import WalletJOSE

/// Why a status list was not read or tells nothing. Carries no part of the list.
public enum StatusListError: Error, Equatable, Sendable {
  /// The JWS is not accepted.
  case jwsRefused(JOSEError)
  /// The payload is not that of a status list token.
  case contentMalformed
  /// The token is that of another list.
  case subjectRefused
  /// The list is not one whole stream of zlib.
  case compressionMalformed
  /// The list is longer than `StatusList.maximumLength` when decompressed.
  case tooLong
  /// The list has no such entry.
  case indexBeyondEnd
}
