// SPDX-License-Identifier: Apache-2.0
package org.example.softwarekeys

import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.security.KeyStore
import java.security.KeyStore.PasswordProtection
import java.security.KeyStore.SecretKeyEntry
import javax.crypto.SecretKey

/**
 * Keys by name in a PKCS#12 file. That is fit for desktops that run examples and tests and for nothing
 * else: on Android the same keys lie in AndroidKeyStore, in hardware, and cannot be copied.
 */
class KeyFile(directory: File) {
    private val file = File(directory, "keys.p12")
    private val password = PasswordProtection("beside the file".toCharArray()) // hides nothing
    private val store = KeyStore.getInstance("PKCS12")

    init {
        try {
            if (file.exists()) file.inputStream().use { store.load(it, password.password) }
            else store.load(null, null)
        } catch (damaged: IOException) {
            throw IOException("$file cannot be read: ${damaged.message}", damaged)
        }
    }

    operator fun get(name: String): SecretKey? =
        (store.getEntry(name, password.takeIf { store.containsAlias(name) }) as SecretKeyEntry?)?.secretKey

    operator fun set(name: String, key: SecretKey) {
        store.setEntry(name, SecretKeyEntry(key), password)
        save()
    }

    fun delete(name: String) {
        if (!store.containsAlias(name)) return
        store.deleteEntry(name)
        save()
    }

    fun deleteAll() = store.aliases().toList().forEach(::delete)

    /** The file is replaced as a whole, so that a kill leaves the old one or the new one. */
    private fun save() {
        val draft = Files.createTempFile(file.parentFile.toPath(), "keys", ".new") // its owner's alone
        FileOutputStream(draft.toFile()).use {
            store.store(it, password.password)
            it.fd.sync()
        }
        Files.move(draft, file.toPath(), ATOMIC_MOVE)
    }
}
