public import WalletJOSE
public import WalletProtocol

/// How the answer is encrypted: to which key of the relying party, and with which cipher.
public struct ResponseEncryption: Equatable, Sendable {
  public let key: SubjectPublicKey
  /// Goes into the header of the answer.
  public let keyID: String
  public let cipher: ContentEncryption

  /// Chooses from the metadata of the relying party (OpenID4VP 1.0 sections 5.1 and 8.3); nil if
  /// nothing fits.
  init?(_ metadata: [String: JSONValue]) {
    let keys = metadata["jwks"]?.object?["keys"]?.array ?? []
    let fitting = keys.lazy.compactMap { json -> (SubjectPublicKey, String)? in
      guard let members = json.object, members["alg"]?.string == CompactJWE.algorithm,
        let id = members["kid"]?.string, members["use"].map({ $0.string == "enc" }) ?? true,
        let key = try? SubjectPublicKey(foreignJWK: json), key.algorithm == .es256,
        (try? P256VerifyingKey(key)) != nil
      else { return nil }
      return (key, id)
    }
    guard let (key, id) = fitting.first else { return nil }
    self.key = key
    keyID = id
    guard let listed = metadata["encrypted_response_enc_values_supported"] else {
      cipher = .a128gcm
      return
    }
    let names = listed.array?.compactMap(\.string) ?? []
    guard
      let best = [ContentEncryption.a256gcm, .a128gcm].first(where: { names.contains($0.rawValue) })
    else { return nil }
    cipher = best
  }
}
