import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import WalletProviderServer
import WalletSystem

/// Why an evaluator gave no answer.
enum ConnectionProblem: Error {
  /// There is no connection, or it ended before the answer.
  case failed(any Error)
  case late
  case status(Int)
  case answerTooLong

  /// One line for an operator.
  func text(_ settings: RemoteEvaluatorSettings) -> String {
    switch self {
    case .failed(let error): Self.text(error, settings)
    case .late: "no answer in time"
    case .status(503): "it cannot answer at the moment; its log says why"
    case .status(let code): "it answered with status \(code)"
    case .answerTooLong: "its answer is too long"
    }
  }

  private static func text(_ error: any Error, _ settings: RemoteEvaluatorSettings) -> String {
    switch error {
    case let error as NIOConnectionError:
      if let first = error.connectionErrors.first?.error as? IOError { return system(first) }
      return "the host is not known here"
    case let error as IOError: return system(error)
    case let error as HTTPClientError where error == .connectTimeout: return "no connection in time"
    case let error as HTTPClientError
    where [.deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout].contains(error):
      return "no answer in time"
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return "its certificate names another host"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      return "the connection ended before the answer"
    default: break
    }
    let description = String(describing: error)
    if description.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate does not come from the authority in \(settings.authority)"
    }
    if description.contains("ALERT") {
      return
        "it refused the certificate in \(settings.identity.certificate): is it from the authority"
        + " that evaluate has as --client-authority, and still valid?"
    }
    return name(error)
  }

  private static func system(_ error: IOError) -> String {
    SystemError(code: error.errnoCode).text
      + "; does evaluate run there, and may this machine reach it?"
  }

  /// The beginning of the description, without line breaks.
  static func name(_ error: any Error) -> String {
    String(String(describing: error).prefix(120)).split(whereSeparator: \.isNewline)
      .joined(separator: " ")
  }
}
