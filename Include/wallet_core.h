/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wallet_core.h - the whole wallet without a screen.
 *
 * libwallet_core is a digital-identity wallet with a C ABI. A host in any language brings a screen
 * and a key store; the library brings start-up and rebind, a remote PIN that cannot be guessed
 * offline, biometric unlock, update policy, identity proofing and a PID that verifiers can check, and
 * runs the published flows by itself. This file is its only interface and its manual. What is not said
 * here, or in the table of names that section 10 points to, is not promised.
 *
 * ---------------------------------------------------------------------------------------------
 * Life cycle
 *
 *      platform thread                                user-interface thread
 *      ---------------                                ---------------------
 *      wallet_core_init_platform_support(...)         wallet_core_is_initialized()
 *        hands over three bridges, at any time,         0: wallet_core_init(&options, &error)
 *        before or after init, in parallel              1: the engine came back: rebind, below
 *                                                     wallet_core_client_attach("app", TAKE_OVER, ...)
 *                                                     wallet_core_set_configuration_stream(...)
 *                                                     wallet_core_set_lock_stream(...)
 *                                                     wallet_core_open_app(...), or requests
 *
 * One wallet lives in a process, from the first successful init until the process ends. Init needs
 * no network and no bridge, may be called again (nothing happens) and, after a failure, retried.
 * The wallet always starts locked. There is no shutdown call: killing the process is safe at every
 * moment, the next start continues from what was stored.
 *
 * ---------------------------------------------------------------------------------------------
 * Two ways to use it
 *
 *   flows        wallet_core_open_app() begins; each STEP event says what the user sees and can do,
 *                wallet_core_choose() says what the user chose. The library runs the use cases:
 *                introduction, PIN set-up, unlock, identity proofing, blocks, locks, wipe (section 10).
 *   own screens  requests such as wallet_core_register() and wallet_core_unlock(), and their
 *                completions (sections 8 and 9). A host that does not call open_app has no steps.
 *
 * The identity proofing is a flow only. Cards are read and presented by requests (section 11), either
 * way.
 *
 * They may be mixed: the flows notice what requests change and go on from there. Either way the host
 * tells wallet_core_notify_lifecycle() of foreground, background and user activity.
 *
 * ---------------------------------------------------------------------------------------------
 * Clients, events and three doors
 *
 * A client is one user-interface engine. Each has a queue of events: the current value and every
 * change of the streams (configuration, lock state, version state, step), and one completion for
 * each request it made.
 * Streams keep only their latest value while it waits in the queue; completions are never dropped.
 * A client may hold at most 64 requests whose completion it has not taken yet.
 *
 * A host takes events through one of three doors, whichever its language likes best:
 *
 *   pull      wallet_core_next_event() waits on a thread of the host; wallet_core_interrupt() ends
 *             the wait. For Python, Go, JVM threads, Dart helper isolates.
 *   wake-up   wallet_core_set_wakeup(): a bare signal that something waits; drain with
 *             wallet_core_next_event(timeout 0) on the host's own loop. For event loops.
 *   push      wallet_core_set_event_callback(): each event is handed to a callback on a thread of
 *             the library. For C, C++, Swift, JNI.
 *
 * wallet_core_set_configuration_stream(), wallet_core_set_lock_stream(),
 * wallet_core_set_version_state_stream() and wallet_core_set_step_stream() are filters over push:
 * while one is set, events of its kind go to its callback and to no other door.
 *
 * ---------------------------------------------------------------------------------------------
 * Threads
 *
 * Every function may be called from any thread, unless its comment says otherwise. Host code
 * (callbacks, bridge functions, destroy functions, the log callback, thread hooks) runs only on
 * threads that the library created, with no lock of the library held, an empty signal mask and a
 * name starting with "wallet_core". Each client has its own delivery thread, so a host that blocks
 * in a callback delays only itself. Bridge functions that may prompt the user run on one lane, all
 * others on another; a bridge function that does not return within 10 seconds loses its lane to a
 * replacement. Loading the library starts no thread.
 *
 * Inside a callback every function may be called except wallet_core_client_detach(),
 * wallet_core_next_event() and wallet_core_init(), and inside a bridge function also
 * wallet_core_has_registration(): these answer REENTRANT. Inside a wake-up callback call nothing.
 *
 * The one rule against deadlocks: do not hold a lock that your callback needs while you call a
 * clear or detach function; they wait for the running callback. In Python use CDLL, not PyDLL.
 *
 * ---------------------------------------------------------------------------------------------
 * Ownership
 *
 *   - What you pass in is borrowed for the duration of the call; the library copies what it keeps.
 *   - What comes out through a pointer to a pointer, and each event handed to a callback, is yours:
 *     free it with the function that its comment names. Freeing NULL does nothing.
 *   - What a getter returns is borrowed from its object and valid until that object is freed.
 *   - The library never frees your memory, you never call free() on the library's.
 *   - A context given with a destroy function is released by calling it exactly once, after the
 *     last possible use: when the registration is cleared or replaced, or the client detached. If
 *     the registration fails, the context stays yours. Contexts of an abandoned or taken-over
 *     client are never touched again, so they are not released either.
 *
 * Text is NUL-terminated UTF-8. Bytes and secrets are a pointer and a length. Truth values are
 * int32_t, 0 or 1. A PIN is bytes, never a char string; it is copied once into guarded memory and
 * wiped after use. wallet_core_memzero() helps hosts to wipe their own copy.
 *
 * ---------------------------------------------------------------------------------------------
 * Errors
 *
 * A fallible function returns a wallet_core_status: WALLET_CORE_OK (0), or a negative code. Its last
 * parameter may be NULL; if not, a failure stores an error object there (else NULL is stored), with
 * code, category, a message for developers and, where there is some, data as JSON. Treat unknown
 * codes and categories as their neighbours: codes grow. No argument, order of calls or thread makes
 * the library trap or exit.
 *
 * Requests (register, unlock, check or change the PIN, cards, wipe) report an error at once, and then nothing follows,
 * or WALLET_CORE_OK and a request id, and then exactly one completion event follows. A wrong PIN is
 * not an error: it is a completion with status OK, a PIN outcome and the attempts left. Every
 * completion can also be OUT_OF_RESOURCES, where trying again helps.
 *
 * ---------------------------------------------------------------------------------------------
 * Rebind: the engine dies, the process lives
 *
 * On phones the user-interface engine can be destroyed and made anew while the process, and the
 * library in it, goes on. The new engine finds wallet_core_is_initialized() == 1 and attaches with
 * WALLET_CORE_ATTACH_TAKE_OVER: the dead client of the same name is abandoned, whatever its
 * callbacks are doing, the wallet is locked, and the new client receives the current value of every
 * stream. Three verbs end a client:
 *
 *   detach     waits until the client's callbacks have returned and its contexts are released. For
 *              orderly ends.
 *   abandon    never waits and never calls the host. For finalizers, exit handlers, dead engines; not
 *              for signal handlers.
 *   take over  abandon by the successor, for engines that die without a word.
 *
 * A host whose function pointers may dangle after the engine's death (Dart) should use pull or
 * wake-up with a native shim: abandon cannot call back a call that is already inside host code.
 *
 * ---------------------------------------------------------------------------------------------
 * After a kill, a lost key or a damaged file
 *
 * The next start is always in one of these states: not registered; registered and locked;
 * STORAGE_CORRUPT or STORAGE_KEY_LOST, where wallet_core_wipe() starts over; STORAGE_UNAVAILABLE,
 * STORAGE_FULL or STORAGE_IN_USE, where nothing was changed and a retry helps once the cause is
 * gone; ACCOUNT_DIVERGED, where the provider no longer accepts this copy of the wallet and
 * wallet_core_wipe() starts over. A registration that was interrupted is completed by the next
 * wallet_core_register(), with any PIN, in the same account. A change of the PIN that was interrupted
 * has happened or not: exactly one of the two PINs opens the wallet, see wallet_core_change_pin().
 *
 * ---------------------------------------------------------------------------------------------
 * Environment
 *
 *   fork       After init the child of a fork must not use the library: calls answer FORKED and
 *              wallet_core_is_initialized() 0. The child of a fork before init may init, and use the
 *              library on threads that it starts itself: never on the one that forked, which Swift's
 *              runtime knows by its number in the parent. fork followed by exec is fine.
 *   signals    The library changes no signal disposition and no signal mask of the host's threads.
 *              The Swift runtime in it installs crash handlers only where SWIFT_BACKTRACE=enable=yes.
 *   dlclose    The library stays mapped (it is linked with -z nodelete).
 *   exit       Safe at any time, also while events are delivered. A handler (atexit) waits until no
 *              thread of the library is inside libcurl: some milliseconds, at most 5 seconds.
 *   callbacks  No exception and no longjmp may leave host code into the library.
 *   files      The storage path belongs to the library; keep it out of backups. One process at a
 *              time may use it.
 *   libcurl    Is loaded at the first request to the provider; without it requests end in
 *              TRANSPORT_MISSING.
 *
 * Versions: this header is additive within one WALLET_CORE_ABI_VERSION. Structs grow only at their
 * end and start with struct_size, so that old hosts and new libraries understand each other.
 */
