// SPDX-License-Identifier: Apache-2.0
package org.example.okhttpstack

import java.io.ByteArrayInputStream
import java.io.IOException
import java.net.ConnectException
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.ProtocolException
import java.net.Proxy
import java.net.Socket
import java.net.SocketAddress
import java.net.SocketException
import java.net.SocketTimeoutException
import java.net.UnknownHostException
import java.security.KeyStore
import java.security.cert.CertificateFactory
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeUnit.SECONDS
import javax.net.SocketFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.TrustManagerFactory
import javax.net.ssl.X509TrustManager
import okhttp3.*
import okhttp3.Request as OkHttpRequest
import okhttp3.Response as OkHttpResponse
import okio.AsyncTimeout
import org.example.walletcore.HttpStack
import org.example.walletcore.HttpStack.*
import org.example.walletcore.WalletCore

/** Ends a request with an outcome. OkHttp tries again after some failures, but never after a ProtocolException. */
private class Refusal(val outcome: Int, message: String) : ProtocolException(message)

/**
 * OkHttp 3.13 as the HTTP stack. Requests that share connections have a client for each trust and reach; each of the
 * others has a new one, so that there is no kept connection and no TLS session to resume.
 */
class OkHttpStack : HttpStack {
    private data class Kind(val authorities: String?, val oldestTls: Int, val reach: Int)

    private val sharing = ConcurrentHashMap<Kind, OkHttpClient>()
    private val exchanges = ConcurrentHashMap<Long, Exchange>()
    // Not those of OkHttp, which make five requests to a server at a time, and do not report each exception.
    private val workers = Executors.newCachedThreadPool { work -> Thread(work, "http").apply { isDaemon = true } }

    // Requests that were cancelled before they came here, on another thread.
    private val early = ArrayDeque<Long>()

    override fun send(call: Long, request: Request) {
        val exchange = Exchange(call, request)
        val isCancelled = synchronized(early) {
            exchanges[call] = exchange
            early.contains(call)
        }
        if (isCancelled) exchange.fail(INCOMPLETE, "cancelled")
        try {
            workers.execute {
                exchange.run(::client)
                exchanges.remove(call)
            }
        } catch (failure: Throwable) { // no thread: the binding replies
            exchanges.remove(call)
            throw failure
        }
    }

    override fun cancel(call: Long) {
        val exchange = synchronized(early) {
            exchanges[call].also {
                if (it == null) early.addLast(call)
                if (early.size > 64) early.removeFirst()
            }
        }
        exchange?.fail(INCOMPLETE, "cancelled")
    }

    private fun client(request: Request): OkHttpClient {
        if (!request.sharesConnections) return newClient(request, ConnectionPool(0, 1, SECONDS))
        val kind = Kind(request.certificateAuthorities?.let { String(it) }, request.oldestTls, request.reach)
        // Shorter than servers keep them: a request on one that the server has closed fails.
        return sharing.getOrPut(kind) { newClient(request, ConnectionPool(5, 15, SECONDS)) }
    }

    /** A new client has no cache, keeps no cookies, and answers no server that asks for credentials. */
    private fun newClient(request: Request, connections: ConnectionPool): OkHttpClient {
        val manager = trustManager(request.certificateAuthorities)
        val tls = SSLContext.getInstance("TLS").apply { init(null, arrayOf(manager), null) }
        val versions = if (request.oldestTls >= TLS_1_3) arrayOf(TlsVersion.TLS_1_3)
            else arrayOf(TlsVersion.TLS_1_3, TlsVersion.TLS_1_2)
        val secure = ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS).tlsVersions(*versions).build()
        return OkHttpClient.Builder().connectionPool(connections).socketFactory(Sockets(request.reach))
            .sslSocketFactory(tls.socketFactory, manager).connectionSpecs(listOf(secure, ConnectionSpec.CLEARTEXT))
            .protocols(listOf(Protocol.HTTP_1_1)).followRedirects(false).followSslRedirects(false)
            .build()
    }

    /** Trusts the authorities, or those of the system if there are none. */
    private fun trustManager(pem: ByteArray?): X509TrustManager {
        val store = pem?.let {
            KeyStore.getInstance(KeyStore.getDefaultType()).apply {
                load(null)
                CertificateFactory.getInstance("X.509").generateCertificates(ByteArrayInputStream(it))
                    .forEachIndexed { index, certificate -> setCertificateEntry("$index", certificate) }
            }
        }
        val factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
        return factory.apply { init(store) }.trustManagers.filterIsInstance<X509TrustManager>().single()
    }
}

