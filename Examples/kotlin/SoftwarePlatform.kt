// SPDX-License-Identifier: Apache-2.0
package org.example.softwarekeys

import java.io.File
import java.security.KeyFactory
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.security.spec.PKCS8EncodedKeySpec
import javax.crypto.AEADBadTagException
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import javax.crypto.spec.SecretKeySpec
import org.example.walletcore.Platform
import org.example.walletcore.Platform.*
import org.example.walletcore.WalletCore

/** Asks the user for a finger or a face before a cipher is used, like the class of androidx.biometric. */
interface BiometricPrompt {
    /** Calls [done] once, on any thread, with OK or the reason; for NOT_RECOGNISED with the count. */
    fun show(call: Long, cipher: Cipher, done: (status: Int, times: Int) -> Unit)

    /** The library no longer waits for the call. */
    fun close(call: Long)
}

/** A platform with P-256 and AES-GCM keys of the JCA: a phone with a lock, a camera and internet. */
open class SoftwarePlatform(
    private val directory: File, private val prompt: BiometricPrompt? = null,
) : Platform {
    protected val keys = KeyFile(directory)

    /** Calls whose prompt has not opened yet: a cancel can come before that, on another thread. */
    private val unopened = HashSet<Long>()

    /** The latest calls that were cancelled before they came here. */
    private val early = ArrayDeque<Long>()

    override fun publicKey(call: Long, name: String) = answer(call) {
        (keys["public-$name"] ?: makeSigningKey(name)).encoded // a SubjectPublicKeyInfo
    }

    private fun makeSigningKey(name: String): SecretKeySpec {
        val curve = ECGenParameterSpec("secp256r1")
        val pair = KeyPairGenerator.getInstance("EC").apply { initialize(curve) }.generateKeyPair()
        keys["signing-$name"] = SecretKeySpec(pair.private.encoded, "EC")
        return SecretKeySpec(pair.public.encoded, "EC").also { keys["public-$name"] = it }
    }

    override fun sign(call: Long, name: String, payload: ByteArray) = answer(call) {
        val stored = keys["signing-$name"] ?: throw Refusal(KEY_MISSING)
        val key = KeyFactory.getInstance("EC").generatePrivate(PKCS8EncodedKeySpec(stored.encoded))
        Signature.getInstance("SHA256withECDSA").run { // in DER
            initSign(key)
            update(payload)
            sign()
        }
    }

    override fun deleteSigningKey(call: Long, name: String) = answer(call) {
        keys.delete("public-$name")
        keys.delete("signing-$name")
        null
    }

    override fun encrypt(call: Long, name: String, protection: Int, plaintext: ByteArray) {
        prepare(call, protection, plaintext, {
            val key = keys["encryption-$name"] ?: makeEncryptionKey(name)
            Cipher.getInstance("AES/GCM/NoPadding").apply { init(Cipher.ENCRYPT_MODE, key) }
        }) { cipher -> cipher.iv + cipher.doFinal(plaintext) }
    }

    private fun makeEncryptionKey(name: String): SecretKey {
        val key = KeyGenerator.getInstance("AES").apply { init(256) }.generateKey()
        return key.also { keys["encryption-$name"] = it }
    }

    override fun decrypt(call: Long, name: String, protection: Int, ciphertext: ByteArray) {
        prepare(call, protection, ciphertext, {
            val key = keys["encryption-$name"] ?: throw Refusal(KEY_MISSING)
            if (ciphertext.size < IV_BYTES) throw Refusal(KEY_INVALIDATED)
            val parameters = GCMParameterSpec(128, ciphertext, 0, IV_BYTES)
            Cipher.getInstance("AES/GCM/NoPadding").apply { init(Cipher.DECRYPT_MODE, key, parameters) }
        }) { cipher -> cipher.doFinal(ciphertext, IV_BYTES, ciphertext.size - IV_BYTES) }
    }

    override fun deleteEncryptionKey(call: Long, name: String) = answer(call) {
        keys.delete("encryption-$name")
        null
    }

    override fun storagePath(call: Long) = answer(call) {
        File(directory, "storage").apply { mkdir() }.absolutePath.toByteArray()
    }

    /** Comes on another thread, also before the call that it cancels. */
    override fun cancel(call: Long) {
        synchronized(unopened) {
            if (!unopened.remove(call)) early.addLast(call)
            if (early.size > 64) early.removeFirst()
        }
        prompt?.close(call)
    }

    override fun biometricsAvailable(call: Long) = answer(call) { byteArrayOf(0) }
    override fun deviceSecure(call: Long) = answer(call) { byteArrayOf(1) }
    override fun internetReachable(call: Long) = answer(call) { byteArrayOf(1) }
    override fun cameraState(call: Long) = answer(call) { byteArrayOf(1) }

    /**
     * Makes the cipher, asks the user if the key requires it, and replies with what [use] returns. Wipes
     * the [input] in any case.
     */
    private fun prepare(
        call: Long, protection: Int, input: ByteArray, make: () -> Cipher, use: (Cipher) -> ByteArray,
    ) = guard(call) {
        synchronized(unopened) { if (!early.remove(call)) unopened += call }
        try {
            val cipher = synchronized(keys) { make() }
            val done = { status: Int, times: Int ->
                val count = byteArrayOf(times.toByte()).takeIf { status == NOT_RECOGNISED }
                if (status == OK) answer(call) { use(cipher) } else WalletCore.reply(call, status, count, null)
                input.fill(0)
            }
            if (protection == PROTECTION_NONE) done(OK, 0) else open(call, cipher, done)
        } catch (failure: Throwable) {
            input.fill(0)
            throw failure
        } finally {
            synchronized(unopened) { unopened -= call }
        }
    }

    /** Opens the prompt under the lock: a cancel is either seen here, or comes later and closes the prompt. */
    private fun open(call: Long, cipher: Cipher, done: (Int, Int) -> Unit) = synchronized(unopened) {
        if (call !in unopened) throw Refusal(UNAVAILABLE) // cancelled: the library no longer waits
        prompt?.show(call, cipher, done) ?: throw Refusal(UNAVAILABLE)
    }

    /** Replies with what [work] returns, or with the status of its failure. */
    protected fun answer(call: Long, work: () -> ByteArray?) = guard(call) {
        val bytes = synchronized(keys) { work() }
        WalletCore.reply(call, OK, bytes, null)
    }

    private fun guard(call: Long, work: () -> Unit) {
        val failure = try { return work() } catch (failure: Exception) { failure }
        val status = when (failure) {
            is Refusal -> failure.status
            is AEADBadTagException -> KEY_INVALIDATED
            else -> UNAVAILABLE
        }
        WalletCore.reply(call, status, null, failure.javaClass.name)
    }

    private class Refusal(val status: Int) : Exception()
    private companion object { const val IV_BYTES = 12 }
}
