import java.io.File
import java.io.IOException
import java.lang.ref.WeakReference
import kotlin.system.exitProcess
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.example.softwarekeys.KeyFile
import org.example.walletcore.Client
import org.example.walletcore.Event
import org.example.walletcore.Events
import org.example.walletcore.Platform
import org.example.walletcore.WalletCore
import org.example.walletcore.WalletCoreException
import org.example.walletcore.detach

/** Tests what the Kotlin binding promises in addition to the library, with the library and a provider. */
class BindingTests(configuration: File, private val directory: File) {
    private val phone = newPhone()
    private val scope = CoroutineScope(Dispatchers.Default)
    private val document = configuration.readBytes()

    private fun newPhone() = Phone(directory.apply { mkdirs() }, Sensor {})

    private fun Engine() = Engine(scope)

    /** Leaves the next signatures unanswered. The result is complete when the library has asked for one. */
    private fun forgetToSign(): CompletableDeferred<Unit> {
        val asked = CompletableDeferred<Unit>()
        phone.insteadOfSigning = { asked.complete(Unit) }
        return asked
    }

    private fun signAgain() {
        phone.insteadOfSigning = null
    }

    /** A separate function, so that no stack frame keeps the platform alive. */
    private fun handOver(): WeakReference<Platform> {
        val platform = newPhone()
        WalletCore.initPlatformSupport(platform, Platform.ANDROID)
        return WeakReference(platform)
    }

    /** Waits, because the library releases the platform on one of its threads. */
    private suspend fun awaitEndOf(platform: WeakReference<Platform>) = withTimeout(PATIENCE) {
        while (platform.get() != null) {
            System.gc()
            delay(1)
        }
    }

