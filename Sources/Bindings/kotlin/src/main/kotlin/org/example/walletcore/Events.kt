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
     * The events, taken by a thread of the JVM. The flow ends when the client is detached or taken over by
     * another. A collector that stops detaches the client, so collect the flow once, for as long as the
     * user interface lives.
     *
     * Nothing is buffered here: events that a slow collector has not taken stay in the library, which
     * keeps only the newest value of each stream.
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
     * is thrown; a wrong PIN is not a failure, see [Event.pinOutcome]. Cancelling the coroutine cancels
     * the request.
     *
     * Another coroutine must collect [flow]. A collector that calls this would wait for itself: use `launch`.
     */
    suspend fun completion(ask: Client.() -> Long): Event {
        val completion = CompletableDeferred<Event>()
        // Under the lock, so that the completion is not taken before it is expected.
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

/** Detaches the client; does nothing if it has ended already. */
fun Client.detach() = try {
    close()
} catch (gone: WalletCoreException) {
    if (!gone.isDetached) throw gone else Unit
}

private val Throwable?.isDetached get() =
    this is WalletCoreException && status == WalletCoreException.CLIENT_DETACHED
