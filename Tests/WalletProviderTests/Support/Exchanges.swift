import Foundation

/// Files for the verifiers of Tests/Interop.
enum Exchanges {
  /// The directory of the file that the environment variable WALLET_CORE_EXCHANGES names.
  ///
  /// - Parameter path: a directory to write to if it names none.
  static func directory(else path: String) -> URL {
    guard let path = ProcessInfo.processInfo.environment["WALLET_CORE_EXCHANGES"] else {
      return URL(fileURLWithPath: path)
    }
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    let url = URL(fileURLWithPath: path)
    return isDirectory.boolValue ? url : url.deletingLastPathComponent()
  }
}
