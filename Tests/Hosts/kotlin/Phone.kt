import java.io.File
import javax.crypto.Cipher
import org.example.softwarekeys.BiometricPrompt
import org.example.softwarekeys.SoftwarePlatform
import org.example.walletcore.Platform
import org.example.walletcore.WalletCore

/** A phone that a test controls: its sensor and the answers of its platform. */
class Phone(directory: File, private val sensor: Sensor) : SoftwarePlatform(directory, sensor) {
    @Volatile var biometrics = 2
    @Volatile var camera = 1
    @Volatile var isSecure = true
    @Volatile var isOnline = true
    @Volatile var hasKeyStore = true

    /* For mistakes. */
    @Volatile var insteadOfSigning: (() -> Unit)? = null
    @Volatile var beforePublicKey: () -> Unit = {}
    @Volatile var afterPublicKey: (call: Long) -> Unit = {}
    @Volatile var beforeSign: () -> Unit = {}

    fun loseKeys() = synchronized(keys) { keys.deleteAll() }

    /** Answers the prompt with a word of the scenarios. Returns false if there is no prompt. */
    fun finger(word: String, times: Int): Boolean {
        val status = checkNotNull(STATUSES[word.removePrefix("late-")]) { "no such word" }
        val prompt = sensor.take(isLate = word.startsWith("late-")) ?: return false
        if (status == Platform.KEY_INVALIDATED || status == Platform.KEY_MISSING) {
            synchronized(keys) { keys.delete("encryption-${prompted.remove(prompt.call)}") }
        }
        prompt.done(status, times)
        return true
    }

    private val prompted = HashMap<Long, String>()

    override fun publicKey(call: Long, name: String) = ifUsable(call) {
        beforePublicKey()
        super.publicKey(call, name)
        afterPublicKey(call)
    }

    override fun sign(call: Long, name: String, payload: ByteArray) = ifUsable(call) {
        beforeSign()
        insteadOfSigning?.invoke() ?: super.sign(call, name, payload)
    }

    override fun deleteSigningKey(call: Long, name: String) =
        ifUsable(call) { super.deleteSigningKey(call, name) }

    override fun encrypt(call: Long, name: String, protection: Int, plaintext: ByteArray) = ifUsable(call) {
        if (protection == Platform.PROTECTION_BIOMETRIC) prompted[call] = name
        super.encrypt(call, name, protection, plaintext)
    }

    override fun decrypt(call: Long, name: String, protection: Int, ciphertext: ByteArray) = ifUsable(call) {
        if (protection == Platform.PROTECTION_BIOMETRIC) prompted[call] = name
        super.decrypt(call, name, protection, ciphertext)
    }

    override fun deleteEncryptionKey(call: Long, name: String) =
        ifUsable(call) { super.deleteEncryptionKey(call, name) }

    override fun biometricsAvailable(call: Long) = answer(call) { byteArrayOf(biometrics.toByte()) }
    override fun deviceSecure(call: Long) = answer(call) { byteArrayOf(if (isSecure) 1 else 0) }
    override fun internetReachable(call: Long) = answer(call) { byteArrayOf(if (isOnline) 1 else 0) }
    override fun cameraState(call: Long) = answer(call) { byteArrayOf(camera.toByte()) }

    private fun ifUsable(call: Long, work: () -> Unit) {
        if (hasKeyStore) work() else WalletCore.reply(call, Platform.UNAVAILABLE, null, null)
    }

    private companion object {
        val STATUSES = mapOf(
            "recognised" to Platform.OK,
            "not-recognised" to Platform.NOT_RECOGNISED,
            "cancelled" to Platform.CANCELLED_BY_USER,
            "locked-out" to Platform.LOCKED_OUT,
            "locked-out-permanently" to Platform.LOCKED_OUT_FOR_GOOD,
            "not-enrolled" to Platform.NOT_ENROLLED,
            "invalidated" to Platform.KEY_INVALIDATED,
            "missing" to Platform.KEY_MISSING,
            "unavailable" to Platform.UNAVAILABLE,
            "host-error" to Platform.FAILED,
        )
    }
}

/** The fingerprint sensor. Calls [tell] when its prompt opens or closes. */
class Sensor(private val tell: (isOpen: Boolean) -> Unit) : BiometricPrompt {
    class Prompt(val call: Long, val done: (status: Int, times: Int) -> Unit)

    private var open: Prompt? = null
    private var cancelled: Prompt? = null

    @Synchronized override fun show(call: Long, cipher: Cipher, done: (status: Int, times: Int) -> Unit) {
        open = Prompt(call, done)
        tell(true)
    }

    @Synchronized override fun close(call: Long) {
        if (open?.call == call) cancelled = leave()
    }

    @Synchronized fun take(isLate: Boolean): Prompt? =
        if (isLate) cancelled.also { cancelled = null } else leave()

    private fun leave(): Prompt? = open?.also {
        open = null
        tell(false)
    }
}