/**
 * Sockets that connect only to addresses within the reach. This is the last place before a connection, so that
 * neither a second look-up nor an address in digits, which newer versions of OkHttp do not look up, goes past it.
 */
private class Sockets(private val reach: Int) : SocketFactory() {
    /** Without Proxy.NO_PROXY the JDK would use its own proxy of SOCKS. */
    override fun createSocket(): Socket = object : Socket(Proxy.NO_PROXY) {
        override fun connect(endpoint: SocketAddress, timeout: Int) {
            val address = (endpoint as InetSocketAddress).address
            val isAllowed = reach == REACH_ANY || address.isPublic() ||
                reach == REACH_PUBLIC_OR_LOOPBACK && address.isThisDevice()
            if (!isAllowed) throw Refusal(ADDRESS_REFUSED, "an address is not public")
            super.connect(endpoint, timeout)
        }
    }

    // OkHttp does not call these.
    private fun connected(): Nothing = throw UnsupportedOperationException()
    override fun createSocket(host: String, port: Int) = connected()
    override fun createSocket(host: String, port: Int, from: InetAddress, fromPort: Int) = connected()
    override fun createSocket(host: InetAddress, port: Int) = connected()
    override fun createSocket(host: InetAddress, port: Int, from: InetAddress, fromPort: Int) = connected()
}

/** One request, and its part of OkHttp: the interceptor next to the network. */
private class Exchange(private val call: Long, private val request: Request) : EventListener(), Interceptor {
    @Volatile private var http: Call? = null
    private var isSecuring = false
    private var answer: Response? = null
    // Changed by synchronized functions.
    private var wasSent = false
    private var hasReplied = false

    /** OkHttp's own limits are for each address and each packet, or do not end a look-up. */
    private inner class Limit(milliseconds: Int) : AsyncTimeout() {
        init {
            timeout(milliseconds.toLong(), MILLISECONDS)
        }

        override fun timedOut() = fail(TIMED_OUT, "no answer in time")
    }
    private val connecting = Limit(request.connectTimeoutMs)
    private val waiting = Limit(request.timeoutMs)

    fun run(client: (Request) -> OkHttpClient) {
        try {
            connecting.enter()
            waiting.enter()
            val carrier = carrier(client(request))
            http = carrier
            if (isOver()) throw Refusal(INCOMPLETE, "cancelled before it began")
            carrier.execute().close()
            reply(answer ?: throw IOException())
        } catch (failure: Throwable) {
            // Other messages may have the name of the server in them.
            fail(outcome(failure), (failure as? Refusal)?.message ?: failure.javaClass.name)
        } finally {
            connecting.exit()
            waiting.exit()
            request.body?.fill(0)
        }
    }

    /** Closes the connection, and replies if nothing has replied. */
    @Synchronized
    fun fail(outcome: Int, message: String) {
        http?.cancel()
        reply(Response.failed(outcome, wasSent, message))
    }

    @Synchronized
    private fun isOver() = hasReplied

    @Synchronized
    private fun reply(response: Response) {
        if (!hasReplied) WalletCore.httpReply(call, response)
        hasReplied = true
    }

    @Synchronized
    private fun beginSending() {
        if (hasReplied || wasSent) throw Refusal(INCOMPLETE, "nothing more is sent")
        wasSent = true
    }

    private fun outcome(failure: Throwable) = when {
        failure is Refusal -> failure.outcome
        wasSent -> INCOMPLETE
        failure is UnknownHostException -> NO_NETWORK
        failure is ConnectException -> NOT_CONNECTED
        failure is SocketTimeoutException -> TIMED_OUT
        isSecuring -> TLS_REFUSED
        failure is SocketException -> NO_NETWORK
        else -> INCOMPLETE
    }

