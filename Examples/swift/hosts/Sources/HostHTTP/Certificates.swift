// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Foundation
  import Security

  enum Certificates {
    /// Whether one of the authorities, and not one of the system, certifies the server. The name of
    /// the server is in the trust's policy.
    static func isTrusted(_ trust: SecTrust, authorities pem: String) -> Bool {
      let anchors = read(pem)
      return !anchors.isEmpty
        && SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess
        && SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
        && SecTrustEvaluateWithError(trust, nil)
    }

    private static func read(_ pem: String) -> [SecCertificate] {
      pem.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
        let base64 = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
        return Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
          .flatMap { SecCertificateCreateWithData(nil, $0 as CFData) }
      }
    }
  }
#endif
