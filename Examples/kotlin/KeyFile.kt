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
 * Keys by name in a PKCS#12 file. For examples and tests on desktops only: on Android these keys are in
 * AndroidKeyStore, in hardware, and cannot be copied.
 */
class KeyFile(directory: File) {
    private val file = File(directory, "keys.p12")
    private val password = PasswordProtection("beside the file".toCharArray()) // protects nothing
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

    /** Replaces the file as a whole, so that a kill leaves either the old or the new one. */
    private fun save() {
        val draft = Files.createTempFile(file.parentFile.toPath(), "keys", ".new") // readable by its owner only
        FileOutputStream(draft.toFile()).use {
            store.store(it, password.password)
            it.fd.sync()
        }
        Files.move(draft, file.toPath(), ATOMIC_MOVE)
    }
}