    private fun carrier(client: OkHttpClient): Call {
        val url = url()
        // OkHttp tries the next address if one does not answer; intercept() sees to it that nothing is sent twice.
        val own = client.newBuilder().retryOnConnectionFailure(true).addNetworkInterceptor(this).eventListener(this)
            .connectTimeout(request.connectTimeoutMs.toLong(), MILLISECONDS)
            .readTimeout(0, MILLISECONDS).writeTimeout(0, MILLISECONDS)
        if (request.reach != REACH_ANY || !url.isHttps) own.proxy(Proxy.NO_PROXY)
        val message = OkHttpRequest.Builder().url(url)
            .method(request.method, request.body?.let { RequestBody.create(null, it) })
        for (header in request.headers) message.addHeader(header.name, header.value)
        // Otherwise OkHttp names its version, and decodes bodies.
        message.header("User-Agent", "wallet").header("Accept-Encoding", "identity")
        if (!request.sharesConnections) message.header("Connection", "close")
        return own.build().newCall(message.build())
    }

    /** OkHttp resolves ".." and encodes some characters. Such a URL is refused, as another one would be asked for. */
    private fun url(): HttpUrl {
        val url = HttpUrl.get(request.url)
        val path = url.encodedPath() + (url.encodedQuery()?.let { "?$it" } ?: "")
        val wanted = request.url.substringAfter("://").dropWhile { it !in "/?#" }
        if (path.removePrefix("/") != wanted.removePrefix("/")) throw Refusal(INCOMPLETE, "OkHttp changes this URL")
        return url
    }

    override fun secureConnectStart(call: Call) {
        isSecuring = true
    }

    /**
     * Sends the request and reads its answer. OkHttp is told of an empty answer instead, because it would send again
     * after some, such as 503 with Retry-After: 0, and refuse others, such as 407.
     */
    override fun intercept(chain: Interceptor.Chain): OkHttpResponse {
        connecting.exit()
        beginSending()
        try {
            val received = chain.proceed(chain.request())
            received.use { answer = read(it, chain) }
            return received.newBuilder().code(200).headers(Headers.of()).body(ResponseBody.create(null, "")).build()
        } catch (failure: IOException) {
            throw failure as? Refusal ?: Refusal(INCOMPLETE, failure.javaClass.name)
        }
    }

    private fun read(received: OkHttpResponse, chain: Interceptor.Chain): Response {
        val headers = received.headers().run { List(size()) { Header(name(it), value(it)) } }
        // OkHttp takes an interim answer for the answer, except 100, and a malformed header for one without a name.
        val isMalformed = headers.any { it.name.isEmpty() || it.name.any(Char::isWhitespace) }
        if (isMalformed || received.code() !in 200..599) throw Refusal(INCOMPLETE, "not HTTP")
        val body = if (received.code() == 204 || received.code() == 304) ByteArray(0) else readBody(received)
        if (body == null || received.headers().byteCount() > request.largestHeaders) {
            chain.call().cancel() // otherwise OkHttp reads on when it closes the answer
            throw Refusal(TOO_LARGE, "the answer is larger than its limit")
        }
        val route = chain.connection()?.route()
        val isDirect = route?.proxy()?.type() == Proxy.Type.DIRECT // only a proxy knows the address of the server
        val address = if (isDirect) route.socketAddress().address.hostAddress.substringBefore('%') else null
        // Another one if a redirect was followed. The text of the same one may differ, and must not.
        val asked = chain.request().url()
        val url = if (asked == url()) request.url else asked.toString()
        return Response.answered(received.code(), headers, body, url, address)
    }

    /** Returns null if it is larger than its limit. */
    private fun readBody(received: OkHttpResponse): ByteArray? {
        val body = received.body() ?: return ByteArray(0)
        val hasEnd = body.contentLength() >= 0 || received.header("Transfer-Encoding").equals("chunked", true)
        // TLS does not tell whether the server or somebody on the way has ended the connection.
        if (!hasEnd && received.request().isHttps) throw Refusal(INCOMPLETE, "the answer does not state its length")
        val isTooLarge = body.contentLength() > request.largestBody || body.source().request(request.largestBody + 1)
        return if (isTooLarge) null else body.source().readByteArray()
    }
}
