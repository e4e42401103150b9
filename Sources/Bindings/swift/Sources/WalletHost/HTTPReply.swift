// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// The replies of an HTTP stack as the library takes them, which copies everything.
enum HTTPReply {
  static func fail(_ call: UInt64, _ failure: HTTPFailure) {
    let isFailure = failure.outcome != WALLET_CORE_HTTP_ANSWERED
    var response = empty(isFailure ? failure.outcome : WALLET_CORE_HTTP_INCOMPLETE)
    response.was_sent = failure.wasSent || !isFailure ? 1 : 0
    let taken = failure.message.withCString { message in
      response.message = message
      return wallet_core_http_reply(call, &response)
    }
    // Every call must have a reply, also if the library does not know the stack's outcome. An
    // UNKNOWN_CALL is harmless: the library no longer waits.
    guard taken == WALLET_CORE_ERROR_INVALID_ARGUMENT else { return }
    response = empty(WALLET_CORE_HTTP_INCOMPLETE)
    response.was_sent = 1
    _ = wallet_core_http_reply(call, &response)
  }

  static func answer(_ call: UInt64, _ answer: HTTPAnswer) {
    if reply(call, answer) == WALLET_CORE_ERROR_INVALID_ARGUMENT {
      let refused = "The library takes no answer of this size, or with a NUL in its texts."
      fail(call, HTTPFailure(WALLET_CORE_HTTP_TOO_LARGE, wasSent: true, message: refused))
    }
  }

  private static func reply(_ call: UInt64, _ answer: HTTPAnswer) -> wallet_core_status {
    // All texts, one after another. Their addresses are known only when there are no more.
    var characters: [CChar] = []
    var starts: [Int] = []
    let names = answer.headers.flatMap { [$0.name, $0.value] }
    for text in names + [answer.url, answer.remoteAddress ?? ""] {
      // C would cut the text there.
      guard !text.utf8.contains(0) else { return WALLET_CORE_ERROR_INVALID_ARGUMENT }
      starts.append(characters.count)
      characters += text.utf8.lazy.map { CChar(bitPattern: $0) }
      characters.append(0)
    }
    return characters.withUnsafeBufferPointer { characters in
      let texts = starts.map { start in characters.baseAddress.map { $0 + start } }
      let headers = answer.headers.indices.map {
        wallet_core_http_header(name: texts[2 * $0], value: texts[2 * $0 + 1])
      }
      return headers.withUnsafeBufferPointer { headers in
        answer.body.withUnsafeBufferPointer { body in
          var response = empty(WALLET_CORE_HTTP_ANSWERED)
          response.was_sent = 1
          response.http_status = Int32(clamping: answer.status)
          response.headers = headers.baseAddress
          response.header_count = headers.count
          response.body = body.baseAddress
          response.body_length = body.count
          response.url = texts[texts.count - 2]
          response.remote_address = answer.remoteAddress == nil ? nil : texts[texts.count - 1]
          return wallet_core_http_reply(call, &response)
        }
      }
    }
  }

  private static func empty(_ outcome: wallet_core_http_outcome) -> wallet_core_http_response {
    var response = wallet_core_http_response()
    response.struct_size = MemoryLayout<wallet_core_http_response>.size
    response.outcome = outcome
    return response
  }
}
