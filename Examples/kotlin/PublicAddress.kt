// SPDX-License-Identifier: Apache-2.0
package org.example.okhttpstack

import java.net.InetAddress

/**
 * Whether the address is of the public internet, by the registries of special addresses (RFC 6890 and its
 * successors at IANA). An IPv6 address that leads to an IPv4 one is judged by that.
 */
fun InetAddress.isPublic(): Boolean {
    val inner = inner()
    return when {
        inner != null -> inner.isPublic()
        address.size == 4 -> SPECIAL_4.none { it.contains(address) }
        else -> GLOBAL_6.contains(address) && SPECIAL_6.none { it.contains(address) }
    }
}

/** Whether it is an address of this device. */
fun InetAddress.isThisDevice(): Boolean = inner()?.isLoopbackAddress ?: isLoopbackAddress

/** The IPv4 address in an IPv6 one that is translated (RFC 6052) or of 6to4. The JDK unpacks mapped ones. */
private fun InetAddress.inner(): InetAddress? = when {
    TRANSLATED.contains(address) -> InetAddress.getByAddress(address.copyOfRange(12, 16))
    SIX_TO_FOUR.contains(address) -> InetAddress.getByAddress(address.copyOfRange(2, 6))
    else -> null
}

/** The addresses that begin with the first [length] bits of [start]. */
private class Block(private val start: ByteArray, private val length: Int) {
    fun contains(address: ByteArray) = address.size == start.size &&
        (0 until length).all { bit -> address.bit(bit) == start.bit(bit) }

    private fun ByteArray.bit(index: Int) = this[index / 8].toInt() shr (7 - index % 8) and 1
}

/** Reads "10.0.0.0/8". An address in digits is never looked up. */
private fun block(text: String) =
    Block(InetAddress.getByName(text.substringBefore('/')).address, text.substringAfter('/').toInt())

private val SPECIAL_4 = listOf(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
).map(::block)
private val GLOBAL_6 = block("2000::/3")
/** Those in 2000::/3: protocol assignments, documentation. */
private val SPECIAL_6 = listOf("2001::/23", "2001:db8::/32", "3fff::/20").map(::block)
private val TRANSLATED = block("64:ff9b::/96")
private val SIX_TO_FOUR = block("2002::/16")
