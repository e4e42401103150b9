// SPDX-License-Identifier: Apache-2.0
import java.io.File
import java.nio.file.Files
import kotlin.system.exitProcess
import kotlinx.coroutines.flow.takeWhile
import kotlinx.coroutines.runBlocking
import org.example.walletcore.Client
import org.example.walletcore.Event
import org.example.walletcore.Events
import org.example.walletcore.WalletCore
import org.example.walletcore.WalletCoreException

/** Prints the first events of the library: configuration, lock state and version state. */
fun main(arguments: Array<String>) {
    val file = File(arguments.firstOrNull() ?: "configuration.json")
    if (!file.canRead()) {
        System.err.println("$file: no such file; `wallet-provider client-configuration` prints one")
        exitProcess(1)
    }
    try {
        if (!WalletCore.isInitialized()) {
            val storage = Files.createTempDirectory("first") // an app: context.noBackupFilesDir
            WalletCore.init(file.readBytes(), "1.0.0", "org.example.first", storage.toString())
        }
        runBlocking {
            val missing = mutableSetOf(Event.CONFIGURATION, Event.LOCK_STATE, Event.VERSION_STATE)
            Events(Client("app", true)).flow.takeWhile { event ->
                println(event.json)
                missing -= event.kind
                missing.isNotEmpty()
            }.collect {} // the client is detached when collecting stops
        }
    } catch (error: WalletCoreException) {
        System.err.println("${error.name}: ${error.message}")
        exitProcess(1)
    }
}