    val all: Map<String, suspend () -> Unit> = linkedMapOf(
        "null is refused where the library needs a value" to {
            same("INVALID_ARGUMENT", refusal { WalletCore.initPlatformSupport(null, Platform.ANDROID) }.name)
            same("INVALID_ARGUMENT", refusal { WalletCore.init(null, "1.0.0", "org.example", null) }.name)
            same("INVALID_ARGUMENT", refusal { WalletCore.init(document, null, "org.example", null) }.name)
        },
        "a text with a NUL starts no wallet" to {
            WalletCore.initPlatformSupport(phone, Platform.ANDROID)
            for (position in 0..2) {
                val texts = arrayOf("1.0.0", "org.example.tests", "$directory/other")
                texts[position] += "\u0000"
                val problem = runCatching { WalletCore.init(document, texts[0], texts[1], texts[2]) }
                same(true, problem.exceptionOrNull() is IllegalArgumentException)
                same(false, WalletCore.isInitialized())
            }
        },
        "the wallet starts, and releases a platform that was replaced before" to {
            val former = handOver()
            WalletCore.initPlatformSupport(phone, Platform.ANDROID)
            WalletCore.init(document, "1.0.0", "org.example.tests", null)
            same(true, WalletCore.isInitialized())
            awaitEndOf(former)
        },
        "a client refuses null too" to {
            Client("nulls", false).use { client ->
                same("INVALID_ARGUMENT", refusal { Client(null, false) }.name)
                same("INVALID_ARGUMENT", refusal { client.choose(1, null, null) }.name)
                same("PIN_REFUSED", refusal { client.register(null) }.name)
                same("INVALID_ARGUMENT", refusal { client.chooseScanned(1, 1, null) }.name)
                same("INVALID_ARGUMENT", refusal { client.chooseOption(1, -1) }.name)
                same("INVALID_ARGUMENT", refusal { client.decideReplacement(null, 1, pin("471108")) }.name)
                same("PIN_REFUSED", refusal { client.decideReplacement("s", 1, null) }.name)
                fun present(cards: Array<String?>?, paths: Array<Array<String?>?>?) =
                    refusal { client.present(cards, paths, "n", "a", pin("471108")) }.name
                same("INVALID_ARGUMENT", refusal { client.present(null, null, null, null, null) }.name)
                same("INVALID_ARGUMENT", present(null, null))
                same("INVALID_ARGUMENT", present(arrayOf(null), null))
                same("INVALID_ARGUMENT", present(arrayOf("pid"), arrayOf(arrayOf(null))))
                same("INVALID_ARGUMENT", present(arrayOf("pid"), arrayOf(Array(65) { "[$it]" })))
                same("INVALID_ARGUMENT", present(Array(17) { "pid" }, null))
                same("UNKNOWN_CALL", Testing.statusName(WalletCore.reply(1, Platform.OK, null, null)))
            }
        },
        "a text arrives unchanged, and one with a NUL is refused" to {
            Client("\uD83D\uDE00 é", false).use {
                same("BUSY", refusal { Client("\uD83D\uDE00 é", false) }.name)
                Client("?? é", false).close()
            }
            Client("texts", false).use { client ->
                val nul = "a\u0000b"
                for (work in listOf<() -> Unit>(
                    { Client(nul, false) },
                    { client.openApp(1, nul) },
                    { client.choose(1, nul, pin("471108")) },
                    { client.decideReplacement(nul, 1, pin("471108")) },
                    { client.present(arrayOf(nul), arrayOf(arrayOf("b", nul)), nul, nul, pin("471108")) },
                    { client.present(arrayOf("pid"), arrayOf(arrayOf("b", nul)), "n", "a", pin("471108")) },
                    { WalletCore.init(document, nul, nul, nul) },
                    { WalletCore.reply(1, Platform.OK, null, nul) },
                )) same(true, runCatching(work).exceptionOrNull() is IllegalArgumentException)
            }
        },
        "a request suspends until its completion; a failure is thrown" to {
            val engine = Engine()
            val unknown = refusal { engine.events.completion { unlock(pin("471108")) } }
            same("NOT_REGISTERED", unknown.name)
            same(2, unknown.category)
            same(false, unknown.message.isNullOrEmpty())
            same(null, engine.events.completion { register(pin("471108")) }.error)
            same(2, engine.events.completion { unlock(pin("471109")) }.pinOutcome)
            same(1, engine.events.completion { unlock(pin("471108")) }.pinOutcome)
            same(false, WalletCore.isLocked())
            same("INVALID_ARGUMENT", refusal { engine.client.decideReplacement("s", 3, pin("471108")) }.name)
            for (decision in listOf(Client.REFUSE, Client.ALLOW)) {
                // Nobody waits, so the PIN is right and nothing is decided.
                val decided = engine.events.completion { decideReplacement("s", decision, pin("471108")) }
                same(1, decided.pinOutcome)
                same("", decided.replacementSession)
                same(0L, decided.replacementTakesEffectInMs)
            }
            engine.collecting.cancelAndJoin()
        },
        "an error has the library's status, category, message and data" to {
            Client("errors", false).use { client ->
                val stale = refusal { client.choose(1, "next", null) }
                same("STALE_STEP", stale.name)
                same("STALE_STEP", Testing.statusName(stale.status))
                same(2, stale.category)
                same(false, stale.message.isNullOrEmpty())
                same("{}", stale.data)
            }
        },
        "every event is freed: a client is never refused for keeping too many" to {
            Client("many", false).use { client ->
                repeat(1_100) {
                    val request = client.disableBiometricUnlock()
                    while (client.nextEvent(-1)?.request != request) continue
                }
            }
        },
        "every call of a closed client is refused" to {
            val client = Client("closed", false).apply { close() }
            for (work in listOf<() -> Unit>(
                { client.nextEvent(0) },
                { client.openApp(1, null) },
                { client.choose(1, "next", null) },
                { client.disableBiometricUnlock() },
                { client.close() },
            )) same("CLIENT_DETACHED", refusal(work).name)
            Client("closed", false).close() // the name is free
        },
        "a PIN is wiped, whether it is accepted or refused" to {
            Client("pins", false).use { client ->
                val accepted = pin("471108").also { client.unlock(it) }
                val refused = pin("123456").also { refusal { client.register(it) } }
                val stale = pin("471108").also { refusal { client.choose(1, "enter", it) } }
                val former = pin("471108")
                val fresh = pin("111111").also { refusal { client.changePin(former, it) } }
                val deciding = pin("471108").also { refusal { client.decideReplacement("", 1, it) } }
                for (pin in listOf(accepted, refused, stale, former, fresh, deciding)) {
                    same(true, pin.all { it == 0.toByte() })
                }
            }
        },
        "the bytes of a reply are wiped, and an event has no user data for a log" to {
            val secret = pin("471108").also { WalletCore.reply(1, Platform.OK, it, null) }
            same(true, secret.all { it == 0.toByte() })
            val engine = Engine()
            same("Event of kind 2", engine.await { it.kind == Event.LOCK_STATE }.toString())
            engine.collecting.cancelAndJoin()
        },
        "a damaged key file is named" to {
            val damaged = File(directory, "damaged").apply { mkdirs() }
            File(damaged, "keys.p12").writeText("no keys")
            val problem = runCatching { KeyFile(damaged) }.exceptionOrNull()
            same(true, problem is IOException && "keys.p12" in problem.message!!)
        },
        "the flow ends when another engine takes over" to {
            val old = Engine()
            val fresh = Engine()
            old.collecting.join()
            same("CLIENT_DETACHED", refusal { old.client.unlock(pin("471108")) }.name)
            fresh.collecting.cancelAndJoin()
        },
        "a collector that stops detaches the client" to {
            val engine = Engine()
            engine.await { it.kind == Event.LOCK_STATE }
            engine.collecting.cancelAndJoin()
            same("CLIENT_DETACHED", refusal { engine.client.nextEvent(0) }.name)
            engine.client.detach() // once more does no harm
            Client("app", false).close() // the name is free
        },
        "a slow collector gets only the last lock states" to {
            val client = Client("app", true)
            val paused = CompletableDeferred<Unit>()
            val resumed = CompletableDeferred<Unit>()
            val taken = Channel<Event>(Channel.UNLIMITED)
            val collecting = scope.launch {
                Events(client).flow.collect {
                    paused.complete(Unit)
                    resumed.await()
                    taken.send(it)
                }
            }
            paused.await()
            repeat(3) {
                client.unlock(pin("471108"))
                while (WalletCore.isLocked()) delay(1)
                WalletCore.lock()
            }
            val last = client.disableBiometricUnlock()
            resumed.complete(Unit)
            val seen = mutableListOf<Event>()
            do seen += taken.receive() while (seen.last().request != last)
            // One had already been taken when the collector paused.
            same(true, seen.count { it.kind == Event.LOCK_STATE } <= 2)
            same(true, seen.last { it.kind == Event.LOCK_STATE }.isLocked)
            collecting.cancelAndJoin()
        },
        "a second collector fails, and the first goes on" to {
            val engine = Engine()
            engine.await { it.kind == Event.LOCK_STATE }
            val problem = runCatching { engine.events.flow.first() }.exceptionOrNull()
            same("the events of a client are collected once", problem?.message)
            same(1, engine.events.completion { unlock(pin("471108")) }.pinOutcome)
            engine.collecting.cancelAndJoin()
        },
        "the end of a client fails its waiting requests" to {
            val engine = Engine()
            engine.await { it.kind == Event.LOCK_STATE }
            val asked = forgetToSign()
            val waiting = scope.async { refusal { engine.events.completion { unlock(pin("471108")) } } }
            asked.await()
            val next = Engine()
            same("CLIENT_DETACHED", waiting.await().name)
            signAgain()
            next.collecting.cancelAndJoin()
        },
        "cancelling the coroutine cancels the request" to {
            val engine = Engine()
            val asked = forgetToSign()
            val waiting = scope.launch { engine.events.completion { unlock(pin("471108")) } }
            asked.await()
            waiting.cancelAndJoin()
            same("CANCELLED", engine.await { it.kind == Event.COMPLETION }.error?.name)
            signAgain()
            engine.collecting.cancelAndJoin()
        },
        "an exception of a platform fails the request, and only its class is reported" to {
            val engine = Engine()
            phone.beforeSign = { throw IllegalStateException("471108") }
            val problem = refusal { engine.events.completion { unlock(pin("471108")) } }
            phone.beforeSign = {}
            same("BRIDGE_FAILED", problem.name)
            same(true, "java.lang.IllegalStateException" in problem.message!!)
            same(false, "471108" in problem.message!! + problem.data)
            engine.collecting.cancelAndJoin()
        },
        "a platform is called on daemon threads with the library's names" to {
            val engine = Engine()
            var thread: Thread? = null
            phone.beforeSign = { thread = Thread.currentThread() }
            engine.events.completion { unlock(pin("471108")) }
            phone.beforeSign = {}
            same("wallet_core.br", thread?.name)
            same(true, thread?.isDaemon)
            engine.collecting.cancelAndJoin()
        },
        "the coroutine library is complete: a channel ends with the cause that it was given" to {
            val channel = Channel<Unit>()
            channel.close(IOException("over"))
            same("over", runCatching { channel.iterator().hasNext() }.exceptionOrNull()?.message)
        },
        "a platform that was replaced is released" to {
            val former = handOver()
            WalletCore.initPlatformSupport(phone, Platform.ANDROID)
            awaitEndOf(former)
        },
    )
}

/** The tests' deadline in milliseconds: run.sh has it. */
private val PATIENCE = System.getProperty("test.patience").toLong()

fun main(arguments: Array<String>) {
    var failures = 0
    val directory = File(arguments[1])
    val tests = BindingTests(File(arguments[0]), directory).all + PlatformTests(directory).all
    for ((name, test) in tests) {
        try {
            runBlocking { withTimeout(PATIENCE) { test() } }
            println("ok - $name")
        } catch (problem: Throwable) {
            println("not ok - $name")
            problem.stackTraceToString().lines().forEach { println("#   $it") }
            failures++
        }
    }
    exitProcess(if (failures == 0) 0 else 1)
}
