import java.nio.file.Files
import kotlin.system.exitProcess
import org.example.okhttpstack.OkHttpStack
import org.example.walletcore.WalletCore

/** Functions of the library for tests: check_jni.c. */
object Check {
    @JvmStatic external fun configuration(): ByteArray
    @JvmStatic external fun serve(directory: String): Int
}

/** The host of `make check-http-bridge`: carries out the requests of the check by OkHttpStack. */
fun main() {
    WalletCore.setHttpStack(OkHttpStack())
    val storage = Files.createTempDirectory("http-check").toFile()
    WalletCore.init(Check.configuration(), "1.0.0", "org.example.check", storage.path)
    val status = Check.serve(System.getenv("WALLET_CORE_HTTP_CHECK"))
    storage.deleteRecursively()
    exitProcess(if (status == 0) 0 else 1)
}
