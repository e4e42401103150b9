"""An HTTP stack as it is written in a hurry: urllib with its defaults."""

import http.cookiejar
import ssl
import threading
import urllib.error
import urllib.request

from wallet_core import Outcome


class CarelessStack:
    def __init__(self):
        self._cookies = http.cookiejar.CookieJar()

    def send(self, call):
        threading.Thread(target=self._run, args=(call,), daemon=True).start()

    def cancel(self, number):
        pass

    def _run(self, call):
        request = call.request
        context = ssl.create_default_context()
        if request.authorities:
            context.load_verify_locations(cadata=request.authorities)
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self._cookies), urllib.request.HTTPSHandler(context=context))
        try:
            wanted = urllib.request.Request(
                request.url, data=request.body, headers=dict(request.headers), method=request.method)
            try:
                response = opener.open(wanted, timeout=request.timeout)
            except urllib.error.HTTPError as error:
                response = error
            call.answer(response.status, response.getheaders(), response.read(), response.url, "127.0.0.1")
        except Exception as problem:
            call.fail(Outcome.NOT_CONNECTED, False, str(problem))
