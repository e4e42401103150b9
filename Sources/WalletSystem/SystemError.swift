internal import CPosix

/// The error of a failed system call.
public struct SystemError: Error, Equatable, Sendable {
  /// The errno. Its values differ between systems, so compare it with the constants below.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The system's description, for example "No such file or directory".
  public var text: String { String(cString: wallet_error_text(code)) }

  private init(_ constant: Int) { code = Int32(constant) }

  public static let noSuchFile = SystemError(wallet_error_no_such_file)
  public static let fileExists = SystemError(wallet_error_file_exists)
  public static let tooManyLinks = SystemError(wallet_error_too_many_links)
  public static let accessDenied = SystemError(wallet_error_access_denied)
  public static let notPermitted = SystemError(wallet_error_not_permitted)
  public static let readOnlyFileSystem = SystemError(wallet_error_read_only_file_system)
  public static let noSpace = SystemError(wallet_error_no_space)
  public static let quotaExceeded = SystemError(wallet_error_quota_exceeded)
  public static let fileTooLarge = SystemError(wallet_error_file_too_large)
  public static let inputOutput = SystemError(wallet_error_input_output)
  public static let noSuchDevice = SystemError(wallet_error_no_such_device)
  public static let outOfRange = SystemError(wallet_error_out_of_range)
  public static let invalidArgument = SystemError(wallet_error_invalid_argument)
  public static let wouldBlock = SystemError(wallet_error_would_block)
  public static let tooManyFiles = SystemError(wallet_error_too_many_files)
  public static let tooManyFilesInSystem = SystemError(wallet_error_too_many_files_in_system)
  public static let noMemory = SystemError(wallet_error_no_memory)
  public static let hostUnreachable = SystemError(wallet_error_host_unreachable)
  public static let networkDown = SystemError(wallet_error_network_down)
  public static let networkUnreachable = SystemError(wallet_error_network_unreachable)
  public static let addressInUse = SystemError(wallet_error_address_in_use)

  /// Throws the error of a C function that returned `code`; 0 is success.
  static func check(_ code: Int32) throws(SystemError) {
    guard code == 0 else { throw SystemError(code: code) }
  }
}
