// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore;

import java.util.List;

/**
 * The HTTP bridge of wallet_core.h, to be implemented by an app that wants its own HTTP stack in place of
 * libcurl. The header states what a stack must do and must not do; hand it over by
 * WalletCore.setHttpStack. The library calls the methods on its own threads. Answer each call with
 * WalletCore.httpReply exactly once.
 */
public interface HttpStack {
  /** Outcomes. */
  int ANSWERED = 0, NO_NETWORK = 1, NOT_CONNECTED = 2, TIMED_OUT = 3, TLS_REFUSED = 4, INCOMPLETE = 5,
      TOO_LARGE = 6, ADDRESS_REFUSED = 7;
  int REACH_ANY = 0, REACH_PUBLIC = 1, REACH_PUBLIC_OR_LOOPBACK = 2;
  int TLS_1_2 = 12, TLS_1_3 = 13;

  /**
   * Begins the request and returns at once: other requests wait until it has returned. If it throws, the
   * binding replies INCOMPLETE, and that the request may have been sent.
   */
  void send(long call, Request request);
  /** The library no longer waits for the call: close its connection. */
  default void cancel(long call) {}

  record Header(String name, String value) {
    /** Without the value, because texts of objects end up in logs. */
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * A request. It may contain secrets: fill the body with zeros once it is sent, and keep nothing.
   *
   * @param url to be sent as it is.
   * @param headers all besides Host and Content-Length.
   * @param body null with GET; that of a POST may be empty.
   * @param certificateAuthorities the only ones to trust, as PEM; null for those of the system.
   * @param connectTimeoutMs for the connection, TLS included.
   * @param timeoutMs for all of it, the connection included.
   * @param sharesConnections whether it may use a kept connection and resume a TLS session.
   */
  record Request(String method, String url, List<Header> headers, byte[] body,
      byte[] certificateAuthorities, int oldestTls, int reach, int connectTimeoutMs, int timeoutMs,
      long largestHeaders, long largestBody, boolean sharesConnections) {
    /** Without any content, because texts of objects end up in logs. */
    @Override
    public String toString() {
      return "HttpStack.Request";
    }
  }

  /**
   * What became of a request.
   *
   * @param wasSent false only if certainly no byte of the request has left the device.
   * @param url the one that answered, as the stack reports it after any redirect.
   * @param remoteAddress in digits, of what the stack connected to; null only with REACH_ANY.
   * @param message for developers; no user data. May be null.
   */
  record Response(int outcome, boolean wasSent, int status, List<Header> headers, byte[] body,
      String url, String remoteAddress, String message) {
    /** A complete answer of any status. */
    public static Response answered(
        int status, List<Header> headers, byte[] body, String url, String remoteAddress) {
      return new Response(ANSWERED, true, status, headers, body, url, remoteAddress, null);
    }

    /** No answer, for the reason that `outcome` says. */
    public static Response failed(int outcome, boolean wasSent, String message) {
      return new Response(outcome, wasSent, 0, List.of(), null, null, null, message);
    }

    /** Without any content, because texts of objects end up in logs. */
    @Override
    public String toString() {
      return "HttpStack.Response";
    }
  }
}
