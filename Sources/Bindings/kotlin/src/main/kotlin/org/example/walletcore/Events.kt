// SPDX-License-Identifier: Apache-2.0
package org.example.walletcore

import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.channels.trySendBlocking
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.callbackFlow

/** The events of a client as a flow, and its requests as suspending calls. */
class Events(private val client: Client) {
    private val waiting = HashMap<Long, CompletableDeferred<Event>>()
    private val isCollected = AtomicBoolean()

    /**
     * The events, taken by a thread of the JVM. The flow ends when the client does: detached, or taken over by
     * another. Who stops collecting detaches the client; so it is collected once, for as long as the
     * user interface lives.
     *
     * Nothing is buffered here: what a slow collector has not taken waits in the library, which keeps of
     * the streams only the newest value.
     */
    val flow: Flow<Event> = callbackFlow {
        check(isCollected.compareAndSet(false, true)) { "the events of a client are collected once" }
        thread(isDaemon = true, name = "wallet_core events") {
            val end = runCatching {
                while (true) {
                    val event = client.nextEvent(-1) ?: continue
                    synchronized(waiting) { waiting.remove(event.request) }?.complete(event)
                    trySendBlocking(event)
                }
            }.exceptionOrNull()
            synchronized(waiting) { waiting.values.forEach { it.completeExceptionally(end!!) } }
            close(end.takeUnless { it.isDetached })
        }
        awaitClose { client.detach() }
    }.buffer(Channel.RENDEZVOUS)

    /**
     * Makes a request and suspends until its completion: `events.completion { unlock(pin) }`. A failure
     * is thrown; a wrong PIN is none, see [Event.pinOutcome]. To cancel the coroutine cancels the request.
     *
     * Somebody else must be collecting [flow]: a collector that waits here waits for itself; there, `launch`.
     */
    suspend fun completion(ask: Client.() -> Long): Event {
        val completion = CompletableDeferred<Event>()
        // The lock keeps the completion from being taken before somebody waits for it.
        val request = synchronized(waiting) { client.ask().also { waiting[it] = completion } }
        val event = try {
            completion.await()
        } catch (cancelled: CancellationException) {
            runCatching { client.cancel(request) }
            throw cancelled
        }
        return event.error?.let { throw it } ?: event
    }
}

/** Detaches in good order, also where the client is gone. */
fun Client.detach() = try {
    close()
} catch (gone: WalletCoreException) {
    if (!gone.isDetached) throw gone else Unit
}

private val Throwable?.isDetached get() =
    this is WalletCoreException && status == WalletCoreException.CLIENT_DETACHED
