internal import CCurl
internal import WalletModel
internal import WalletPlatform
internal import WalletSystem

/// libcurl, opened at the first request and never closed.
struct CurlLibrary: @unchecked Sendable {
  // Sendable: function pointers into a library that stays loaded, never changed after `init`.
  let functions: wallet_curl
  /// OpenSSL's function that sets the receiver of TLS keys; nil if libcurl has another TLS library.
  let keyLogSetter: UnsafeMutableRawPointer?
  /// Whether SSLKEYLOGFILE was set when libcurl started. libcurl then writes the keys of TLS
  /// connections to that file.
  private let wasKeyLogNamed: Bool

  /// Debian's file names of libcurl: with OpenSSL, then with GnuTLS.
  static let fileNames = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  /// The oldest version that takes both certificate authorities from memory and protocols by name:
  /// 7.85.0.
  private static let oldestVersion: UInt32 = 0x075500

  private enum State: Sendable {
    case closed
    case opening
    case open(CurlLibrary)
  }

  private static let state = Monitor(State.closed)

  /// Returns the library. The first caller opens it while others wait. After a failure the next
  /// caller tries again, so that installing the package helps without a restart.
  static func shared() throws(WalletError) -> CurlLibrary {
    let opened = state.wait(clock: SystemBootClock()) { state -> CurlLibrary?? in
      switch state {
      case .opening: return nil
      case .open(let library): return .some(library)
      case .closed:
        state = .opening
        return .some(nil)
      }
    }
    if let opened, let opened { return opened }
    do {
      let library = try CurlLibrary(fileNames: fileNames)
      state.update { $0 = .open(library) }
      return library
    } catch {
      state.update { $0 = .closed }
      throw error
    }
  }

  /// Opens the first of `fileNames` that can be opened.
  ///
  /// - Throws: `transportMissing` if there is none, or if it is too old or has no TLS.
  init(fileNames: [String]) throws(WalletError) {
    var library: DynamicLibrary?
    for name in fileNames where library == nil { library = DynamicLibrary(name) }
    guard let library else {
      throw Self.missing("not found (\(fileNames.joined(separator: ", ")))")
    }
    var functions = wallet_curl()
    if let function = wallet_curl_resolve(library.handle, &functions) {
      throw Self.missing("too old: it has no \(String(cString: function))")
    }
    // Otherwise, if the process exits while OpenSSL starts, OpenSSL's exit handler could run before
    // that of `ExitGuard`.
    // The host's own start of OpenSSL may have come after the last call of `watch`. Then the handler
    // of this call runs first, unless the exit has come past OpenSSL's already.
    ExitGuard.watch()
    guard library.keepOpenSSLUntilTheEnd() else {
      throw WalletError(.cancelled, "The process is exiting.")
    }
    keyLogSetter = library.symbol("SSL_CTX_set_keylog_callback")
    wasKeyLogNamed = Self.isKeyLogNamed
    // Starts only what libcurl itself needs. The host may start libcurl too, which does no harm
    // because libcurl counts the starts.
    guard functions.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
      throw WalletError(.outOfResources, "libcurl could not start.")
    }
    guard let version = functions.version_info(wallet_curl_version_now),
      version.pointee.version_num >= Self.oldestVersion
    else { throw Self.missing("older than 7.85.0") }
    ExitGuard.watch()
    guard version.pointee.features & CURL_VERSION_SSL != 0 else {
      throw Self.missing("built without TLS")
    }
    self.functions = functions
  }

  /// Whether the environment tells TLS libraries to write the keys of connections to a file.
  private static var isKeyLogNamed: Bool { ProcessEnvironment.value("SSLKEYLOGFILE") != nil }

  /// Keeps libcurl from writing the TLS keys of a transfer to a file. With these keys, a recording
  /// of the connection could be read.
  ///
  /// - Throws: `transportMissing` if libcurl would write the keys and nothing can prevent it. With
  ///   GnuTLS nothing can: both libcurl and GnuTLS itself obey SSLKEYLOGFILE.
  func disableKeyLog(_ handle: UnsafeMutableRawPointer) throws(WalletError) {
    if let keyLogSetter {
      let code = withUnsafePointer(to: functions) {
        wallet_curl_disable_key_log($0, handle, keyLogSetter)
      }
      if code == CURLE_OK { return }
    }
    guard !wasKeyLogNamed, !Self.isKeyLogNamed else {
      throw WalletError(
        .transportMissing,
        "libcurl would write TLS keys to the file in SSLKEYLOGFILE. Start without this variable.")
    }
  }

  static func missing(_ reason: String) -> WalletError {
    WalletError(
      .transportMissing,
      "libcurl is \(reason). Install libcurl 7.85 or newer (Debian and Ubuntu: package libcurl4).")
  }
}
