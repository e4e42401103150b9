import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import org.example.walletcore.Client
import org.example.walletcore.Event
import org.example.walletcore.Events
import org.example.walletcore.WalletCoreException

/** The client of an engine that takes over, and its events as they come. */
class Engine(scope: CoroutineScope) {
    val client = Client("app", true)
    val events = Events(client)
    private val taken = Channel<Event>(Channel.UNLIMITED)
    val collecting = scope.launch { events.flow.collect { taken.send(it) } }

    suspend fun await(isIt: (Event) -> Boolean): Event {
        while (true) taken.receive().let { if (isIt(it)) return it }
    }
}

fun pin(digits: String) = digits.toByteArray()

fun same(wanted: Any?, found: Any?) = check(wanted == found) { "wanted $wanted, found $found" }

inline fun refusal(work: () -> Unit): WalletCoreException = try {
    work()
    error("nothing was thrown")
} catch (refusal: WalletCoreException) {
    refusal
}
