import java.io.File
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import javax.crypto.Cipher
import kotlin.concurrent.thread
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import org.example.softwarekeys.BiometricPrompt
import org.example.softwarekeys.SoftwarePlatform
import org.example.walletcore.Event
import org.example.walletcore.Platform
import org.example.walletcore.WalletCore

/** Tests the example's platform when a cancel comes early or a call fails. */
class PlatformTests(private val directory: File) {
    private val scope = CoroutineScope(Dispatchers.Default)

    val all: Map<String, suspend () -> Unit> = linkedMapOf(
        "a prompt whose call was cancelled before it could open does not open" to {
            val opened = AtomicInteger()
            val platform = BusyPlatform(directory, Sensor { isOpen -> if (isOpen) opened.incrementAndGet() })
            WalletCore.initPlatformSupport(platform, Platform.ANDROID)
            val engine = Engine(scope)
            val waiting = scope.launch {
                engine.events.completion { enableBiometricUnlock(pin("471108")) }
            }
            val asked = platform.asked.await()
            while (asked.state != Thread.State.BLOCKED) delay(1)
            waiting.cancelAndJoin()
            val plaintext = platform.returned.await()
            same(0, opened.get())
            same(true, plaintext.isWiped)
            same("CANCELLED", engine.await { it.kind == Event.COMPLETION }.error?.name)
            engine.collecting.cancelAndJoin()
        },
        "the plaintext is wiped if encryption fails" to {
            val secrets = List(3) { pin("471108") }
            val keys = File(directory, "wiped").apply { mkdirs() }
            SoftwarePlatform(keys).decrypt(1, "missing", Platform.PROTECTION_NONE, secrets[0])
            SoftwarePlatform(keys).encrypt(1, "no prompt", Platform.PROTECTION_BIOMETRIC, secrets[1])
            SoftwarePlatform(keys, NoWindow).encrypt(1, "no window", Platform.PROTECTION_BIOMETRIC, secrets[2])
            same(listOf(true, true, true), secrets.map { it.isWiped })
        },
    )
}

private val ByteArray.isWiped get() = all { it == 0.toByte() }

private object NoWindow : BiometricPrompt {
    override fun show(call: Long, cipher: Cipher, done: (status: Int, times: Int) -> Unit) = error("no window")
    override fun close(call: Long) {}
}

/** A platform whose key store is locked by another thread during `encrypt`, until the call is cancelled. */
private class BusyPlatform(directory: File, prompt: BiometricPrompt) : SoftwarePlatform(directory, prompt) {
    val asked = CompletableDeferred<Thread>()
    val returned = CompletableDeferred<ByteArray>()
    private val cancelled = CountDownLatch(1)

    override fun biometricsAvailable(call: Long) = answer(call) { byteArrayOf(2) }

    override fun encrypt(call: Long, name: String, protection: Int, plaintext: ByteArray) {
        val inUse = CountDownLatch(1)
        thread(isDaemon = true) {
            synchronized(keys) {
                inUse.countDown()
                cancelled.await()
            }
        }
        inUse.await()
        asked.complete(Thread.currentThread())
        super.encrypt(call, name, protection, plaintext)
        returned.complete(plaintext)
    }

    override fun cancel(call: Long) {
        super.cancel(call)
        cancelled.countDown()
    }
}
