/// Why a message from the other side was not accepted. Carries no content of the message.
public enum WireError: Error, Equatable, Sendable {
  /// Not a compact JWS of three base64url parts within the size limit.
  case malformedSignedMessage
  /// The header names another algorithm, type or parameter than the key and the context demand.
  case headerRefused
  /// The signature does not verify under the expected key.
  case signatureInvalid
  /// The content is not the JSON object that this message type has.
  case contentMalformed
  /// A public key, signature or hash does not have its one allowed encoding.
  case encodingRefused
}
