import kotlinx.coroutines.runBlocking
import org.example.walletcore.Client
import org.example.walletcore.Platform
import org.example.walletcore.WalletCore
import org.example.walletcore.WalletCoreException
import org.example.walletcore.detach

/** Makes the mistakes of Tests/Hosts/README.md. */
class Mistakes(private val player: Player) {
    private val phone = player.phone

    /** Makes a mistake. Returns the members of the answer if nothing is thrown. */
    fun make(name: String): Map<String, String> {
        when (name) {
            "attach-before-init", "attach-twice" -> Client("app", false)
            "bridge-without-sign" -> Testing.bridgeWithoutSign()
            "short-struct" -> Testing.shortStruct()
            "empty-configuration" -> WalletCore.init(byteArrayOf(), "1.0.0", "org.example.phone", null)
            "never-detach" -> neverDetach()
            "use-after-detach" -> Client("gone", false).apply { close() }.nextEvent(0)
            "never-take" -> Client("idle", false).use { idle -> repeat(65) { idle.wipe() } }
            "never-free" -> Client("leak", false).use { leak -> Testing.neverFree(leak) }
            "reply-twice" -> return mapOf("status" to quoted(Testing.statusName(replyTwice())))
            "never-reply" -> phone.insteadOfSigning = { say("unanswered", quoted("sign")) }
            "wait-in-callback" -> waitInCallback()
            "detach-in-callback" -> Client("push", false).use { push -> Testing.detachInCallback(push) }
            "choose-without-step" -> player.app().choose(1, "next", null)
            else -> error("no such mistake: $name")
        }
        return emptyMap()
    }

    private fun neverDetach() {
        val clients = mutableListOf<Client>()
        try {
            while (true) clients += Client("client-${clients.size}", false)
        } finally {
            clients.forEach(Client::detach)
        }
    }

    private fun replyTwice(): Int {
        var status = 0
        phone.afterPublicKey = { call ->
            status = WalletCore.reply(call, Platform.OK, byteArrayOf(0), null)
            phone.afterPublicKey = {}
        }
        register()
        return status
    }

    private fun waitInCallback() {
        var problem: WalletCoreException? = null
        phone.beforePublicKey = {
            problem = runCatching { player.app().nextEvent(0) }.exceptionOrNull() as? WalletCoreException
            phone.beforePublicKey = {}
        }
        register()
        problem?.let { throw it }
    }

    /** Makes the library ask the platform for a key, and waits until the request has ended. */
    private fun register() {
        runBlocking {
            runCatching { player.events.completion { register("471108".toByteArray()) } }
        }
    }
}
