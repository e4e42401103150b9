// Carries out the requests of Tests/HTTPBridge with the HTTP stack of the examples.
//
//     WALLET_CORE_HTTP_CHECK=DIRECTORY http_check

import CWalletCoreTesting
import Foundation
import HostHTTP
import WalletHost

func fail(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("http_check: \(reason)\n".utf8))
  exit(1)
}

guard let directory = ProcessInfo.processInfo.environment["WALLET_CORE_HTTP_CHECK"] else {
  fail("WALLET_CORE_HTTP_CHECK is not set")
}
guard let configuration = wallet_core_testing_configuration() else { fail("there is no memory") }
do {
  // Installs the environment of the tests, which must be there before the wallet starts.
  wallet_core_testing_advance_clock(0)
  try WalletCore.setHTTPStack(CurlStack())
  try WalletCore.start(
    configuration: [UInt8](String(cString: configuration).utf8), appVersion: "1.0.0",
    appID: "org.example.http-check")
} catch {
  fail("\(error)")
}
guard wallet_core_testing_serve_http_bridge(directory) == 0 else {
  fail("the check cannot be reached in \(directory)")
}
