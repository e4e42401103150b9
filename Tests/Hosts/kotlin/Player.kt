import java.io.File
import java.io.FileDescriptor
import java.io.FileOutputStream
import java.io.PrintStream
import java.util.Base64
import kotlin.system.exitProcess
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.example.walletcore.Client
import org.example.walletcore.Event
import org.example.walletcore.Events
import org.example.walletcore.Platform
import org.example.walletcore.WalletCore
import org.example.walletcore.WalletCoreException
import org.example.walletcore.detach

/** Plays the instructions of Tests/Hosts/README.md with the Kotlin host. */
class Player(configuration: String, directory: String) {
    private val configuration = File(configuration).readBytes()
    private val sensor = Sensor { isOpen -> say("prompt", quoted(if (isOpen) "open" else "closed")) }
    private val scope = CoroutineScope(Dispatchers.Default)
    private var rules = Platform.ANDROID
    val phone = Phone(File(directory).apply { mkdirs() }, sensor)
    var client: Client? = null
        private set
    lateinit var events: Events
        private set

    /** Carries out an instruction. Returns the members of the answer besides the status OK. */
    private fun perform(words: List<String>): Map<String, String> {
        fun word(index: Int) = words[index]
        fun number(index: Int) = words[index].toLong()
        when (words[0]) {
            "platform" -> rules = if (word(1) == "ios") Platform.IOS else Platform.ANDROID
            "biometrics" -> phone.biometrics = BIOMETRICS.indexOf(word(1))
            "camera" -> phone.camera = CAMERA.indexOf(word(1))
            "device" -> phone.isSecure = word(1) == "secure"
            "keys" -> setKeys(word(1))
            "network" -> setNetwork(word(1), number(2).toInt())
            "clock" -> advanceClock(number(1))
            "stop-clock" -> Testing.stopClock()
            "calendar" -> Testing.advanceCalendar(number(1))
            "kill-at" -> Testing.setCrashPoint(word(1))
            "passes" -> return mapOf("passes" to Testing.crashPointCount(word(1)).toString())
            "start" -> start()
            "open" -> app().openApp(if (word(1) == "launch") 1 else 2, words.getOrNull(2))
            "lifecycle" -> WalletCore.notifyLifecycle(LIFECYCLE.indexOf(word(1)))
            "lock" -> WalletCore.lock()
            "rebind" -> bind()
            "choose" -> app().choose(number(1), word(2), null)
            "enter" -> app().choose(number(1), "enter", word(2).toByteArray())
            "scan" -> app().chooseScanned(number(1), number(2).toInt(), Base64.getDecoder().decode(word(3)))
            "choose-option" -> app().chooseOption(number(1), number(2))
            "finger" -> finger(word(1), words.getOrElse(2) { "1" }.toInt())
            "cards" -> return request { cards() }
            "activities" -> return request { activities() }
            "wipe" -> return request { wipe() }
            "register" -> return request { register(word(1).toByteArray()) }
            "unlock" -> return request { unlock(word(1).toByteArray()) }
            "present" -> return request {
                present(arrayOf(word(1)), arrayOf(paths(word(2))), word(3), word(4), word(5).toByteArray())
            }
            "locked" -> return value(WalletCore.isLocked())
            "registered" -> return value(WalletCore.hasRegistration())
            "biometric-unlock" -> return value(WalletCore.isBiometricUnlockEnabled())
            "stress" -> return stress(number(1).toInt(), word(2))
            "misuse" -> return Mistakes(this).make(word(1))
            else -> error("no such instruction: ${words[0]}")
        }
        return emptyMap()
    }

    fun app(): Client = checkNotNull(client) { "not started" }

    private fun request(ask: Client.() -> Long) = mapOf("request" to app().ask().toString())

    private fun value(truth: Boolean) = mapOf("value" to truth.toString())

