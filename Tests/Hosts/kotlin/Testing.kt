import org.example.walletcore.Client

/** Functions of the library for tests, and mistakes that only C can make: player_jni.c. */
object Testing {
    init {
        System.loadLibrary("wallet_core_jni") // the player's library has the binding's functions and these
    }

    @JvmStatic external fun advanceClock(milliseconds: Long)
    @JvmStatic external fun stopClock()
    @JvmStatic external fun advanceCalendar(seconds: Long)
    @JvmStatic external fun setNetworkFault(fault: Int, count: Int)
    @JvmStatic external fun setCrashPoint(name: String)
    @JvmStatic external fun crashPointCount(name: String): Long

    @JvmStatic external fun bridgeWithoutSign()
    @JvmStatic external fun shortStruct()
    @JvmStatic external fun neverFree(client: Client)
    @JvmStatic external fun detachInCallback(client: Client)
    @JvmStatic external fun statusName(status: Int): String
}
