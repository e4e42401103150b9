// SPDX-License-Identifier: Apache-2.0
import java.io.File
import kotlin.system.exitProcess
import kotlinx.serialization.json.*
import org.example.softwarekeys.SoftwarePlatform
import org.example.walletcore.*

private fun JsonObject.text(name: String) = getValue(name).jsonPrimitive.content
private fun JsonObject.list(name: String) = get(name)?.jsonArray ?: JsonArray(emptyList())

/** Draws a step; passes on "next", "enter 471108" or "scanned code.txt". True if that was refused. */
private fun show(client: Client, event: Event, step: JsonObject): Boolean {
    println("\n== ${step.text("title")}\n${step.text("message")}")
    for (notice in step.list("notices")) println("! ${notice.jsonPrimitive.content}")
    for (action in step.list("actions").map { it.jsonObject }) {
        println("  ${action.text("name").padEnd(22)} ${action.text("label")}")
    }
    if (step.list("actions").isEmpty()) return false // it ends by itself
    print("> ")
    val line = readlnOrNull() ?: exitProcess(0)
    val (action, input) = line.substringBefore(' ') to line.substringAfter(' ', "")
    try {
        if (action == "scanned") { // the bytes that a camera would read, here from a file
            val symbol = if (event.stepName == "scan-licence") Client.PDF417 else Client.QR_CODE
            client.chooseScanned(event.stepSerial, symbol, File(input).readBytes())
        } else {
            client.choose(event.stepSerial, action, input.toByteArray().takeIf { input.isNotEmpty() })
        }
        return false
    } catch (refused: Exception) {
        System.err.println(refused) // also tells of a file that is missing
        return (refused as? WalletCoreException)?.name != "STALE_STEP"
    }
}

private fun showClaims(claims: JsonObject, path: String = "") {
    for ((name, value) in claims.toSortedMap()) {
        if (value is JsonObject) showClaims(value, "$path$name.")
        else println("$path$name: ${value.jsonPrimitive.content}")
    }
}

private fun run() {
    WalletCore.initPlatformSupport(SoftwarePlatform(File("state").apply { mkdir() }), Platform.ANDROID)
    WalletCore.init(File("configuration.json").readBytes(), "1.0.0", "org.example.first", null)
    val client = Client("app", false)
    client.openApp(1, null)
    while (true) {
        val event = client.nextEvent(-1) ?: continue
        val content = Json.parseToJsonElement(event.json).jsonObject
        event.error?.let { throw it }
        for (card in content.list("cards")) showClaims(card.jsonObject.getValue("claims").jsonObject)
        if (event.kind == Event.COMPLETION) return // an exit is safe at any time
        if (event.kind != Event.STEP) continue
        val hasPid = content.getValue("arguments").jsonObject["has_pid"]?.jsonPrimitive?.boolean
        if (hasPid == true) client.cards() // the dashboard: the card comes with another event
        else while (show(client, event, content)) continue
        if (content.text("step_kind") == "end") return
    }
}

fun main() = try {
    run()
} catch (error: Exception) {
    System.err.println(error)
    exitProcess(1)
}