    private fun paths(names: String) =
        if (names == "none") emptyArray() else names.split(",").map { "[\"$it\"]" }.toTypedArray()

    // --- the outside world ------------------------------------------------------------------------

    private fun setKeys(state: String) {
        phone.hasKeyStore = state != "unavailable"
        if (state == "lost") phone.loseKeys()
    }

    private fun setNetwork(fault: String, count: Int) {
        phone.isOnline = fault != "no-internet"
        Testing.setNetworkFault(FAULTS.indexOf(fault), count)
    }

    private fun finger(word: String, times: Int) = check(phone.finger(word, times)) { "no prompt is open" }

    private fun advanceClock(milliseconds: Long) {
        Testing.advanceClock(milliseconds)
        if (WalletCore.isInitialized()) WalletCore.isLocked() // any call makes the library do what is due
    }

    // --- the app ----------------------------------------------------------------------------------

    private fun start() {
        WalletCore.initPlatformSupport(phone, rules)
        WalletCore.init(configuration, "1.0.0", "org.example.phone", null)
        bind()
    }

    /** Lets a new engine take over, which ends the old one's flow. Returns its first event. */
    private fun bind(): CompletableDeferred<Event> {
        val first = CompletableDeferred<Event>()
        val fresh = Client("app", true)
        client = fresh
        events = Events(fresh)
        val flow = events.flow
        scope.launch {
            flow.collect { event ->
                say("event", event.json)
                first.complete(event)
            }
        }
        return first
    }

    private fun stress(rounds: Int, digits: String): Map<String, String> {
        repeat(rounds) {
            val first = bind()
            runBlocking { first.await() }
            app().unlock(digits.toByteArray())
        }
        bind() // leaves the last unlock behind as well
        return mapOf("rounds" to rounds.toString())
    }

    // --- input and output -------------------------------------------------------------------------

    private fun answerTo(words: List<String>): Map<String, String> = try {
        mapOf("status" to quoted("OK")) + perform(words)
    } catch (error: WalletCoreException) {
        mapOf("status" to quoted(error.name), "message" to quoted(error.message.orEmpty()))
    } catch (problem: Exception) {
        mapOf("status" to quoted("FAILED"), "message" to quoted(problem.toString()))
    }

    fun play() {
        val lines = System.`in`.bufferedReader(Charsets.UTF_8)
        while (true) {
            val words = (lines.readLine() ?: break).split(" ").filter(String::isNotEmpty)
            if (words.isEmpty()) continue
            if (words == listOf("quit")) break
            val members = answerTo(words).map { (name, json) -> "${quoted(name)}:$json" }
            say("answer", members.joinToString(",", "{", "}"))
        }
        client?.detach()
    }
}

/* The words of instructions; the index of each is its number in wallet_core.h. */
private val BIOMETRICS = listOf("none", "any", "fingerprint", "face")
private val CAMERA = listOf("missing", "usable", "denied")
private val LIFECYCLE = listOf("", "foreground", "background", "activity")
private val FAULTS = listOf("ok", "no-internet", "refused", "answer-lost")

private val output = PrintStream(FileOutputStream(FileDescriptor.out), true, Charsets.UTF_8)

/** Writes one whole line at once, because events come on other threads. */
fun say(member: String, json: String) = synchronized(output) {
    output.println("{${quoted(member)}:$json}")
}

/** Quotes a text as a JSON string. */
fun quoted(text: String): String = buildString {
    append('"')
    for (character in text) {
        when {
            character == '"' || character == '\\' -> append('\\').append(character)
            character < ' ' -> append("\\u%04x".format(character.code))
            else -> append(character)
        }
    }
    append('"')
}

fun main(arguments: Array<String>) {
    if (arguments.size != 2) {
        System.err.println("usage: player CONFIGURATION_FILE STATE_DIRECTORY")
        exitProcess(2)
    }
    Player(arguments[0], arguments[1]).play()
    exitProcess(0)
}