#ifndef WALLET_CORE_H
#define WALLET_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define WALLET_CORE_BEGIN_DECLARATIONS \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")
#define WALLET_CORE_END_DECLARATIONS _Pragma("clang diagnostic pop")
/** The pointer may be NULL. */
#define WALLET_CORE_NULLABLE _Nullable
/** The pointer is never NULL. */
#define WALLET_CORE_NONNULL _Nonnull
/** Tells Swift hosts that the function is called on other threads. */
#define WALLET_CORE_SENDABLE __attribute__((swift_attr("@Sendable")))
#else
#define WALLET_CORE_BEGIN_DECLARATIONS
#define WALLET_CORE_END_DECLARATIONS
#define WALLET_CORE_NULLABLE
#define WALLET_CORE_NONNULL
#define WALLET_CORE_SENDABLE
#endif

#ifdef __cplusplus
extern "C" {
#endif

WALLET_CORE_BEGIN_DECLARATIONS

/* ============================================================================================ */
/* 1. Versions                                                                                  */
/* ============================================================================================ */

/** Raised only when a host built against an older header would break. Also in the soname. */
#define WALLET_CORE_ABI_VERSION 1
#define WALLET_CORE_VERSION_MAJOR 0
#define WALLET_CORE_VERSION_MINOR 4
#define WALLET_CORE_VERSION_PATCH 0

/**
 * The ABI version of the loaded library; compare with WALLET_CORE_ABI_VERSION after loading.
 *
 * Any thread, before init, in callbacks. Since 0.1.
 */
int32_t wallet_core_abi_version(void);

/**
 * The version of the loaded library, "major.minor.patch". Static, never freed.
 *
 * Any thread, before init, in callbacks. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_version(void);

/* ============================================================================================ */
/* 2. Status and errors                                                                         */
/* ============================================================================================ */

/** 0 or a negative code of the list below. */
typedef int32_t wallet_core_status;

enum {
  /** It worked. */
  WALLET_CORE_OK = 0,

  /* Use of the library. */
  /** An argument is NULL, too long, out of range or otherwise not what the comment asks for. */
  WALLET_CORE_ERROR_INVALID_ARGUMENT = -1,
  /** A text is not well-formed UTF-8. */
  WALLET_CORE_ERROR_INVALID_UTF8 = -2,
  /** wallet_core_init() has not succeeded yet. */
  WALLET_CORE_ERROR_NOT_INITIALIZED = -3,
  /** The process was forked after init; the child must not use the library. */
  WALLET_CORE_ERROR_FORKED = -4,
  /** Not allowed on a thread that is inside a callback or a bridge function. */
  WALLET_CORE_ERROR_REENTRANT = -5,
  /** Taken: another thread waits in next_event, 64 requests are open, 1024 events are not freed, the
      client name is in use. */
  WALLET_CORE_ERROR_BUSY = -6,
  /** The time given has passed. */
  WALLET_CORE_ERROR_TIMEOUT = -7,
  /** wallet_core_interrupt() ended the wait. */
  WALLET_CORE_ERROR_INTERRUPTED = -8,
  /** The request was cancelled, or the wallet was locked while it ran. */
  WALLET_CORE_ERROR_CANCELLED = -9,
  /** The client is detached, abandoned, taken over or never was. */
  WALLET_CORE_ERROR_CLIENT_DETACHED = -10,
  /** Not available in this build or on this platform. */
  WALLET_CORE_ERROR_UNSUPPORTED = -11,
  /** The bridge call was answered already, cancelled, timed out or never was. Harmless. */
  WALLET_CORE_ERROR_UNKNOWN_CALL = -12,
  /** No memory, no thread or no file descriptor could be had; nothing was changed on the device. */
  WALLET_CORE_ERROR_OUT_OF_RESOURCES = -13,
  /** A defect of the library; please report the message. */
  WALLET_CORE_ERROR_INTERNAL = -14,

  /* The platform behind the bridges. */
  /** No bridges were handed over within 10 seconds of being needed. */
  WALLET_CORE_ERROR_PLATFORM_NOT_READY = -20,
  /** A required function of a bridge is NULL; the message names it. */
  WALLET_CORE_ERROR_BRIDGE_INCOMPLETE = -21,
  /** A bridge answered with a failure, or with bytes that are not what the comment asks for. */
  WALLET_CORE_ERROR_BRIDGE_FAILED = -22,
  /** A bridge call that cannot prompt was not answered within 10 seconds. */
  WALLET_CORE_ERROR_BRIDGE_TIMEOUT = -23,
  /** The device or its key store refuses: no hardware key, no device lock. */
  WALLET_CORE_ERROR_DEVICE_INSECURE = -24,

  /* Trust. */
  /** The embedded configuration or a signing key in the options is unusable; the message says why. */
  WALLET_CORE_ERROR_CONFIGURATION_INVALID = -30,

  /* The state of the wallet. */
  /** There is no wallet yet: register first. */
  WALLET_CORE_ERROR_NOT_REGISTERED = -40,
  /** There is a wallet: unlock it, or wipe it first. */
  WALLET_CORE_ERROR_ALREADY_REGISTERED = -41,
  /** The PIN does not fit the policy, or a new PIN is the former one; the data says why. */
  WALLET_CORE_ERROR_PIN_REFUSED = -42,
  /** The provider no longer accepts this copy of the wallet (restored image, deleted account). */
  WALLET_CORE_ERROR_ACCOUNT_DIVERGED = -43,
  /** The update policy blocks this app version; the data says whether an update is available. */
  WALLET_CORE_ERROR_VERSION_BLOCKED = -44,
  /** The serial is not that of the current step: a double tap, or a step that has passed. Nothing
      happened. */
  WALLET_CORE_ERROR_STALE_STEP = -45,
  /** The biometric unlock is not enabled, or its key is gone. */
  WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED = -46,
  /** Biometrics were not recognised, refused, cancelled or are not available; the data says which. */
  WALLET_CORE_ERROR_BIOMETRICS_FAILED = -47,
  /** The wallet is locked: unlock it first. */
  WALLET_CORE_ERROR_LOCKED = -48,

  /* Storage. */
  /** The storage path is missing, not a directory, read-only or failing. */
  WALLET_CORE_ERROR_STORAGE_UNAVAILABLE = -50,
  /** No space left; nothing was changed. */
  WALLET_CORE_ERROR_STORAGE_FULL = -51,
  /** The stored wallet is damaged; wipe to start over. */
  WALLET_CORE_ERROR_STORAGE_CORRUPT = -52,
  /** Another process uses the storage path. */
  WALLET_CORE_ERROR_STORAGE_IN_USE = -53,
  /** The platform key that opens the stored wallet, or that the provider knows it by, is gone or
      another; wipe to start over. */
  WALLET_CORE_ERROR_STORAGE_KEY_LOST = -54,

  /* The provider. */
  /** The device has no route or no name resolution. */
  WALLET_CORE_ERROR_NO_INTERNET = -60,
  /** Online, but the provider does not answer, answers 5xx or fails TLS. */
  WALLET_CORE_ERROR_SERVER_UNREACHABLE = -61,
  /** The provider refused the request, or its answer is not acceptable; nothing was changed. */
  WALLET_CORE_ERROR_SERVER_REFUSED = -62,
  /** libcurl could not be loaded; the message names the package. */
  WALLET_CORE_ERROR_TRANSPORT_MISSING = -63,

  /* Cards. */
  /** There is no such card. */
  WALLET_CORE_ERROR_CARD_UNKNOWN = -70,
  /** The card has expired: it can be shown but not presented. Obtain a new one: have the user scan
      a new enrolment code (UC9.9), which takes the place of the card. */
  WALLET_CORE_ERROR_CARD_EXPIRED = -71,
  /** The platform has lost the card's own key: it can be shown but not presented. The wallet is
      sound; obtain a new card as for CARD_EXPIRED. Since 0.4. */
  WALLET_CORE_ERROR_CARD_KEY_LOST = -72,

  /** Codes from here to WALLET_CORE_ERROR_HOST_LAST are never made by the library: a host may use
      them in wallet_core_bridge_reply() and finds them again in the error of the request. */
  WALLET_CORE_ERROR_HOST_FIRST = -1999,
  WALLET_CORE_ERROR_HOST_LAST = -1000
};

/** What kind of trouble it is, for choosing a reaction without knowing every code. */
enum {
  /** The host used the library wrongly: a defect of the host. */
  WALLET_CORE_CATEGORY_USAGE = 1,
  /** The wallet is in another state than the call needs: not registered, registered, refused PIN. */
  WALLET_CORE_CATEGORY_WALLET_STATE = 2,
  /** The device has no internet. */
  WALLET_CORE_CATEGORY_NETWORK = 3,
  /** The provider cannot be reached or refuses. */
  WALLET_CORE_CATEGORY_SERVER = 4,
  /** A bridge, its key store or the device. */
  WALLET_CORE_CATEGORY_PLATFORM = 5,
  /** The storage path or what is in it. */
  WALLET_CORE_CATEGORY_STORAGE = 6,
  /** Cancelled, interrupted, timed out, busy: try again or not, nothing is wrong. */
  WALLET_CORE_CATEGORY_TRANSIENT = 7,
  /** A defect of the library. */
  WALLET_CORE_CATEGORY_INTERNAL = 8
};

/** An error; immutable, usable on any thread, outlives its client. */
typedef struct wallet_core_error wallet_core_error;

/** The wallet_core_status of `error`; WALLET_CORE_OK for NULL. Any thread. Since 0.1. */
wallet_core_status wallet_core_error_code(const wallet_core_error *WALLET_CORE_NULLABLE error);

/** One of WALLET_CORE_CATEGORY_...; 0 for NULL. Any thread. Since 0.1. */
int32_t wallet_core_error_category(const wallet_core_error *WALLET_CORE_NULLABLE error);

/**
 * What happened and what a developer can do about it: English, no user data, not for users.
 *
 * @param error  NULL gives the empty text.
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `error`. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_error_message(
    const wallet_core_error *WALLET_CORE_NULLABLE error, size_t *WALLET_CORE_NULLABLE length);

/**
 * More about the error as a JSON object with "schema": 1, e.g. {"schema":1,"reason":"sequence"} for
 * PIN_REFUSED or {"schema":1,"host_code":-1007} for BRIDGE_FAILED; "{}" where there is none.
 *
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `error`. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_error_data(
    const wallet_core_error *WALLET_CORE_NULLABLE error, size_t *WALLET_CORE_NULLABLE length);

/** Frees `error`; NULL does nothing. Errors of events are freed with their event. Since 0.1. */
void wallet_core_error_free(wallet_core_error *WALLET_CORE_NULLABLE error);

/**
 * The name of a status, e.g. "STORAGE_FULL"; "UNKNOWN" for codes this library does not know.
 * Static, never freed. Any thread, before init. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_status_name(wallet_core_status status);

/* ============================================================================================ */
/* 3. Memory                                                                                    */
/* ============================================================================================ */

/**
 * Overwrites `length` bytes at `memory` with zeros; never optimised away. For hosts that cannot
 * wipe their copy of a PIN themselves. NULL does nothing. Any thread, before init. Since 0.1.
 */
void wallet_core_memzero(void *WALLET_CORE_NULLABLE memory, size_t length);

/** Releases a context; called on a thread of the library, exactly once. */
typedef void (*wallet_core_destroy)(void *WALLET_CORE_NULLABLE context);

/* ============================================================================================ */
/* 4. Bridges: what the library asks of the platform                                            */
/* ============================================================================================ */

/*
 * A bridge is a struct of functions with a context. Each function returns nothing; it receives a
 * call id and answers with wallet_core_bridge_reply(), inside the function or later, from any
 * thread. Arguments stay valid until the reply; those of a call that timed out or was cancelled are
 * kept for a late reply too, until 64 more such calls. A plaintext is wiped when its call is over: then
 * it reads as zeros. Calls may overlap. A call that cannot prompt the
 * user ends in BRIDGE_TIMEOUT after 10 seconds; a call that may prompt has no deadline, it ends by
 * the reply or by `cancel`.
 *
 * Identifiers are chosen by the library: at most 64 characters of a-z, 0-9, '.', '_' and '-'. The
 * two key bridges have separate name spaces.
 */

/** How a bridge answers. A host's own code (WALLET_CORE_ERROR_HOST_...) is allowed as well. */
enum {
  /** It worked; bytes as the function's comment says. */
  WALLET_CORE_BRIDGE_OK = 0,
  /** The user's finger or face was not recognised (once, or as often as the reply's bytes say: one
      byte, the count). */
  WALLET_CORE_BRIDGE_NOT_RECOGNISED = 1,
  /** The user closed the prompt. */
  WALLET_CORE_BRIDGE_CANCELLED_BY_USER = 2,
  /** The platform refuses biometrics for a while. */
  WALLET_CORE_BRIDGE_LOCKED_OUT = 3,
  /** The platform refuses biometrics until the device credential was entered. */
  WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY = 4,
  /** No biometrics are enrolled. */
  WALLET_CORE_BRIDGE_NOT_ENROLLED = 5,
  /** The key was invalidated, e.g. because the enrolled biometrics changed. */
  WALLET_CORE_BRIDGE_KEY_INVALIDATED = 6,
  /** There is no key of this identifier. */
  WALLET_CORE_BRIDGE_KEY_MISSING = 7,
  /** The key store, the device lock or the hardware is not usable. */
  WALLET_CORE_BRIDGE_UNAVAILABLE = 8
};

/** How an encryption key is protected. */
enum {
  /** Usable whenever the process runs. */
  WALLET_CORE_PROTECTION_NONE = 0,
  /** Usable only after the user was recognised, and invalidated by a changed enrolment. */
  WALLET_CORE_PROTECTION_BIOMETRIC = 1
};

/** What the user is recognised by; a host that does not know says ANY. */
enum {
  WALLET_CORE_BIOMETRICS_ANY = 1,
  WALLET_CORE_BIOMETRICS_FINGERPRINT = 2,
  WALLET_CORE_BIOMETRICS_FACE = 3
};

/** The rules that the platform's users expect. */
enum { WALLET_CORE_PLATFORM_IOS = 1, WALLET_CORE_PLATFORM_ANDROID = 2 };

/**
 * Keys that sign and never leave the device's hardware. P-256 (signatures ECDSA with SHA-256 in
 * DER) or Ed25519 (64 bytes); the key's own SubjectPublicKeyInfo says which.
 */
typedef struct wallet_core_signing_key_bridge {
  /** sizeof(wallet_core_signing_key_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *WALLET_CORE_NULLABLE context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy)(void *WALLET_CORE_NULLABLE context);
  /** Required. Replies the key's SubjectPublicKeyInfo (DER); makes the key if there is none. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE public_key)(
      void *WALLET_CORE_NULLABLE context, uint64_t call,
      const char *WALLET_CORE_NONNULL identifier);
  /** Required. Replies the signature over `payload`; KEY_MISSING if there is no such key. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE sign)(
      void *WALLET_CORE_NULLABLE context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      const uint8_t *WALLET_CORE_NONNULL payload, size_t payload_length);
  /** Required. Deletes the key; a missing key is a success. Replies no bytes. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE delete_key)(
      void *WALLET_CORE_NULLABLE context, uint64_t call,
      const char *WALLET_CORE_NONNULL identifier);
  /** Optional. Replies the platform's attestation of the key for `challenge` (32 bytes); without it
      the provider records the wallet as unattested. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE attest)(
      void *WALLET_CORE_NULLABLE context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      const uint8_t *WALLET_CORE_NONNULL challenge, size_t challenge_length);
  /** Optional. The library no longer waits for `call`: close its prompt; a reply is harmless. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE cancel)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
} wallet_core_signing_key_bridge;

/** Keys that encrypt small secrets (at most 1 KiB) and never leave the device's hardware. */
typedef struct wallet_core_encryption_key_bridge {
  /** sizeof(wallet_core_encryption_key_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *WALLET_CORE_NULLABLE context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy)(void *WALLET_CORE_NULLABLE context);
  /** Required. Replies `plaintext` encrypted and authenticated, in a form of the host's own, at most
      1 KiB longer; makes the key with `protection` if there is none. With
      WALLET_CORE_PROTECTION_BIOMETRIC it may prompt. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE encrypt)(
      void *WALLET_CORE_NULLABLE context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      int32_t protection, const uint8_t *WALLET_CORE_NONNULL plaintext, size_t plaintext_length);
  /** Required. Replies the plaintext; KEY_MISSING if there is no such key (never make one here),
      KEY_INVALIDATED if it can no longer decrypt this ciphertext. With
      WALLET_CORE_PROTECTION_BIOMETRIC it may prompt. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE decrypt)(
      void *WALLET_CORE_NULLABLE context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      int32_t protection, const uint8_t *WALLET_CORE_NONNULL ciphertext, size_t ciphertext_length);
  /** Required. Deletes the key; a missing key is a success. Replies no bytes. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE delete_key)(
      void *WALLET_CORE_NULLABLE context, uint64_t call,
      const char *WALLET_CORE_NONNULL identifier);
  /** Optional. As in wallet_core_signing_key_bridge. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE cancel)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
} wallet_core_encryption_key_bridge;

/** What camera_state replies. */
enum {
  /** There is none that could scan. */
  WALLET_CORE_CAMERA_MISSING = 0,
  /** It may be used, or the user has not been asked yet. */
  WALLET_CORE_CAMERA_USABLE = 1,
  /** The user or a policy has refused it; only the system's settings can change that. */
  WALLET_CORE_CAMERA_DENIED = 2
};

/** What else the library wants to know of the platform. Every function is optional, except that
    storage_path is required where the options of init give no path. */
typedef struct wallet_core_utilities_bridge {
  /** sizeof(wallet_core_utilities_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *WALLET_CORE_NULLABLE context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy)(void *WALLET_CORE_NULLABLE context);
  /** Replies the absolute path (UTF-8, no NUL) of a directory for the library alone, not backed up. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE storage_path)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
  /** Replies one byte: 0, or WALLET_CORE_BIOMETRICS_... if biometrics are present, enrolled and
      strong enough to protect a key. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE biometrics_available)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
  /** Replies one byte: 1 if the device has a lock and is not known to be tampered with. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE device_secure)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
  /** Replies one byte: 1 if the device believes to have internet. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE internet_reachable)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
  /** Optional. As in wallet_core_signing_key_bridge. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE cancel)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
  /** WALLET_CORE_PLATFORM_IOS or WALLET_CORE_PLATFORM_ANDROID; 0 counts as Android. */
  int32_t platform;
  /** 0. */
  int32_t reserved;
  /** Replies one byte, WALLET_CORE_CAMERA_..., before the identity proofing begins. NULL counts as
      usable. Since 0.3. */
  void (*WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE camera_state)(
      void *WALLET_CORE_NULLABLE context, uint64_t call);
} wallet_core_utilities_bridge;

/**
 * Hands the three bridges over ("initPlatformSupport" of the start-up diagrams).
 *
 * Before or after init, in parallel with it, and again at any time: new calls go to the new
 * bridges at once, the old contexts are released when their last call was answered or cancelled.
 * Never waits and starts no thread before init. The structs are copied. All or nothing: on failure
 * the bridges of before stay and all three contexts stay the caller's.
 *
 * @param signing_key    required.
 * @param encryption_key required.
 * @param utilities      required; its functions are optional.
 * @param error          may be NULL.
 * @return OK; INVALID_ARGUMENT (a pointer is NULL, struct_size too small); BRIDGE_INCOMPLETE (names
 *         the missing function); FORKED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_init_platform_support(
    const wallet_core_signing_key_bridge *WALLET_CORE_NULLABLE signing_key,
    const wallet_core_encryption_key_bridge *WALLET_CORE_NULLABLE encryption_key,
    const wallet_core_utilities_bridge *WALLET_CORE_NULLABLE utilities,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Answers a bridge call, exactly once. Bytes and message are copied; bytes into guarded memory.
 *
 * @param call    the id that the bridge function received.
 * @param status  WALLET_CORE_BRIDGE_..., or a code from WALLET_CORE_ERROR_HOST_FIRST to
 *                WALLET_CORE_ERROR_HOST_LAST.
 * @param bytes   the answer; may be NULL where `length` is 0. At most 1 MiB.
 * @param length  in bytes.
 * @param message for developers, kept in the error of a request that ends by it and never logged; at
 *                most 1024 bytes, longer ones are cut; may be NULL. No user data.
 * @return OK; UNKNOWN_CALL (late or second answer, nothing happened); INVALID_ARGUMENT (unknown
 *         status, NULL with a length, too long; the call stays open); INVALID_UTF8; OUT_OF_RESOURCES (no
 *         guarded memory is left; the call stays open: answer it with UNAVAILABLE); FORKED.
 *
 * Any thread, in callbacks, inside the bridge function. Since 0.1.
 */
wallet_core_status wallet_core_bridge_reply(
    uint64_t call, int32_t status, const uint8_t *WALLET_CORE_NULLABLE bytes, size_t length,
    const char *WALLET_CORE_NULLABLE message);

/* ============================================================================================ */
/* 5. Start                                                                                     */
/* ============================================================================================ */

/** Levels of the log. No level ever carries a PIN, key, link, claim or identifier. */
enum {
  WALLET_CORE_LOG_OFF = 0,
  WALLET_CORE_LOG_ERROR = 1,
  WALLET_CORE_LOG_WARNING = 2,
  WALLET_CORE_LOG_INFO = 3,
  WALLET_CORE_LOG_DEBUG = 4
};

/** Receives a line of the log. Runs on a thread of the library, one line at a time; lines that a
    slow callback cannot take are dropped and counted. The texts are valid during the call. */
typedef void (*wallet_core_log_callback)(
    void *WALLET_CORE_NULLABLE context, int32_t level, const char *WALLET_CORE_NONNULL subsystem,
    const char *WALLET_CORE_NONNULL message);

/** Called on each thread of the library that runs host code, before the first and after the last
    host code on it; for attaching to a virtual machine. */
typedef void (*wallet_core_thread_hook)(void *WALLET_CORE_NULLABLE context);

/** A key that may sign configurations. */
typedef struct wallet_core_configuration_key {
  /** The id that the provider gave the key; 1 to 64 bytes. */
  const char *WALLET_CORE_NULLABLE key_id;
  /** The Ed25519 public key, 32 bytes. */
  uint8_t public_key[32];
} wallet_core_configuration_key;

/** What init needs. Set everything unused to 0, as
    `wallet_core_options options = {.struct_size = sizeof options}` does in C. */
typedef struct wallet_core_options {
  /** sizeof(wallet_core_options) as the host was compiled. */
  size_t struct_size;
  /** Required. The document that `wallet-provider client-configuration` prints, as the app embeds
      it: provider URL, certificate authority, signing keys and the first signed configuration. */
  const uint8_t *WALLET_CORE_NULLABLE embedded_configuration;
  /** In bytes; at most 256 KiB. */
  size_t embedded_configuration_length;
  /** Optional. Pins the configuration-signing keys in the app's code: the document's own list is
      then ignored. At least two (one of them kept offline), at most 16. */
  const wallet_core_configuration_key *WALLET_CORE_NULLABLE configuration_keys;
  size_t configuration_key_count;
  /** Required. The app's version, three numbers such as "1.4.2" and what you like behind them after
      '-' or '+'; 1 to 64 bytes. The update policy is judged by it. */
  const char *WALLET_CORE_NULLABLE app_version;
  /** Required. The app's id, e.g. "org.example.wallet"; 1 to 128 bytes. */
  const char *WALLET_CORE_NULLABLE app_id;
  /** Optional. An existing directory for the library alone; else the utilities bridge is asked. */
  const char *WALLET_CORE_NULLABLE storage_path;
  /** Optional. Receives the log. */
  wallet_core_log_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE log;
  void *WALLET_CORE_NULLABLE log_context;
  /** WALLET_CORE_LOG_...; lines above it are not made. */
  int32_t log_level;
  /** 0. */
  int32_t reserved;
  /** Optional thread hooks and their context, which must live as long as the process. */
  wallet_core_thread_hook WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE on_thread_start;
  wallet_core_thread_hook WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE on_thread_stop;
  void *WALLET_CORE_NULLABLE thread_context;
} wallet_core_options;

/**
 * Whether init has succeeded in this process: 1 or 0 (also 0 in the child of a fork). A new
 * user-interface engine asks this first; 1 means rebind.
 *
 * Never waits. Any thread, before init, in callbacks. Since 0.1.
 */
int32_t wallet_core_is_initialized(void);

/**
 * Starts the wallet of this process.
 *
 * Needs no network and no bridge. Where the options give a storage path it is opened, else that is
 * done when the utilities bridge is there. Calls at the same time wait for one another; once one
 * succeeded, all later ones answer OK and ignore their options. After a failure nothing is left
 * behind and init may be called again.
 *
 * @param options borrowed; the callbacks and contexts in it must live as long as the process.
 * @param error   may be NULL.
 * @return OK; INVALID_ARGUMENT; INVALID_UTF8; CONFIGURATION_INVALID; STORAGE_UNAVAILABLE;
 *         STORAGE_FULL; STORAGE_IN_USE; OUT_OF_RESOURCES; FORKED; REENTRANT.
 *
 * Any thread, not in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_init(
    const wallet_core_options *WALLET_CORE_NULLABLE options,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/* ============================================================================================ */
/* 6. Clients                                                                                   */
/* ============================================================================================ */

/** A client; never reused in a process, 0 is no client. */
typedef uint64_t wallet_core_client;

enum {
  /** Abandon the client of the same name first, if there is one, and lock the wallet. */
  WALLET_CORE_ATTACH_TAKE_OVER = 1
};

/**
 * Attaches a user-interface engine. Its queue starts with the current value of every stream.
 *
 * @param name   tells clients apart, e.g. "app"; 1 to 64 bytes. One client per name.
 * @param flags  0 or WALLET_CORE_ATTACH_TAKE_OVER. With take-over the old client of this name is
 *               abandoned and, if there was one, the wallet locked; never waits for its callbacks.
 * @param client receives the client; 0 on failure.
 * @param error  may be NULL.
 * @return OK; NOT_INITIALIZED; INVALID_ARGUMENT; INVALID_UTF8; BUSY (the name is taken and the
 *         flag not given, or 64 clients are attached); FORKED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_client_attach(
    const char *WALLET_CORE_NULLABLE name, uint32_t flags,
    wallet_core_client *WALLET_CORE_NULLABLE client,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Detaches a client in good order: its open requests are cancelled (a request past its point of no
 * return goes on without it) and complete with CLIENT_DETACHED, completions that have a push door are
 * delivered, then its contexts are released. Waits, without bound, for callbacks of this client that are running. After it
 * returns no callback and no context of the client is ever touched again.
 *
 * @return OK; CLIENT_DETACHED (it already is, or was abandoned or taken over meanwhile: then a
 *         callback may still be running); REENTRANT (inside host code); NOT_INITIALIZED; FORKED.
 *
 * Any thread, not in callbacks, not with a lock held that a callback needs. Since 0.1.
 */
wallet_core_status wallet_core_client_detach(
    wallet_core_client client, wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Drops a client at once: never waits, never calls the host, releases no context. A call that is
 * already inside host code cannot be called back; nothing follows it.
 *
 * @return OK, also for a client that is gone; NOT_INITIALIZED; FORKED.
 *
 * Any thread, in callbacks, in finalizers and atexit handlers. Since 0.1.
 */
wallet_core_status wallet_core_client_abandon(wallet_core_client client);

/**
 * wallet_core_client_abandon() in the shape of a finalizer: `client` is the client's number as a
 * pointer, `(void *)(uintptr_t)client`. Any thread. Since 0.1.
 */
void wallet_core_client_finalize(void *WALLET_CORE_NULLABLE client);

/* ============================================================================================ */
/* 7. Events                                                                                    */
/* ============================================================================================ */

/** An event; immutable, usable on any thread, outlives its client. */
typedef struct wallet_core_event wallet_core_event;

/** Kinds of events; ignore kinds that you do not know. */
enum {
  /** The configuration, see wallet_core_event_json(). */
  WALLET_CORE_EVENT_CONFIGURATION = 1,
  /** The lock state, see wallet_core_event_is_locked(). */
  WALLET_CORE_EVENT_LOCK_STATE = 2,
  /** A request ended, see wallet_core_event_request() and wallet_core_event_status(). */
  WALLET_CORE_EVENT_COMPLETION = 3,
  /** What the update policy says of this app version, see wallet_core_event_version_grade(). */
  WALLET_CORE_EVENT_VERSION_STATE = 4,
  /** The current step of the flows, see section 10. */
  WALLET_CORE_EVENT_STEP = 5
};

/** What the update policy asks of this app version. All but BLOCK are allowed; treat grades that
    you do not know as OK. */
enum {
  /** Nothing. */
  WALLET_CORE_VERSION_OK = 0,
  /** An update is recommended. */
  WALLET_CORE_VERSION_RECOMMEND = 1,
  /** It will be blocked, see wallet_core_event_blocked_in_ms(). */
  WALLET_CORE_VERSION_WARN = 2,
  /** It may not be used: registering, unlocking, checking and changing a PIN, reading and presenting
      cards answer VERSION_BLOCKED. */
  WALLET_CORE_VERSION_BLOCK = 3
};

/** What the provider said of a PIN. */
enum {
  /** The event is not about a PIN, or the request failed before the PIN was judged. */
  WALLET_CORE_PIN_NOT_JUDGED = 0,
  /** Right. */
  WALLET_CORE_PIN_VALID = 1,
  /** Wrong and counted; see attempts left and final round. */
  WALLET_CORE_PIN_WRONG = 2,
  /** Blocked for a time; either this attempt was wrong and used up its round, or a block was
      running and the PIN was not looked at. */
  WALLET_CORE_PIN_BLOCKED_TEMPORARILY = 3,
  /** Blocked for good; only wallet_core_wipe() helps. */
  WALLET_CORE_PIN_BLOCKED_PERMANENTLY = 4
};

/** WALLET_CORE_EVENT_...; 0 for NULL. Any thread. Since 0.1. */
int32_t wallet_core_event_kind(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The request that a completion ends; 0 for other events and NULL. Any thread. Since 0.1. */
uint64_t wallet_core_event_request(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The status of a completion; OK for other events and NULL. Any thread. Since 0.1. */
wallet_core_status wallet_core_event_status(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The error of a failed completion, borrowed from the event; else NULL. Any thread. Since 0.1. */
const wallet_core_error *WALLET_CORE_NULLABLE
wallet_core_event_error(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The lock state: 1 locked, 0 unlocked; 1 for other events and NULL. Any thread. Since 0.1. */
int32_t wallet_core_event_is_locked(const wallet_core_event *WALLET_CORE_NULLABLE event);

/**
 * With an unlocked lock state: in how many milliseconds the wallet locks for inactivity, once the
 * warning of the configuration is due; else 0. A LOCK_STATE event that says 0 again takes the
 * warning back. Any thread. Since 0.1.
 */
int64_t wallet_core_event_locks_in_ms(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** WALLET_CORE_VERSION_... of a version state; OK for other events and NULL. Any thread. Since 0.1. */
int32_t wallet_core_event_version_grade(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** With VERSION_WARN: the milliseconds left until the block, else 0. Any thread. Since 0.1. */
int64_t wallet_core_event_blocked_in_ms(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** With VERSION_BLOCK: 1 if the store has an allowed version, else 0. Any thread. Since 0.1. */
int32_t wallet_core_event_is_update_available(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** WALLET_CORE_PIN_... of a completion. Any thread. Since 0.1. */
int32_t wallet_core_event_pin_outcome(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** Attempts left in this round with PIN_WRONG, else 0. Any thread. Since 0.1. */
int32_t wallet_core_event_attempts_left(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** With PIN_WRONG: 1 if using up the round blocks for good, else 0. Any thread. Since 0.1. */
int32_t wallet_core_event_is_final_round(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** With PIN_BLOCKED_TEMPORARILY: how long, in milliseconds from now on, else 0. Count on a clock
    that includes sleep. Any thread. Since 0.1. */
int64_t wallet_core_event_blocked_for_ms(const wallet_core_event *WALLET_CORE_NULLABLE event);

/**
 * The whole event as a JSON object with "schema": 1 and "kind"; ignore members that you do not
 * know. A completion has "request", "status", "status_name" and, where there is one, "error", "pin",
 * "cards" or "presentation". A configuration has "version", "inactive_timeout_ms", "inactive_warning_ms",
 * "background_timeout_ms" and "proofing_hosts". A step has "serial", "use_case", "row", "step_kind"
 * ("screen", "prompt", "progress", "system-prompt", "hand-off", "error", "end"), "name", "title",
 * "message", "arguments", "notices", "input" ("none", "pin", "scan"), "actions" (each "name" and
 * "label"), "is_protected", "trail" and, over a screen, "beneath".
 *
 * share/wallet_core/wallet_core_events.schema.json, installed with this header, is a JSON Schema of
 * all kinds.
 *
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `event`; "{}" for NULL. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_event_json(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t *WALLET_CORE_NULLABLE length);

/** Frees `event`; NULL does nothing. Any thread, in callbacks. Since 0.1. */
void wallet_core_event_free(wallet_core_event *WALLET_CORE_NULLABLE event);

/**
 * Pull: takes the client's next event, waiting for one if need be.
 *
 * @param timeout_ms -1 waits without end, 0 not at all, else so many milliseconds.
 * @param event      receives the event, yours to free; NULL on failure.
 * @param error      may be NULL. TIMEOUT and INTERRUPTED make no error object.
 * @return OK; TIMEOUT; INTERRUPTED; BUSY (another thread waits here, the events go to an event
 *         callback, or 1024 events were taken here and not freed); CLIENT_DETACHED (also while
 *         waiting, when the client ends); REENTRANT (inside host code); INVALID_ARGUMENT;
 *         NOT_INITIALIZED; FORKED.
 *
 * Any thread, one at a time per client, not in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_next_event(
    wallet_core_client client, int64_t timeout_ms,
    wallet_core_event *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE event,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Ends the wait of the client's next_event, or the next one if none is waiting, with INTERRUPTED.
 *
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED. Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_interrupt(
    wallet_core_client client, wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Says that events wait in the queue; called again only after the queue was drained. Call nothing
    of the library inside. */
typedef void (*wallet_core_wakeup_callback)(void *WALLET_CORE_NULLABLE context);

/** Receives an event, which is the callee's: free it with wallet_core_event_free(), now or later. */
typedef void (*wallet_core_event_callback)(
    void *WALLET_CORE_NULLABLE context, wallet_core_event *WALLET_CORE_NONNULL event);

/**
 * Wake-up: sets the callback that says that the queue is no longer empty; called at once if it is
 * not. A set replaces the one before, as if cleared first.
 *
 * @param callback required.
 * @param context  passed to the callback.
 * @param destroy  releases the context; may be NULL.
 * @param token    receives a token for the clear; may be NULL.
 * @return OK; INVALID_ARGUMENT; CLIENT_DETACHED; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *
 * Any thread. Waits for a running call of the replaced callback, except inside callbacks. Since 0.1.
 */
wallet_core_status wallet_core_set_wakeup(
    wallet_core_client client,
    wallet_core_wakeup_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Clears the wake-up callback.
 *
 * From another thread: returns when the running call has returned and the context was released;
 * the callback and the context are never used again. From inside a callback: no further call
 * starts; returns at once, and the context is released when the running call has returned.
 *
 * @param token the token of the set, or 0 for whatever this client has. A token of an earlier set
 *              does nothing, so a late clear never removes a newer subscriber.
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED.
 *
 * Any thread, not with a lock held that the callback needs. Since 0.1.
 */
wallet_core_status wallet_core_clear_wakeup(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Push: sets the callback that receives every event, one at a time, in order, except those of a
 * stream set by name. Events that wait in the queue come first. Parameters, replacement, status and
 * threads as for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_event_callback(
    wallet_core_client client,
    wallet_core_event_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Clears the event callback; events wait in the queue again. As wallet_core_clear_wakeup(). Since
    0.1. */
wallet_core_status wallet_core_clear_event_callback(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Sets the configuration stream: the callback receives a CONFIGURATION event with the current value
 * exactly once, then one for every accepted newer configuration, coalesced to the latest.
 * Parameters, replacement, status and threads as for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_configuration_stream(
    wallet_core_client client,
    wallet_core_event_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Clears the configuration stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_configuration_stream(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Sets the lock stream: the callback receives a LOCK_STATE event with the current state exactly
 * once, then one for every change. Several changes may arrive as one, and then the last one wins:
 * a lock is never lost behind an unlock. Parameters, replacement, status and threads as for
 * wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_lock_stream(
    wallet_core_client client,
    wallet_core_event_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Clears the lock stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_lock_stream(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Sets the version-state stream: the callback receives a VERSION_STATE event with the current state
 * exactly once, then one for every change of grade and every changed policy. The state is that of
 * the last policy that was verified, also after an offline start; without any it is OK. Parameters,
 * replacement, status and threads as for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_version_state_stream(
    wallet_core_client client,
    wallet_core_event_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Clears the version-state stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_version_state_stream(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/* ============================================================================================ */
/* 8. The PIN and the account                                                                   */
/* ============================================================================================ */

/** A PIN is this many ASCII digits. */
#define WALLET_CORE_PIN_LENGTH 6

/** Why a PIN fits or not. */
enum {
  /** It fits. */
  WALLET_CORE_PIN_ACCEPTED = 0,
  /** Not WALLET_CORE_PIN_LENGTH bytes. */
  WALLET_CORE_PIN_WRONG_LENGTH = 1,
  /** A byte that is not '0' to '9'. */
  WALLET_CORE_PIN_NOT_DIGITS = 2,
  /** Fewer than two different digits. */
  WALLET_CORE_PIN_TOO_FEW_DIFFERENT_DIGITS = 3,
  /** Ascending or descending by one, as 123456 or 654321. */
  WALLET_CORE_PIN_SEQUENCE = 4
};

/** WALLET_CORE_PIN_LENGTH, for hosts without macros. Any thread, before init. Since 0.1. */
size_t wallet_core_pin_length(void);

/**
 * Whether a PIN fits the policy, decided locally. Nothing is kept.
 *
 * @param pin     ASCII digits, no terminator; may be NULL where `length` is 0.
 * @param length  in bytes.
 * @param verdict receives WALLET_CORE_PIN_...; required.
 * @return OK, whatever the verdict; INVALID_ARGUMENT. Any thread, before init. Since 0.1.
 */
wallet_core_status wallet_core_validate_pin(
    const uint8_t *WALLET_CORE_NULLABLE pin, size_t length, int32_t *WALLET_CORE_NULLABLE verdict,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Whether this installation has a wallet with a PIN. Waits up to 10 seconds for the storage path
 * where only the utilities bridge knows it.
 *
 * @param has_registration receives 1 or 0; required.
 * @return OK; NOT_INITIALIZED; those of section "platform" (where that bridge does not give it);
 *         STORAGE_UNAVAILABLE, _IN_USE, _CORRUPT; REENTRANT (inside a bridge function);
 *         INVALID_ARGUMENT; FORKED.
 *
 * Any thread, in event callbacks. Since 0.1.
 */
wallet_core_status wallet_core_has_registration(
    int32_t *WALLET_CORE_NULLABLE has_registration,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Whether the wallet is locked; a wallet that does not exist is locked. Never waits.
 *
 * @param is_locked receives 1 or 0 (1 on failure); required.
 * @return OK; NOT_INITIALIZED; INVALID_ARGUMENT; FORKED. Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_is_locked(
    int32_t *WALLET_CORE_NULLABLE is_locked,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: sets the remote PIN up and so creates the wallet. The completion with status OK means
 * registered and unlocked. Idempotent until it has succeeded: after a failure or a kill, call it
 * again, with any PIN; one account results.
 *
 * @param pin     WALLET_CORE_PIN_LENGTH ASCII digits that fit the policy; copied into guarded memory.
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); PIN_REFUSED; VERSION_BLOCKED; INVALID_ARGUMENT;
 *         CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *         The completion: OK; ALREADY_REGISTERED; CANCELLED; and those of sections "platform",
 *         "storage" and "provider".
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_register(
    wallet_core_client client, const uint8_t *WALLET_CORE_NULLABLE pin, size_t pin_length,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: unlocks the wallet with the PIN, judged by the provider. The completion with status OK
 * says by wallet_core_event_pin_outcome() what the provider said; only PIN_VALID unlocked. A wallet
 * that is unlocked already stays so. If the wallet is locked while the request runs, it ends locked
 * and the completion is CANCELLED.
 *
 * @param pin any bytes, at most 64; anything but a well-formed PIN is refused without a request.
 * @return as wallet_core_register(); the completion also NOT_REGISTERED, ACCOUNT_DIVERGED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_unlock(
    wallet_core_client client, const uint8_t *WALLET_CORE_NULLABLE pin, size_t pin_length,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: has the provider judge a PIN without changing the lock; counts like an unlock.
 * Parameters, status and completion as for wallet_core_unlock(). Since 0.1.
 */
wallet_core_status wallet_core_check_pin(
    wallet_core_client client, const uint8_t *WALLET_CORE_NULLABLE pin, size_t pin_length,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: changes the PIN of the unlocked wallet. The provider judges the former PIN, which counts
 * like an unlock; the PIN is changed only if the completion is OK with PIN_VALID. With
 * PIN_BLOCKED_... the wallet locks as well. Biometric unlock stays as it is.
 *
 * At every moment exactly one PIN is right, whatever is lost or killed. After PIN_VALID it is the new
 * one, also where the provider's last word is still awaited: the library fetches it in the background,
 * after a restart too. After any other completion it is the former one. Whoever saw no completion (a
 * kill, a take-over) tries the new PIN, then the former one; a wrong one counts. A network error says
 * nothing of the attempt: a wrong former PIN may have been counted before the answer was lost.
 *
 * A lock, which the background's time-out and a take-over bring too, ends it with LOCKED before the
 * former PIN is sent. After that the provider's word holds: the PIN may be changed while the wallet is
 * locked already, and stays locked. A wipe ends it with CANCELLED.
 *
 * @param pin     the former PIN, as for wallet_core_unlock().
 * @param new_pin as for wallet_core_register(), and not the former one.
 * @param request receives the request; may be NULL.
 * @return as wallet_core_unlock(); LOCKED; PIN_REFUSED also where both are the same (data: "reason"
 *         "unchanged"). The completion also LOCKED.
 *
 * Any thread, in callbacks. Since 0.4.
 */
wallet_core_status wallet_core_change_pin(
    wallet_core_client client, const uint8_t *WALLET_CORE_NULLABLE pin, size_t pin_length,
    const uint8_t *WALLET_CORE_NULLABLE new_pin, size_t new_pin_length,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Locks the wallet now: when it returns, the vault key is wiped, the lock state published and no
 * protected step current. Waits for nothing but other threads' words to the flows, some
 * microseconds; not for an unlock in flight, which then ends locked. Locked already is OK.
 *
 * @return OK; NOT_INITIALIZED; FORKED. Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_lock(
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** What a host tells of the app's life. */
enum {
  /** The app can be seen and used. */
  WALLET_CORE_LIFECYCLE_FOREGROUND = 1,
  /** The app cannot be seen. */
  WALLET_CORE_LIFECYCLE_BACKGROUND = 2,
  /** The user touched something; tell it as often as it happens, at most once a second is enough. */
  WALLET_CORE_LIFECYCLE_USER_ACTIVITY = 3
};

/**
 * Tells the library of the app's life, which its timers need (UC9.7). An unlocked wallet locks after
 * "inactive_timeout_ms" of the configuration without user activity in the foreground, and after
 * "background_timeout_ms" in the background. "inactive_warning_ms" of inactivity bring a LOCK_STATE
 * event that says when it will lock. Time is counted on a clock that includes sleep, and what is due
 * is done at the entry of every call, so that a suspended process resumes locked. The app counts as
 * in the foreground until told otherwise, and an unlock as user activity.
 *
 * @param event WALLET_CORE_LIFECYCLE_...
 * @return OK; INVALID_ARGUMENT; NOT_INITIALIZED; FORKED. Never waits. Any thread, in callbacks. Since
 *         0.1.
 */
wallet_core_status wallet_core_notify_lifecycle(
    int32_t event, wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: deletes the wallet from this device: keys, database, everything but the configuration.
 * Works locked, blocked, damaged and without network; the provider is told as well as possible.
 * Complete or repeatable: after a failure call it again. Ends other requests with CANCELLED. Nothing
 * to delete is OK.
 *
 * A key that a bridge does not delete opens nothing any more: everything else is deleted, the wallet
 * is gone, and wallet_core_register() makes a new one with new keys. The old key stays noted; the
 * next wipe and every start with bridges try again to delete it.
 *
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); CLIENT_DETACHED; BUSY; NOT_INITIALIZED; FORKED.
 *         The completion: OK; PLATFORM_NOT_READY, BRIDGE_FAILED, BRIDGE_TIMEOUT, DEVICE_INSECURE
 *         with "keys_left" in the error's data (so many keys could not be deleted, the wallet is
 *         gone), or without it, as BRIDGE_INCOMPLETE (the storage path could not be had, nothing was
 *         done); STORAGE_UNAVAILABLE; STORAGE_FULL (the wallet is gone, and there is no space to note a key
 *         that was left); CANCELLED (another wipe took its place).
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_wipe(
    wallet_core_client client, uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Asks a request of this client to end early. Its completion still comes: CANCELLED, or the true
 * result if the request had passed its point of no return. Unknown and ended requests are OK.
 *
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED. Never waits. Any thread, in callbacks. Since
 *         0.1.
 */
wallet_core_status wallet_core_cancel(
    wallet_core_client client, uint64_t request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/* ============================================================================================ */
/* 9. Biometric unlock, for hosts with their own screens                                        */
/* ============================================================================================ */

/*
 * Biometric unlock is cryptographic: a second wrapping of the vault key that opens with a secret
 * which the encryption-key bridge keeps under WALLET_CORE_PROTECTION_BIOMETRIC. Unlocking is that
 * opening, never a yes of the host. The flows of section 10 do all of this by themselves.
 */

/**
 * Whether biometric unlock is enabled. Never waits for the platform.
 *
 * @param is_enabled receives 1 or 0 (0 on failure); required.
 * @return as wallet_core_has_registration(). Any thread, in event callbacks. Since 0.2.
 */
wallet_core_status wallet_core_is_biometric_unlock_enabled(
    int32_t *WALLET_CORE_NULLABLE is_enabled,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: enables biometric unlock of the unlocked wallet. First the platform asks for the user's
 * biometrics (encrypt with WALLET_CORE_PROTECTION_BIOMETRIC), then the provider judges the PIN, which
 * counts like an unlock: without it, whoever holds the open phone could add a finger of their own.
 * Enabled only if the completion is OK with PIN_VALID. A lock in between ends it.
 *
 * @param pin as for wallet_core_unlock().
 * @return as wallet_core_unlock(); LOCKED. The completion also LOCKED, BIOMETRICS_FAILED, CANCELLED.
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_enable_biometric_unlock(
    wallet_core_client client, const uint8_t *WALLET_CORE_NULLABLE pin, size_t pin_length,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: disables biometric unlock and deletes its platform key. Nothing to disable is OK. Works
 * locked: it only takes a way in away.
 *
 * @return OK (one completion follows); CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES; NOT_INITIALIZED;
 *         FORKED. The completion: OK; those of sections "platform" and "storage"; CANCELLED.
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_disable_biometric_unlock(
    wallet_core_client client, uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: unlocks the wallet by biometrics; the platform asks the user. Needs no network.
 * Attempts are not counted here: a host with its own screens follows its platform's rules.
 *
 * @return OK (one completion follows); VERSION_BLOCKED; CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES;
 *         NOT_INITIALIZED; FORKED. The completion: OK; NOT_REGISTERED; BIOMETRICS_NOT_ENABLED; BIOMETRICS_FAILED
 *         (data: "reason" of not_recognised, cancelled_by_user, locked_out, locked_out_permanently,
 *         not_enrolled, key_invalidated, key_missing, unavailable); CANCELLED (a lock, the
 *         background, a take-over); those of sections "platform" and "storage".
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_unlock_with_biometrics(
    wallet_core_client client, uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/* ============================================================================================ */
/* 10. Flows: the use cases, run by the library                                                 */
/* ============================================================================================ */

/*
 * A host that draws the current step and sends back what the user chose has the whole published
 * behaviour: first start, PIN set-up, unlock, blocks, locks, wipe. Nothing else is needed of section
 * 8, except wallet_core_notify_lifecycle() for foreground, background and user activity.
 *
 *   wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, &error);
 *   for each STEP event:
 *     draw the step by its name, or by its English title, message and labels
 *     on a tap: wallet_core_choose(client, serial, action, input, input_length, &error)
 *
 * The article "Steps, actions and notices" (share/doc/wallet_core/names.md of a release) has every name of
 * a step, an action, a notice and an argument, and which symbol a scanner is to read; the JSON Schema of
 * the events lists them too. These names are promised as what stands here is: within one
 * WALLET_CORE_ABI_VERSION none changes or goes, and only a new minor version adds some. Draw a step that
 * you do not know by its English texts, and pass over notices and arguments that you do not know.
 *
 * One step is current at a time, for all clients together. Every shown step, also one that is shown
 * again, has a new serial; a choice with another serial answers STALE_STEP and does nothing, so a
 * double tap or the tap on a dead engine is harmless. The step stream keeps its latest value like
 * every stream. A take-over locks, and the new client receives the step that then is current.
 */

/** What a host does with a step; treat kinds that you do not know as a screen. */
enum {
  /** Fills the screen. */
  WALLET_CORE_STEP_SCREEN = 1,
  /** Stands over the screen that wallet_core_event_step_beneath() names. */
  WALLET_CORE_STEP_PROMPT = 2,
  /** The library works and it takes longer than 0.2 s: a spinner. Ends by itself. */
  WALLET_CORE_STEP_PROGRESS = 3,
  /** The operating system asks the user, by a bridge call: nothing to draw. Ends by itself. */
  WALLET_CORE_STEP_SYSTEM_PROMPT = 4,
  /** Work of the host, which says by a choice that it is done. */
  WALLET_CORE_STEP_HAND_OFF = 5,
  /** A failure and what can be done about it. */
  WALLET_CORE_STEP_ERROR = 6,
  /** The user closed the app where nothing else was left; wallet_core_open_app() begins anew. */
  WALLET_CORE_STEP_END = 7
};

/** What a choice may bring along. */
enum {
  WALLET_CORE_INPUT_NONE = 0,
  /** WALLET_CORE_PIN_LENGTH ASCII digits, with the action "enter". */
  WALLET_CORE_INPUT_PIN = 1,
  /** The content of a scanned code, by wallet_core_choose_scanned(). */
  WALLET_CORE_INPUT_SCAN = 2
};

/** How the app came to life. */
enum {
  /** No process was active: a launch on iOS, a cold or warm start on Android. */
  WALLET_CORE_STARTUP_LAUNCH = 1,
  /** The process was active: a resume on iOS, a hot start on Android. */
  WALLET_CORE_STARTUP_RESUME = 2
};

/** The symbols that codes are scanned from. */
enum {
  WALLET_CORE_SYMBOLOGY_QR_CODE = 1,
  WALLET_CORE_SYMBOLOGY_PDF417 = 2,
  /** Any other: never what a step wants, so the user is told. Since 0.3. */
  WALLET_CORE_SYMBOLOGY_OTHER = 3
};

/**
 * Opens the app (UC1.2): once for each attached client, and again whenever the operating system
 * hands the running app a universal link. The library knows whether a flow is under way: where one
 * is, LAUNCH counts as RESUME and nothing is lost; where none is, RESUME counts as LAUNCH.
 *
 * @param startup        WALLET_CORE_STARTUP_...
 * @param universal_link the link that opened the app; NULL or empty if there is none. Kept in
 *                       guarded memory until the wallet is unlocked; the newest wins. One of more
 *                       than 2048 bytes or not in UTF-8 stops no start: it is refused as links are,
 *                       by a notice.
 * @return OK (a step follows); INVALID_ARGUMENT; CLIENT_DETACHED; OUT_OF_RESOURCES; NOT_INITIALIZED;
 *         FORKED. Never waits. Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_open_app(
    wallet_core_client client, int32_t startup, const char *WALLET_CORE_NULLABLE universal_link,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Answers the current step with one of its actions.
 *
 * @param serial       the serial of the step that the user saw.
 * @param action       one of the step's actions, e.g. "next"; 1 to 64 bytes.
 * @param input        a PIN for the action "enter"; copied into guarded memory. Else NULL.
 * @param input_length in bytes.
 * @return OK (another step follows); STALE_STEP; PIN_REFUSED (an input that is not
 *         WALLET_CORE_PIN_LENGTH digits, whatever the serial; "enter" of the current step without
 *         one; the step stays current); INVALID_ARGUMENT (not
 *         an action of this step, or input where none is wanted; the step stays current);
 *         INVALID_UTF8; CLIENT_DETACHED; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *
 * Never waits. Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_choose(
    wallet_core_client client, uint64_t serial, const char *WALLET_CORE_NULLABLE action,
    const uint8_t *WALLET_CORE_NULLABLE input, size_t input_length,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Answers a step that wants a scan (WALLET_CORE_INPUT_SCAN) with what was scanned.
 *
 * @param symbology    WALLET_CORE_SYMBOLOGY_...
 * @param bytes        the raw bytes, not a text made of them; 1 to 4096. Copied.
 * @return as wallet_core_choose(). Never waits. Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_choose_scanned(
    wallet_core_client client, uint64_t serial, int32_t symbology,
    const uint8_t *WALLET_CORE_NULLABLE bytes, size_t length,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Sets the step stream: the callback receives a STEP event with the current step exactly once, if
 * there is one, then one for every shown step, coalesced to the latest. Parameters, replacement,
 * status and threads as for wallet_core_set_wakeup(). Since 0.2.
 */
wallet_core_status wallet_core_set_step_stream(
    wallet_core_client client,
    wallet_core_event_callback WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE callback,
    void *WALLET_CORE_NULLABLE context,
    wallet_core_destroy WALLET_CORE_NULLABLE WALLET_CORE_SENDABLE destroy,
    uint64_t *WALLET_CORE_NULLABLE token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/** Clears the step stream. As wallet_core_clear_wakeup(). Since 0.2. */
wallet_core_status wallet_core_clear_step_stream(
    wallet_core_client client, uint64_t token,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/*
 * Reading a STEP event. Of other events and NULL the numbers are 0 and the texts empty. What is
 * returned is borrowed from the event. Any thread.
 */

/** The serial to choose with. Since 0.2. */
uint64_t wallet_core_event_step_serial(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The published number of the use case, e.g. "UC2.3" or "PF2.8". Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_use_case(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The row of the use case's table, e.g. "1.3"; for an error the row that failed. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_row(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** WALLET_CORE_STEP_...; 0 if it is no step. Since 0.2. */
int32_t wallet_core_event_step_kind(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The stable name, e.g. "open-with-pin": what hosts choose their drawing by. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_name(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The English default of the title. Hosts localise by name and arguments. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_title(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The English default of the message, arguments filled in; may be empty. An empty line parts its
    paragraphs; where a paragraph has a second line, the first is its heading. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_message(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The name of the screen beneath a prompt; empty where there is none. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_beneath(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** WALLET_CORE_INPUT_...: what the step wants entered. Since 0.2. */
int32_t wallet_core_event_step_input(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** How many actions the user can choose from; the first is the one to make the main button. Since
    0.2. */
size_t wallet_core_event_step_action_count(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The stable name of an action, for wallet_core_choose(); empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_action(const wallet_core_event *WALLET_CORE_NULLABLE event, size_t index);

/** The English default of an action's label; empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_action_label(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t index);

/*
 * The arguments of steps. Each step has those that it speaks of; more may come in later versions.
 * Durations are in milliseconds, from the moment the step was shown, on a clock that includes sleep.
 *
 *   account_label          text    whose account an enrolment code is for, masked (UC3.1 5c)
 *   app_version            text    as the host gave it (UC9.2)
 *   attempts_left          number  of PINs in this round; of scans and licences, told from two downwards
 *   biometrics             text    "any", "fingerprint" or "face": what to call it
 *   blocked_for_ms         number  until PINs are taken again
 *   configuration_version  number  of the configuration in force (UC9.2)
 *   core_version           text    of this library (UC9.2)
 *   failure                text    what is between the user and the PID: a code like "doc.expired", all
 *                                  of them in the article on UC3.1
 *   has_pid                truth   whether the wallet has a PID
 *   is_biometric_unlock_enabled truth
 *   is_final_round         truth   whether the next block is for good
 *   link                   text    what a hand-off is to open; it may hold a secret of whoever made it
 *   locks_in_ms            number  until inactivity locks (UC9.7)
 *   may_close_app          truth   the step's exit ends the identity proofing: a host may close the app
 *   minimum_age            number  in years, to be proofed
 *   pin_length             number  of digits
 *   protection             text    "pin" or "pin-and-biometrics" (UC2.1 1.9)
 *   reason                 text    why a PIN is too simple, or a code of no use
 *   reasons                text    several codes as in `failure`, separated by commas (UC3.1 2a)
 *   reference              text    for support, which finds the failure by it; nothing of the person
 *   retry_after_ms         number  until trying again makes sense
 *   status_name            text    what failed, a status without WALLET_CORE_ERROR_ (steps of errors)
 */

/**
 * A number or truth value (1 or 0) among the arguments.
 *
 * @param name  of the argument.
 * @param value receives it; 0 if there is none. May be NULL.
 * @return 1 if there is a number of that name, else 0. Since 0.2.
 */
int32_t wallet_core_event_step_number(
    const wallet_core_event *WALLET_CORE_NULLABLE event, const char *WALLET_CORE_NULLABLE name,
    int64_t *WALLET_CORE_NULLABLE value);

/** A text among the arguments; empty if there is none of that name. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_text(
    const wallet_core_event *WALLET_CORE_NULLABLE event, const char *WALLET_CORE_NULLABLE name);

/** How many notices (short news on top of the step) there are. Since 0.2. */
size_t wallet_core_event_step_notice_count(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** The stable name of a notice, e.g. "link-invalid"; empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_notice(const wallet_core_event *WALLET_CORE_NULLABLE event, size_t index);

/* ============================================================================================ */
/* 11. Cards                                                                                    */
/* ============================================================================================ */

/*
 * A card is a credential that lies in the vault: sealed under the vault key, readable and usable only
 * while the wallet is unlocked. The identity proofing (UC3.1) ends with one, the PID ("pid"): an
 * SD-JWT VC (RFC 9901, typ dc+sd-jwt) bound to a key of the signing-key bridge. Its issuer says in the
 * claim "verification" what was checked, and claims no level of assurance beyond that.
 *
 * What a card says of its owner is in the completions here and in no other event, log or error. Draw
 * it, and free the event. A lock ends completions that nobody has taken yet with LOCKED.
 */

/**
 * Request: reads the cards of the unlocked wallet. The completion has them in the order in which they
 * are shown, see wallet_core_event_card_count(); none is OK.
 *
 * @return OK (one completion follows); LOCKED; VERSION_BLOCKED; CLIENT_DETACHED; BUSY;
 *         OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED. The completion: OK; LOCKED (also when a lock
 *         came before it was taken); VERSION_BLOCKED (when a block came); NOT_REGISTERED; CANCELLED;
 *         those of sections "platform" and "storage".
 *
 * Any thread, in callbacks. Since 0.3.
 */
wallet_core_status wallet_core_cards(
    wallet_core_client client, uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/**
 * Request: presents a card to a verifier: the card with the chosen claims disclosed and all others
 * withheld, signed with the key that it is bound to for this verifier and this nonce (RFC 9901
 * section 4.3). Needs no network. Ask the user first.
 *
 * @param card        the id of a card, e.g. "pid"; 1 to 64 bytes.
 * @param claims      names of claims to disclose, among the card's disclosable ones; each 1 to 64
 *                    bytes, no name twice. May be NULL where `claim_count` is 0: then only what
 *                    cannot be withheld is shown.
 * @param claim_count at most 64.
 * @param nonce       what the verifier gave, so that nobody can present this a second time; 1 to 512
 *                    bytes.
 * @param audience    who the verifier is, as agreed with it; 1 to 512 bytes.
 * @return OK (one completion follows, with wallet_core_event_presentation()); INVALID_ARGUMENT;
 *         INVALID_UTF8; and as wallet_core_cards(). The completion: OK; LOCKED; CARD_UNKNOWN;
 *         CARD_EXPIRED; INVALID_ARGUMENT (the card has no such disclosable claim; the message names
 *         those it has); CARD_KEY_LOST; and as
 *         wallet_core_cards().
 *
 * Any thread, in callbacks. Since 0.3.
 */
wallet_core_status wallet_core_present(
    wallet_core_client client, const char *WALLET_CORE_NULLABLE card,
    const char *WALLET_CORE_NULLABLE const *WALLET_CORE_NULLABLE claims, size_t claim_count,
    const char *WALLET_CORE_NULLABLE nonce, const char *WALLET_CORE_NULLABLE audience,
    uint64_t *WALLET_CORE_NULLABLE request,
    wallet_core_error *WALLET_CORE_NULLABLE *WALLET_CORE_NULLABLE error);

/*
 * Reading the completion of wallet_core_cards() or wallet_core_present(). Of other events, NULL and
 * beyond the counts the numbers are 0 and the texts empty. What is returned is borrowed from the
 * event. Any thread. wallet_core_event_json() has the same, with the structure of the claims.
 */

/** How many cards there are. Since 0.3. */
size_t wallet_core_event_card_count(const wallet_core_event *WALLET_CORE_NULLABLE event);

/** A text of a card: "id", "type" (the vct), "issuer", "issued_at" and "expires_at" (RFC 3339, UTC);
    empty for other names. Since 0.3. */
const char *WALLET_CORE_NONNULL wallet_core_event_card_text(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card,
    const char *WALLET_CORE_NULLABLE name);

/** 1 if the card has expired by the provider's clock, else 0. Since 0.3. */
int32_t wallet_core_event_card_is_expired(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card);

/** How many claims a card has, those inside of claims counted one by one. Since 0.3. */
size_t wallet_core_event_card_claim_count(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card);

/** The name of a claim, e.g. "family_name", or "age_equal_or_over.18" for one inside of a claim; in
    alphabetical order. Since 0.3. */
const char *WALLET_CORE_NONNULL wallet_core_event_card_claim_name(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card, size_t claim);

/** The value of a claim as text; truth values are "true" and "false". Since 0.3. */
const char *WALLET_CORE_NONNULL wallet_core_event_card_claim_text(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card, size_t claim);

/** 1 if the claim is shown only where wallet_core_present() names it (its part before the dot), 0 if
    every verifier sees it. Since 0.3. */
int32_t wallet_core_event_card_claim_is_disclosable(
    const wallet_core_event *WALLET_CORE_NULLABLE event, size_t card, size_t claim);

/** The presentation for the verifier: an SD-JWT with key binding in compact form. Since 0.3. */
const char *WALLET_CORE_NONNULL
wallet_core_event_presentation(const wallet_core_event *WALLET_CORE_NULLABLE event);

/* ============================================================================================ */
/* Layout, for hosts that write these structs by hand (64-bit platforms)                         */
/* ============================================================================================ */

#if UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
#if defined(__cplusplus) && __cplusplus >= 201103L
#define WALLET_CORE_ASSERT_SIZE(type, size) static_assert(sizeof(type) == (size), #type)
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define WALLET_CORE_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#endif
#ifdef WALLET_CORE_ASSERT_SIZE
WALLET_CORE_ASSERT_SIZE(wallet_core_signing_key_bridge, 64);
WALLET_CORE_ASSERT_SIZE(wallet_core_encryption_key_bridge, 56);
WALLET_CORE_ASSERT_SIZE(wallet_core_utilities_bridge, 80);
WALLET_CORE_ASSERT_SIZE(wallet_core_configuration_key, 40);
WALLET_CORE_ASSERT_SIZE(wallet_core_options, 112);
#undef WALLET_CORE_ASSERT_SIZE
#endif
#endif

WALLET_CORE_END_DECLARATIONS

#ifdef __cplusplus
}
#endif

#endif /* WALLET_CORE_H */
