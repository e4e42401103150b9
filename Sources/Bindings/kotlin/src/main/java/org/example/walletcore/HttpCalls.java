// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** Passes requests and responses of HttpStack between Java and C, all their texts in one array. */
final class HttpCalls {
  private HttpCalls() {}

  /* The C code calls the following two methods. */

  private static void send(HttpStack stack, long call, byte[] texts, byte[] body, byte[] authorities,
      int oldestTls, int reach, int connectTimeoutMs, int timeoutMs, long largestHeaders,
      long largestBody, boolean sharesConnections) {
    try {
      String[] parts = new String(texts, UTF_8).split("\0", -1); // the last one is empty
      List<HttpStack.Header> headers = new ArrayList<>();
      for (int i = 2; i + 2 < parts.length; i += 2) {
        headers.add(new HttpStack.Header(parts[i], parts[i + 1]));
      }
      stack.send(call, new HttpStack.Request(parts[0], parts[1], List.copyOf(headers), body, authorities,
          oldestTls, reach, connectTimeoutMs, timeoutMs, largestHeaders, largestBody, sharesConnections));
    } catch (Throwable thrown) { // only its class is reported: its message may have user data
      String message = "the host threw " + thrown.getClass().getName();
      reply(call, HttpStack.Response.failed(HttpStack.INCOMPLETE, true, message));
    }
  }

  private static void cancel(HttpStack stack, long call) {
    try {
      stack.cancel(call);
    } catch (Throwable thrown) { // nobody waits for the call any more
    }
  }

  static int reply(long call, HttpStack.Response response) {
    List<String> texts = new ArrayList<>();
    texts.add(response.url());
    texts.add(response.remoteAddress());
    texts.add(response.message());
    for (HttpStack.Header header : response.headers()) {
      texts.add(header.name());
      texts.add(header.value());
    }
    StringBuilder joined = new StringBuilder();
    for (String text : texts) {
      if (text != null && text.indexOf(0) >= 0) { // a server may have sent it
        return reply(call, HttpStack.Response.failed(HttpStack.INCOMPLETE, true, "a text has a NUL in it"));
      }
      joined.append(text == null ? "" : text).append('\0');
    }
    return answer(call, response.outcome(), response.wasSent(), response.status(),
        joined.toString().getBytes(UTF_8), response.headers().size(), response.body());
  }

  private static native int answer(long call, int outcome, boolean wasSent, int status, byte[] texts,
      int headers, byte[] body);
}
