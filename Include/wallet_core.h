/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wallet_core.h - a digital-identity wallet without a user interface.
 *
 * libwallet_core is a digital-identity wallet behind a C ABI. A host in any language provides the
 * user interface and the platform's key store. The library provides start-up and rebind, a remote
 * PIN that cannot be guessed offline, biometric unlock, update policy, identity proofing and a PID
 * that verifiers can check, and it runs the use cases of a wallet ("flows"). This file is its only
 * interface and its manual. It states everything that is promised, together with the article on the
 * names of steps (section 10).
 *
 * ---------------------------------------------------------------------------------------------
 * Life cycle
 *
 *      platform thread                                user-interface thread
 *      ---------------                                ---------------------
 *      wallet_core_init_platform_support(...)         wallet_core_is_initialized()
 *        hands over three bridges, at any time,         0: wallet_core_init(&options, &error)
 *        before or after init, in parallel              1: the engine is a new one: rebind, below
 *                                                     wallet_core_client_attach("app", ...)
 *                                                     wallet_core_set_configuration_stream(...)
 *                                                     wallet_core_set_lock_stream(...)
 *                                                     wallet_core_open_app(...), or requests
 *
 * A process has one wallet, from the first successful init until the process ends. Init needs no
 * network and no bridge. Calling it again does nothing; after a failure it can be retried. The
 * wallet always starts locked. There is no shutdown call: the process may be killed at any moment,
 * and the next start continues from what was stored.
 *
 * ---------------------------------------------------------------------------------------------
 * Two ways to use it
 *
 *   flows        wallet_core_open_app() starts them. Each STEP event describes what the user sees
 *                and can do, and wallet_core_choose() passes on what the user chose. The library
 *                runs the use cases: introduction, PIN set-up, unlock, identity proofing, sharing
 *                data, logging in, history, blocks, locks, wipe (section 10).
 *   own screens  The host makes requests such as wallet_core_register() and wallet_core_unlock()
 *                and handles their completions (sections 8 and 9). A host that does not call
 *                wallet_core_open_app() receives no steps. It has to tell its user of another
 *                wallet that waits to take the place of this one: see
 *                wallet_core_event_replacement_session().
 *
 * Identity proofing is available as a flow only. Cards and the history are read by requests in both
 * cases (sections 11 and 12). The flows share data and log in by themselves; a host with its own
 * screens does that by the requests of section 12.
 *
 * The two ways can be mixed: the flows notice what requests change and continue from there. In
 * both, the host reports foreground, background and user activity to
 * wallet_core_notify_lifecycle().
 *
 * ---------------------------------------------------------------------------------------------
 * Clients and events
 *
 * A client is one user-interface engine. Each client has a queue of events: the current value and
 * every change of the streams (configuration, lock state, version state, step), word that cards have
 * changed, and one completion for each request that it made. A stream keeps only its latest value in the queue; completions are
 * never dropped. A client can have at most 64 requests whose completion it has not taken yet.
 *
 * A host receives events in one of three ways, whichever suits its language:
 *
 *   pull      wallet_core_client_next_event() waits on a thread of the host;
 *             wallet_core_client_interrupt() ends the wait. For Python, Go, JVM threads, Dart helper
 *             isolates.
 *   wake-up   wallet_core_set_wakeup() sets a callback that only signals that events are waiting.
 *             The host drains the queue on its own loop by wallet_core_client_next_event() with a
 *             timeout of 0. For event loops.
 *   push      wallet_core_set_event_callback() sets a callback that receives each event on a thread
 *             of the library. For C, C++, Swift, JNI.
 *
 * wallet_core_set_configuration_stream(), wallet_core_set_lock_stream(),
 * wallet_core_set_version_state_stream(), wallet_core_set_step_stream() and
 * wallet_core_set_cards_stream() filter push by kind: while one of them is set, events of its kind
 * go to its callback only.
 *
 * ---------------------------------------------------------------------------------------------
 * Threads
 *
 * Every function may be called from any thread, unless its comment says otherwise. Host code
 * (callbacks, bridge functions, destroy functions, the log callback, thread hooks) runs only on
 * threads that the library created, with no lock of the library held, an empty signal mask and a
 * thread name starting with "wallet_core". Each client has its own delivery thread, so a host that
 * blocks in a callback delays only itself. Bridge functions that may prompt the user run on one
 * thread, those of the HTTP bridge on a second, all others on a third, at the same time. If a bridge
 * function does not return within 10 seconds, a new thread runs the calls behind it. Loading the
 * library starts no thread.
 *
 * Inside a callback every function may be called except wallet_core_client_detach(),
 * wallet_core_client_next_event() and wallet_core_init(), inside a bridge function also except
 * wallet_core_has_registration(): these return REENTRANT. Inside a wake-up callback, call no
 * function of the library.
 *
 * The requests that may ask the provider or a relying party (register, unlock, check or change the
 * PIN, ask for its state, decide on a replacement, present, begin, confirm or refuse sharing, enable
 * biometric unlock) are done one after another in the order of the calls, and so are those that need
 * only this device (cards, activities, choose a sharing option, unlock with or disable biometrics).
 * The latter do not wait for the former: while a PIN waits for the provider, cards can be read and
 * biometrics unlock, and each request has its own outcome. A relying party that does not answer
 * delays what comes after it among the former by 10 seconds at most for each of its answers. Across
 * both kinds, a wipe keeps its
 * place and runs alone, and enabling and disabling biometric unlock keep their order. Until the
 * storage is open, which the first request after init or a wipe opens, all requests keep their
 * order. An unlock with biometrics does not overtake a disabling. It does not wait for an enabling:
 * until that is complete, what was enabled before unlocks.
 *
 * One rule prevents deadlocks: do not hold a lock that your callback needs while you call a clear
 * or detach function, because these wait for the running callback. In Python, load the library with
 * CDLL: PyDLL holds the interpreter's lock during calls.
 *
 * ---------------------------------------------------------------------------------------------
 * Ownership
 *
 *   - Arguments are borrowed for the duration of the call; the library copies what it keeps.
 *   - What a function returns through a pointer to a pointer, and each event passed to a callback,
 *     is yours: free it with the function that its comment names. Freeing NULL does nothing.
 *   - What a getter returns is borrowed from its object and valid until that object is freed.
 *   - The library never frees your memory, and you never call free() on the library's.
 *   - A context with a destroy function is released by calling that function exactly once, after
 *     the last possible use: when its callback or bridge is cleared or replaced, or its client
 *     detached. If setting the callback or bridge fails, the context stays yours. Contexts of an
 *     abandoned or taken-over client are never touched again, and therefore not released either.
 *
 * Text is NUL-terminated UTF-8. Bytes and secrets are a pointer and a length. Truth values are
 * int32_t, 0 or 1. A PIN is passed as bytes, never as a string; the library copies it once into
 * guarded memory and wipes the copy after use. wallet_core_memzero() wipes the host's own copy.
 *
 * Every pointer argument may be NULL: where the comment does not say what that means, the call
 * returns INVALID_ARGUMENT. Every enumeration has a type and a prefix of its own, so compilers that
 * know such types (clang, C++, Swift, C23) warn of a comparison with a constant of another one.
 * Later versions may add constants.
 *
 * Names begin with what a function reads or changes: wallet_core_error_... an error,
 * wallet_core_client_... a client, wallet_core_event_... an event, and then the subject of the
 * event (version_, pin_, replacement_, step_, card_). wallet_core_set_... and wallet_core_clear_...
 * act on the delivery to a client, which is their first argument. All others act on the wallet.
 *
 * ---------------------------------------------------------------------------------------------
 * Errors
 *
 * A function that can fail returns a wallet_core_status: WALLET_CORE_OK (0) or a negative code. Its
 * parameter `error` may be NULL. If it is not, a failure stores an error object there, and a
 * success stores NULL. An error has a code, a category, a message for developers and, for some
 * codes, data as JSON. Later versions may add codes and categories: treat an unknown code by its
 * category, and an unknown category as a general failure. No argument, order of calls or thread
 * makes the library trap or exit.
 *
 * A request (register, unlock, check or change the PIN, biometric unlock, cards, wipe) either fails
 * at once, and then nothing follows, or returns WALLET_CORE_OK and a request id, and then exactly
 * one completion event follows. A wrong PIN is not an error: its completion has the status OK, a
 * PIN outcome and the attempts left. Every completion can also have the status OUT_OF_RESOURCES,
 * after which trying again helps.
 *
 * ---------------------------------------------------------------------------------------------
 * Rebind: a new engine in the same process
 *
 * On phones the user-interface engine can be destroyed and created anew while the process, and the
 * library in it, goes on. The new engine finds wallet_core_is_initialized() == 1 and attaches with
 * WALLET_CORE_ATTACH_TAKE_OVER: the old client of the same name is abandoned, even while its
 * callbacks run, the wallet is locked, and the new client receives the current value of every
 * stream. A set-up of the account that the flows have begun (section 10) continues. A client ends
 * in one of three ways:
 *
 *   detach     waits until the client's callbacks have returned and its contexts are released. For
 *              an orderly end.
 *   abandon    never waits and never calls the host. For finalizers, exit handlers and dead
 *              engines; not for signal handlers.
 *   take over  the new client abandons the old one. For engines that end without notice.
 *
 * A host whose function pointers may dangle after its engine ended (Dart) should use pull, or
 * wake-up with a native shim: abandon cannot stop a call that is already inside host code.
 *
 * ---------------------------------------------------------------------------------------------
 * After a kill, a lost key or a damaged file
 *
 * The next start is always in one of these states: not registered; registered and locked;
 * STORAGE_CORRUPT or STORAGE_KEY_LOST, where wallet_core_wipe() starts over; STORAGE_UNAVAILABLE,
 * STORAGE_FULL or STORAGE_IN_USE, where nothing was changed and a retry helps once the cause is
 * gone; ACCOUNT_DIVERGED, where the provider no longer accepts this copy of the wallet and
 * wallet_core_wipe() starts over. An interrupted registration is completed by the next
 * wallet_core_register(), with any PIN, in the same account. An interrupted change of the PIN has
 * either happened or not: exactly one of the two PINs opens the wallet, see
 * wallet_core_change_pin().
 *
 * ---------------------------------------------------------------------------------------------
 * Environment
 *
 *   fork       After init the child of a fork must not use the library: calls return FORKED, and
 *              wallet_core_is_initialized() returns 0. A child that was forked before init may call
 *              init and use the library, but only on threads that it starts itself. The thread that
 *              forked is excluded because Swift's runtime knows it by its number in the parent. If
 *              another thread was inside wallet_core_init(), a function that hands bridges over or
 *              one that replies to them at the fork, the calls of the child return FORKED too: it
 *              could inherit a lock that nobody releases. fork followed by exec is fine.
 *   signals    The library changes no signal disposition and no signal mask of the host's threads.
 *              Its Swift runtime installs crash handlers only if SWIFT_BACKTRACE=enable=yes is set.
 *   dlclose    The library stays mapped (it is linked with -z nodelete).
 *   exit       Safe at any time, also while events are delivered. An atexit handler waits until no
 *              thread of the library is inside libcurl: some milliseconds, at most 5 seconds.
 *   callbacks  No exception and no longjmp may leave host code into the library.
 *   files      The storage path belongs to the library; keep it out of backups. Only one process at
 *              a time may use it.
 *   HTTP       Goes by the HTTP bridge if the host has handed one over (section 4), otherwise by
 *              libcurl, which is loaded at the first request. With neither, requests to the
 *              provider end in TRANSPORT_MISSING.
 *   provider   The answer to a message is awaited for 30 seconds, however slowly it arrives. If it
 *              is lost, the message is sent once more, and its answer is awaited for the rest of
 *              the 30 seconds, but for at least 5. Then the request ends in SERVER_UNREACHABLE. An
 *              unlock has two messages. If the provider may have counted an attempt at the PIN and
 *              says when to come again (HTTP 429 or 503), the message is sent again within these
 *              times. A lock or a cancellation in between stops the request for an attempt and a
 *              decision about a replacement. The answer to an attempt is sent all the same, because
 *              the attempt is lost otherwise. The end of a registration and a wipe wait for less,
 *              see there.
 *
 * Versions: this header is additive within one WALLET_CORE_ABI_VERSION. Structs grow only at their
 * end and start with struct_size, so that old hosts and new libraries are compatible. "Since" names
 * the version that brought something. Between two releases this header keeps the number of the last
 * one, and what is new names the next one.
 */
#ifndef WALLET_CORE_H
#define WALLET_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define WALLET_CORE_BEGIN_DECLARATIONS                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") \
      _Pragma("clang diagnostic ignored \"-Wnullability-completeness\"")                           \
          _Pragma("clang diagnostic ignored \"-Wmicrosoft-fixed-enum\"")                           \
              _Pragma("clang diagnostic ignored \"-Wpedantic\"")
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

/*
 * An enumeration is a type of its own with the size and the range of int32_t. Where the compiler
 * cannot declare such a type, as gcc for C before C23, it is int32_t.
 */
#if defined(__clang__) || (defined(__cplusplus) && __cplusplus >= 201103L) || \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define WALLET_CORE_INT32 : int32_t
#define WALLET_CORE_ENUM(name) enum name
#else
#define WALLET_CORE_INT32
#define WALLET_CORE_ENUM(name) int32_t
#endif

#ifdef __cplusplus
extern "C" {
#endif

WALLET_CORE_BEGIN_DECLARATIONS

/* ============================================================================================ */
/* 1. Versions                                                                                  */
/* ============================================================================================ */

/** Changes only when hosts built against an older header would break. Also in the soname. */
#define WALLET_CORE_ABI_VERSION 2
#define WALLET_CORE_VERSION_MAJOR 0
#define WALLET_CORE_VERSION_MINOR 4
#define WALLET_CORE_VERSION_PATCH 0

/**
 * The ABI version of the loaded library; compare it with WALLET_CORE_ABI_VERSION after loading.
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

/** The result of a call or a request: WALLET_CORE_OK, or a negative code. */
enum wallet_core_status WALLET_CORE_INT32 {
  /** Success. */
  WALLET_CORE_OK = 0,

  /* Use of the library. */
  /** An argument is NULL, too long, out of range or otherwise not as the comment requires. */
  WALLET_CORE_ERROR_INVALID_ARGUMENT = -1,
  /** A text is not well-formed UTF-8. */
  WALLET_CORE_ERROR_INVALID_UTF8 = -2,
  /** wallet_core_init() has not succeeded yet. */
  WALLET_CORE_ERROR_NOT_INITIALIZED = -3,
  /** The process was forked after init; the child must not use the library. */
  WALLET_CORE_ERROR_FORKED = -4,
  /** Not allowed on a thread that is inside a callback or a bridge function. */
  WALLET_CORE_ERROR_REENTRANT = -5,
  /** Another thread waits in wallet_core_client_next_event(), 64 requests are open, 1024 events
      are not freed, or the client name is in use. */
  WALLET_CORE_ERROR_BUSY = -6,
  /** The timeout has passed. */
  WALLET_CORE_ERROR_TIMEOUT = -7,
  /** wallet_core_client_interrupt() ended the wait. */
  WALLET_CORE_ERROR_INTERRUPTED = -8,
  /** The request was cancelled, or the wallet was locked while it ran. */
  WALLET_CORE_ERROR_CANCELLED = -9,
  /** The client is detached, abandoned or taken over, or never existed. */
  WALLET_CORE_ERROR_CLIENT_DETACHED = -10,
  /** Not available in this build or on this platform. */
  WALLET_CORE_ERROR_UNSUPPORTED = -11,
  /** The bridge call was already answered, cancelled or timed out, or never existed. Harmless. */
  WALLET_CORE_ERROR_UNKNOWN_CALL = -12,
  /** No memory, thread or file descriptor is available; nothing was changed on the device. */
  WALLET_CORE_ERROR_OUT_OF_RESOURCES = -13,
  /** A defect in the library; please report the message. */
  WALLET_CORE_ERROR_INTERNAL = -14,

  /* The platform behind the bridges. */
  /** No bridges were handed over within 10 seconds of being needed. */
  WALLET_CORE_ERROR_PLATFORM_NOT_READY = -20,
  /** A required function of a bridge is NULL; the message names it. */
  WALLET_CORE_ERROR_BRIDGE_INCOMPLETE = -21,
  /** A bridge replied with a failure, or with bytes that are not as its comment requires. */
  WALLET_CORE_ERROR_BRIDGE_FAILED = -22,
  /** A bridge call that cannot prompt the user was not answered within 10 seconds, or no thread
      could be started for a call. */
  WALLET_CORE_ERROR_BRIDGE_TIMEOUT = -23,
  /** The device or its key store is not secure enough: no hardware key, no device lock. */
  WALLET_CORE_ERROR_DEVICE_INSECURE = -24,

  /* Configuration. */
  /** The embedded configuration or a signing key in the options is invalid; see the message. */
  WALLET_CORE_ERROR_CONFIGURATION_INVALID = -30,

  /* The state of the wallet. */
  /** This installation has no wallet yet: register first. */
  WALLET_CORE_ERROR_NOT_REGISTERED = -40,
  /** There already is a wallet: unlock it, or wipe it first. */
  WALLET_CORE_ERROR_ALREADY_REGISTERED = -41,
  /** The PIN does not meet the policy, or a new PIN equals the former one; the data says why. */
  WALLET_CORE_ERROR_PIN_REFUSED = -42,
  /** The provider no longer accepts this copy of the wallet (restored image, deleted account). */
  WALLET_CORE_ERROR_ACCOUNT_DIVERGED = -43,
  /** The update policy blocks this app version; the data says whether an update is available. */
  WALLET_CORE_ERROR_VERSION_BLOCKED = -44,
  /** The serial is not that of the current step, because of a double tap or because the step has
      passed. Nothing happened. */
  WALLET_CORE_ERROR_STALE_STEP = -45,
  /** Biometric unlock is not enabled, or its key is gone. */
  WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED = -46,
  /** Biometrics were not recognised, refused, cancelled or not available; the data says which. */
  WALLET_CORE_ERROR_BIOMETRICS_FAILED = -47,
  /** The wallet is locked: unlock it first. */
  WALLET_CORE_ERROR_LOCKED = -48,

  /* Storage. */
  /** The storage path is missing, not a directory, read-only or failing. */
  WALLET_CORE_ERROR_STORAGE_UNAVAILABLE = -50,
  /** No space left; nothing was changed. */
  WALLET_CORE_ERROR_STORAGE_FULL = -51,
  /** The stored wallet is damaged, or was written by an earlier version that is no longer read;
      wipe to start over. */
  WALLET_CORE_ERROR_STORAGE_CORRUPT = -52,
  /** Another process uses the storage path. */
  WALLET_CORE_ERROR_STORAGE_IN_USE = -53,
  /** The platform key that opens the stored wallet, or that the provider knows the wallet by, is
      gone or has been replaced; wipe to start over. */
  WALLET_CORE_ERROR_STORAGE_KEY_LOST = -54,

  /* The provider. */
  /** The device has no route to the network or no name resolution. */
  WALLET_CORE_ERROR_NO_INTERNET = -60,
  /** The device is online, but the provider does not answer, answers 5xx, fails TLS or sends no
      current configuration. */
  WALLET_CORE_ERROR_SERVER_UNREACHABLE = -61,
  /** The provider refused the request, or its answer is invalid; nothing was changed. */
  WALLET_CORE_ERROR_SERVER_REFUSED = -62,
  /** libcurl could not be loaded; the message names the package. */
  WALLET_CORE_ERROR_TRANSPORT_MISSING = -63,

  /* Cards. */
  /** There is no such card. */
  WALLET_CORE_ERROR_CARD_UNKNOWN = -70,
  /** The card has expired: it can be shown but not presented. To replace it, have the user scan a
      new enrolment code (UC9.9). */
  WALLET_CORE_ERROR_CARD_EXPIRED = -71,
  /** The platform has lost the key of the copy that was to be used: the next try takes another copy.
      If none is left, the card can be shown but not presented. The wallet itself is intact; replace
      the card as for CARD_EXPIRED. Since 0.5. */
  WALLET_CORE_ERROR_CARD_KEY_LOST = -72,
  /** The signing-key bridge makes Ed25519 keys, but cards are bound to P-256 keys: this host obtains
      no card, not even the PID. The wallet itself is not affected. Since 0.5. */
  WALLET_CORE_ERROR_CARD_KEY_UNSUPPORTED = -73,
  /** The card was not taken, or cannot be used: the message or the data says why, see
      wallet_core_present(). Since 0.5. */
  WALLET_CORE_ERROR_CARD_REFUSED = -74,

  /* Relying parties. */
  /** The request of a relying party is not answered, and nothing was shared; "reason" in the data
      says why, see wallet_core_begin_sharing(). Since 0.5. */
  WALLET_CORE_ERROR_REQUEST_REFUSED = -80,
  /** The request is over, or was never begun: the user starts again at the relying party. Since
      0.5. */
  WALLET_CORE_ERROR_REQUEST_EXPIRED = -81
};
typedef WALLET_CORE_ENUM(wallet_core_status) wallet_core_status;

/** The category of an error, by which a host can react without knowing every code. */
enum wallet_core_category WALLET_CORE_INT32 {
  /** The host used the library incorrectly: a defect in the host. */
  WALLET_CORE_CATEGORY_USAGE = 1,
  /** The wallet's state does not allow the call: not registered, locked, PIN refused. */
  WALLET_CORE_CATEGORY_WALLET_STATE = 2,
  /** The device has no internet. */
  WALLET_CORE_CATEGORY_NETWORK = 3,
  /** The provider cannot be reached, or refused the request. */
  WALLET_CORE_CATEGORY_SERVER = 4,
  /** A bridge, its key store or the device failed. */
  WALLET_CORE_CATEGORY_PLATFORM = 5,
  /** The storage path, or what is stored in it, cannot be used. */
  WALLET_CORE_CATEGORY_STORAGE = 6,
  /** Cancelled, interrupted, timed out or busy: nothing is wrong, and trying again is possible. */
  WALLET_CORE_CATEGORY_TRANSIENT = 7,
  /** A defect in the library. */
  WALLET_CORE_CATEGORY_INTERNAL = 8
};
typedef WALLET_CORE_ENUM(wallet_core_category) wallet_core_category;

/** An error: immutable, usable on any thread, and valid after its client has ended. */
typedef struct wallet_core_error wallet_core_error;

/** The wallet_core_status of `error`; WALLET_CORE_OK for NULL. Any thread. Since 0.1. */
wallet_core_status wallet_core_error_code(const wallet_core_error *error);

/** One of WALLET_CORE_CATEGORY_...; 0 for NULL. Any thread. Since 0.1. */
wallet_core_category wallet_core_error_category(const wallet_core_error *error);

/**
 * The message: what happened and what a developer can do about it. English, without user data, not
 * meant for users.
 *
 * @param error  NULL gives the empty text.
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `error`. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL
wallet_core_error_message(const wallet_core_error *error, size_t *length);

/**
 * Details of the error as a JSON object with "schema": 1, e.g. {"schema":1,"reason":"sequence"} for
 * PIN_REFUSED or {"schema":1,"host_code":-1007} for BRIDGE_FAILED; "{}" where there is none.
 *
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `error`. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL
wallet_core_error_data(const wallet_core_error *error, size_t *length);

/** Frees `error`; NULL does nothing. Errors of events are freed with their event. Since 0.1. */
void wallet_core_error_free(wallet_core_error *error);

/**
 * The name of a status, e.g. "STORAGE_FULL"; "UNKNOWN" for a code that this library does not know.
 * Static, never freed. Any thread, before init. Since 0.1.
 */
const char *WALLET_CORE_NONNULL wallet_core_status_name(wallet_core_status status);

/* ============================================================================================ */
/* 3. Memory                                                                                    */
/* ============================================================================================ */

/**
 * Overwrites `length` bytes at `memory` with zeros; the compiler never removes the call. For hosts
 * that cannot wipe their copy of a PIN themselves. NULL does nothing. Any thread, before init.
 * Since 0.1.
 */
void wallet_core_memzero(void *memory, size_t length);

/** Releases a context. Called exactly once, on a thread of the library. */
typedef void (*wallet_core_destroy)(void *context);

/* ============================================================================================ */
/* 4. Bridges: what the library needs from the platform                                         */
/* ============================================================================================ */

/*
 * A bridge is a struct of functions with a context. Each function returns nothing. It receives a
 * call id and is answered by wallet_core_bridge_reply(), inside the function or later, from any
 * thread. Arguments stay valid until the reply. Those of a call that timed out or was cancelled
 * stay valid for a late reply, until 64 more calls have ended like that. A plaintext is wiped when
 * its call has ended and then reads as zeros. Calls may overlap. A call that cannot prompt the user
 * ends in BRIDGE_TIMEOUT 10 seconds after its function was entered. A call that may prompt the user
 * has no deadline: it ends by the reply or by `cancel`. Either ends in BRIDGE_TIMEOUT if for 10
 * seconds no thread can be started for it.
 *
 * The library chooses the identifiers of keys: at most 64 characters of a-z, 0-9, '.', '_' and '-'.
 * The two key bridges have separate name spaces.
 */

/** The status of a bridge's reply. */
enum wallet_core_bridge_status WALLET_CORE_INT32 {
  /** Success; the bytes are as the function's comment says. */
  WALLET_CORE_BRIDGE_OK = 0,
  /** The user's finger or face was not recognised. The reply may have one byte: how many times. */
  WALLET_CORE_BRIDGE_NOT_RECOGNISED = 1,
  /** The user closed the prompt. */
  WALLET_CORE_BRIDGE_CANCELLED_BY_USER = 2,
  /** The platform refuses biometrics for some time. */
  WALLET_CORE_BRIDGE_LOCKED_OUT = 3,
  /** The platform refuses biometrics until the device credential is entered. */
  WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY = 4,
  /** No biometrics are enrolled. */
  WALLET_CORE_BRIDGE_NOT_ENROLLED = 5,
  /** The key was invalidated, e.g. because the enrolled biometrics changed. */
  WALLET_CORE_BRIDGE_KEY_INVALIDATED = 6,
  /** There is no key with this identifier. */
  WALLET_CORE_BRIDGE_KEY_MISSING = 7,
  /** The key store, the device lock or the hardware cannot be used. */
  WALLET_CORE_BRIDGE_UNAVAILABLE = 8,

  /** From here to HOST_LAST are codes of the host's own. The error of the request has the code in
      its data, as "host_code". */
  WALLET_CORE_BRIDGE_HOST_FIRST = -1999,
  WALLET_CORE_BRIDGE_HOST_LAST = -1000
};
typedef WALLET_CORE_ENUM(wallet_core_bridge_status) wallet_core_bridge_status;

/** How an encryption key is protected. */
enum wallet_core_protection WALLET_CORE_INT32 {
  /** Usable whenever the process runs. */
  WALLET_CORE_PROTECTION_NONE = 0,
  /** Usable only after biometric recognition; invalidated when the enrolled biometrics change. */
  WALLET_CORE_PROTECTION_BIOMETRIC = 1
};
typedef WALLET_CORE_ENUM(wallet_core_protection) wallet_core_protection;

/** The kind of biometrics; a host that cannot tell uses ANY. */
enum wallet_core_biometrics WALLET_CORE_INT32 {
  WALLET_CORE_BIOMETRICS_ANY = 1,
  WALLET_CORE_BIOMETRICS_FINGERPRINT = 2,
  WALLET_CORE_BIOMETRICS_FACE = 3
};
typedef WALLET_CORE_ENUM(wallet_core_biometrics) wallet_core_biometrics;

/** The platform, whose conventions the flows follow. */
enum wallet_core_platform WALLET_CORE_INT32 {
  WALLET_CORE_PLATFORM_IOS = 1,
  WALLET_CORE_PLATFORM_ANDROID = 2
};
typedef WALLET_CORE_ENUM(wallet_core_platform) wallet_core_platform;

/**
 * Functions for signing keys that never leave the device's hardware. A key is P-256 (signatures are
 * ECDSA with SHA-256 in DER) or Ed25519 (64 bytes); its SubjectPublicKeyInfo says which. Cards need
 * P-256: with Ed25519 keys the wallet can be set up and unlocked but obtains no PID. There is one key
 * for the wallet and one for each copy of a card, ten for a PID; none of them may prompt the user.
 */
typedef struct wallet_core_signing_key_bridge {
  /** sizeof(wallet_core_signing_key_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_SENDABLE destroy)(void *context);
  /** Required. Replies the key's SubjectPublicKeyInfo (DER); creates the key if there is none. */
  void (*WALLET_CORE_SENDABLE public_key)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier);
  /** Required. Replies the signature over `payload`; KEY_MISSING if there is no such key. */
  void (*WALLET_CORE_SENDABLE sign)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      const uint8_t *WALLET_CORE_NONNULL payload, size_t payload_length);
  /** Required. Deletes the key; replies OK without bytes, also if there is no such key. */
  void (*WALLET_CORE_SENDABLE delete_key)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier);
  /** Optional. Replies the platform's attestation of the key for `challenge` (32 bytes). Without
      this function the provider records the wallet as unattested. */
  void (*WALLET_CORE_SENDABLE attest)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      const uint8_t *WALLET_CORE_NONNULL challenge, size_t challenge_length);
  /** Optional. The library no longer waits for `call`: close its prompt. Replies are harmless. Called
      on another thread than the function that is cancelled, perhaps before that function has returned
      or has opened its prompt: then remember the number and open no prompt for it. */
  void (*WALLET_CORE_SENDABLE cancel)(void *context, uint64_t call);
} wallet_core_signing_key_bridge;

/** Functions for keys that encrypt secrets of at most 1 KiB and never leave the hardware. */
typedef struct wallet_core_encryption_key_bridge {
  /** sizeof(wallet_core_encryption_key_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_SENDABLE destroy)(void *context);
  /** Required. Replies `plaintext` encrypted and authenticated, in a format of the host's choice
      and at most 1 KiB longer; creates the key with `protection` if there is none. With
      WALLET_CORE_PROTECTION_BIOMETRIC it may prompt the user. */
  void (*WALLET_CORE_SENDABLE encrypt)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      wallet_core_protection protection, const uint8_t *WALLET_CORE_NONNULL plaintext,
      size_t plaintext_length);
  /** Required. Replies the plaintext; KEY_MISSING if there is no such key (this function never
      creates one), KEY_INVALIDATED if the key can no longer decrypt this ciphertext. With
      WALLET_CORE_PROTECTION_BIOMETRIC it may prompt the user. */
  void (*WALLET_CORE_SENDABLE decrypt)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier,
      wallet_core_protection protection, const uint8_t *WALLET_CORE_NONNULL ciphertext,
      size_t ciphertext_length);
  /** Required. Deletes the key; replies OK without bytes, also if there is no such key. */
  void (*WALLET_CORE_SENDABLE delete_key)(
      void *context, uint64_t call, const char *WALLET_CORE_NONNULL identifier);
  /** Optional. As in wallet_core_signing_key_bridge. */
  void (*WALLET_CORE_SENDABLE cancel)(void *context, uint64_t call);
} wallet_core_encryption_key_bridge;

/** The reply of `camera_state`. */
enum wallet_core_camera WALLET_CORE_INT32 {
  /** The device has no camera that can scan. */
  WALLET_CORE_CAMERA_MISSING = 0,
  /** The camera may be used, or the user has not been asked yet. */
  WALLET_CORE_CAMERA_USABLE = 1,
  /** The user or a policy has denied access; only the system's settings can change that. */
  WALLET_CORE_CAMERA_DENIED = 2
};
typedef WALLET_CORE_ENUM(wallet_core_camera) wallet_core_camera;

/** Functions that report the state of the platform. All of them are optional, except that
    storage_path is required if the options of init give no path. */
typedef struct wallet_core_utilities_bridge {
  /** sizeof(wallet_core_utilities_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *context;
  /** Releases the context after the last call was answered or cancelled; may be NULL. */
  void (*WALLET_CORE_SENDABLE destroy)(void *context);
  /** Replies the absolute path (UTF-8, no NUL) of a directory that only the library uses and that
      is not backed up. */
  void (*WALLET_CORE_SENDABLE storage_path)(void *context, uint64_t call);
  /** Replies one byte: WALLET_CORE_BIOMETRICS_... if biometrics are present, enrolled and strong
      enough to protect a key, else 0. */
  void (*WALLET_CORE_SENDABLE biometrics_available)(void *context, uint64_t call);
  /** Replies one byte: 1 if the device has a lock and shows no sign of tampering, else 0. */
  void (*WALLET_CORE_SENDABLE device_secure)(void *context, uint64_t call);
  /** Replies one byte: 1 if the system reports an internet connection, else 0. */
  void (*WALLET_CORE_SENDABLE internet_reachable)(void *context, uint64_t call);
  /** Optional. As in wallet_core_signing_key_bridge. */
  void (*WALLET_CORE_SENDABLE cancel)(void *context, uint64_t call);
  /** WALLET_CORE_PLATFORM_IOS or WALLET_CORE_PLATFORM_ANDROID; 0 counts as Android. */
  wallet_core_platform platform;
  /** Always 0. */
  int32_t reserved;
  /** Replies one byte, WALLET_CORE_CAMERA_...; called before the identity proofing begins. NULL
      means that the camera counts as usable. Since 0.3. */
  void (*WALLET_CORE_SENDABLE camera_state)(void *context, uint64_t call);
} wallet_core_utilities_bridge;

/**
 * Hands the three bridges over ("initPlatformSupport" of the start-up diagrams).
 *
 * May be called before, after or in parallel with init, and again at any time: new calls then go to
 * the new bridges at once, and the old contexts are released when their last call was answered or
 * cancelled. Never waits, and starts no thread before init. The structs are copied. On failure
 * nothing changes: the former bridges stay, and all three contexts stay the caller's.
 *
 * @param signing_key    required.
 * @param encryption_key required.
 * @param utilities      required; most of its functions are optional.
 * @param error          may be NULL.
 * @return OK; INVALID_ARGUMENT (a pointer is NULL, struct_size too small); BRIDGE_INCOMPLETE (the
 *         message names the missing function); FORKED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_init_platform_support(
    const wallet_core_signing_key_bridge *signing_key,
    const wallet_core_encryption_key_bridge *encryption_key,
    const wallet_core_utilities_bridge *utilities, wallet_core_error **error);

/**
 * Answers a bridge call. Call it exactly once for each. The bytes are copied into guarded memory,
 * and the message is copied.
 *
 * @param call    the id that the bridge function received.
 * @param status  WALLET_CORE_BRIDGE_..., or any code from HOST_FIRST to HOST_LAST.
 * @param bytes   the reply; may be NULL if `length` is 0. At most 1 MiB.
 * @param length  in bytes.
 * @param message for developers; kept in the error of a request that ends by this reply, never
 *                logged. At most 1024 bytes, longer ones are cut; may be NULL. No user data.
 * @return OK; UNKNOWN_CALL (a late or second reply: nothing happened); INVALID_ARGUMENT (unknown
 *         status, NULL with a length, too long: the call stays open); INVALID_UTF8;
 *         OUT_OF_RESOURCES (no guarded memory is left: the call stays open, reply UNAVAILABLE);
 *         FORKED.
 *
 * Any thread, in callbacks, inside the bridge function. Since 0.1.
 */
wallet_core_status wallet_core_bridge_reply(
    uint64_t call, wallet_core_bridge_status status, const uint8_t *bytes, size_t length,
    const char *message);

/*
 * The HTTP bridge, which is optional: the host's own HTTP stack in place of libcurl, for phones and
 * for hosts with pinning or policies of their own. Handed over before wallet_core_init(), it keeps
 * the library from ever loading libcurl. The host carries out one request as it is described and
 * reports what came of it. The provider's answers are signed and bound to their request, so a
 * bridge that reports something else achieves nothing but a failed request. Answers of other
 * parties rest on it: it must
 *
 *   - follow no redirect: a status of 3xx is the answer;
 *   - send no cookie and keep none, send no credentials, and no header besides those of the
 *     request, Host, Content-Length, Connection, Accept-Encoding, and, where the stack insists, the
 *     User-Agent "wallet" and the Accept-Language "*". Languages, versions and models would tell one
 *     wallet from another;
 *   - decode no Content-Encoding (ask for none), and read at most as much as the limits say;
 *   - verify the server's certificate and name, and trust only the authorities of the request if it
 *     has some; write no TLS keys to a file, as many libraries do for the variable SSLKEYLOGFILE;
 *   - with a `reach` other than ANY look at each address that a name resolves to before it connects
 *     to it, pass over those of private networks, and of this device with REACH_PUBLIC, and use no
 *     proxy: it would look the name up itself. Behind a proxy that cannot be passed by, other
 *     parties are not reached;
 *   - send a request once: a POST is never repeated, not even if a kept connection was closed.
 *
 * A request has a time of its own instead of the 10 seconds of other calls. When the library gives
 * a call up, its body is overwritten with zeros, and the rest stays valid only as the arguments of
 * other calls do: a stack that cannot stop at once works on a copy. If the process exits while the
 * stack's threads are inside a TLS library, they may crash, because such libraries clean up at
 * exit: end them in an exit handler, as the example in C does (http_curl.c).
 *
 * In the project's sources, `make check-http-bridge` tries a bridge against servers that test each
 * of these rules.
 */

/** The oldest version of TLS that a request may use. */
enum wallet_core_tls WALLET_CORE_INT32 { WALLET_CORE_TLS_1_2 = 12, WALLET_CORE_TLS_1_3 = 13 };
typedef WALLET_CORE_ENUM(wallet_core_tls) wallet_core_tls;

/** The servers that a request may reach. */
enum wallet_core_http_reach WALLET_CORE_INT32 {
  /** Any, by way of a proxy if the system has one. */
  WALLET_CORE_HTTP_REACH_ANY = 0,
  /** Those with addresses of the public internet. */
  WALLET_CORE_HTTP_REACH_PUBLIC = 1,
  /** Those, and this device itself. Only in development: if the embedded configuration allows it. */
  WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK = 2
};
typedef WALLET_CORE_ENUM(wallet_core_http_reach) wallet_core_http_reach;

/** How a request ended. */
enum wallet_core_http_outcome WALLET_CORE_INT32 {
  /** With a complete answer of any status. */
  WALLET_CORE_HTTP_ANSWERED = 0,
  /** The device has no network, or the name was not found. */
  WALLET_CORE_HTTP_NO_NETWORK = 1,
  /** The server refused the connection. */
  WALLET_CORE_HTTP_NOT_CONNECTED = 2,
  /** There was no complete answer in time. */
  WALLET_CORE_HTTP_TIMED_OUT = 3,
  /** TLS failed, or the certificate was refused. */
  WALLET_CORE_HTTP_TLS_REFUSED = 4,
  /** The connection ended within the answer, or what came is not HTTP. */
  WALLET_CORE_HTTP_INCOMPLETE = 5,
  /** The headers or the body are larger than the limits. */
  WALLET_CORE_HTTP_TOO_LARGE = 6,
  /** The name has no address that the request may reach; nothing was sent. */
  WALLET_CORE_HTTP_ADDRESS_REFUSED = 7
};
typedef WALLET_CORE_ENUM(wallet_core_http_outcome) wallet_core_http_outcome;

/** A header of a request or an answer. */
typedef struct wallet_core_http_header {
  const char *name;
  const char *value;
} wallet_core_http_header;

/** A request. It and all that it points to stay valid until the reply, as all arguments of bridges
    do. */
typedef struct wallet_core_http_request {
  /** sizeof(wallet_core_http_request) as the library was compiled. */
  size_t struct_size;
  /** "GET" or "POST". */
  const char *WALLET_CORE_NONNULL method;
  /** Absolute and ASCII, to be sent as it is: a stack that would change it sends nothing and replies
      INCOMPLETE with `was_sent` 0. http:// appears only with addresses of this device. */
  const char *WALLET_CORE_NONNULL url;
  /** All headers besides Host and Content-Length; NULL if there are none. */
  const wallet_core_http_header *headers;
  size_t header_count;
  /** The body of a POST, which may be empty; NULL with GET. May contain secrets: do not keep it. */
  const uint8_t *body;
  size_t body_length;
  /** The only certificate authorities to trust, as PEM; NULL for those of the system. */
  const char *certificate_authorities;
  wallet_core_tls oldest_tls;
  wallet_core_http_reach reach;
  /** For the connection, TLS included, in milliseconds. */
  int32_t connect_timeout_ms;
  /** For all of it, the connection included, in milliseconds. */
  int32_t timeout_ms;
  /** Of all lines of headers of the answer together, in bytes. */
  size_t largest_headers;
  /** Of the body of the answer, in bytes. */
  size_t largest_body;
  /** 1 if the request may use a kept connection and resume a TLS session. 0: neither, and the
      connection is closed after it. */
  int32_t shares_connections;
  /** Always 0. */
  int32_t reserved;
} wallet_core_http_request;

/** The host's own HTTP stack. Since 0.5. */
typedef struct wallet_core_http_bridge {
  /** sizeof(wallet_core_http_bridge) as the host was compiled. */
  size_t struct_size;
  /** Passed to every function. */
  void *context;
  /** Releases the context when no function uses it any more and each call was answered or given up;
      may be NULL. The stack may still work for a call that was given up: it must not use the
      context for that. */
  void (*WALLET_CORE_SENDABLE destroy)(void *context);
  /** Required. Carries out `request` and replies by wallet_core_http_reply(), not by
      wallet_core_bridge_reply(). Should return at once: other requests wait until it has returned,
      at most 10 seconds. Several requests may be under way. A request without a reply ends 2
      seconds after its own timeout. */
  void (*WALLET_CORE_SENDABLE send)(
      void *context, uint64_t call, const wallet_core_http_request *WALLET_CORE_NONNULL request);
  /** Optional. The library no longer waits for `call`: close its connection. Replies are harmless.
      Called on another thread than `send`, perhaps before that has returned or has opened its
      connection: then remember the number and open no connection for it. */
  void (*WALLET_CORE_SENDABLE cancel)(void *context, uint64_t call);
} wallet_core_http_bridge;

/** What became of a request. Set all unused members to 0. */
typedef struct wallet_core_http_response {
  /** sizeof(wallet_core_http_response) as the host was compiled. */
  size_t struct_size;
  wallet_core_http_outcome outcome;
  /** 0 only if certainly no byte of the request has left the device. If the stack does not tell, 1.
      Counts as 1 with ANSWERED. */
  int32_t was_sent;
  /** From here to `remote_address`: only with ANSWERED. The status of the answer, 200 to 599. */
  int32_t http_status;
  /** Always 0. */
  int32_t reserved;
  /** In their order; a name may appear several times. At most 1024. */
  const wallet_core_http_header *headers;
  size_t header_count;
  /** At most 16 MiB. */
  const uint8_t *body;
  size_t body_length;
  /** The URL that answered: byte for byte that of the request, or the answer is refused. A stack that
      reports one takes it from there, because a redirect that it followed shows in it. */
  const char *url;
  /** The address of the server in digits, without the port; of what the stack connected to, not of
      another look-up. Without it an answer of another party is refused. */
  const char *remote_address;
  /** For developers; kept in the error of a request that ends by this reply, never logged. At most
      1024 bytes, longer ones are cut; may be NULL. No user data. */
  const char *message;
} wallet_core_http_response;

/**
 * Hands the HTTP bridge over, or takes it away.
 *
 * May be called at any time; requests that begin afterwards use it. A host without libcurl calls
 * this before wallet_core_init(), because the first requests follow at once. Otherwise as
 * wallet_core_init_platform_support().
 *
 * @param http  NULL: later requests use libcurl again.
 * @param error may be NULL.
 * @return OK; INVALID_ARGUMENT (struct_size too small); BRIDGE_INCOMPLETE (no `send`); FORKED.
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_set_http_bridge(
    const wallet_core_http_bridge *http, wallet_core_error **error);

/**
 * Answers a call of the HTTP bridge. Call it exactly once for each. Everything is copied.
 *
 * @return OK; UNKNOWN_CALL (a late or second reply: nothing happened); INVALID_ARGUMENT (unknown
 *         outcome, NULL with a length, beyond a limit, or the call is of another bridge: the call
 *         stays open); INVALID_UTF8 (the message); FORKED.
 *
 * Any thread, in callbacks, inside the bridge function. Since 0.5.
 */
wallet_core_status wallet_core_http_reply(uint64_t call, const wallet_core_http_response *response);

/* ============================================================================================ */
/* 5. Start                                                                                     */
/* ============================================================================================ */

/** Levels of the log. No level ever logs a PIN, key, link, claim or identifier. */
enum wallet_core_log_level WALLET_CORE_INT32 {
  WALLET_CORE_LOG_OFF = 0,
  WALLET_CORE_LOG_ERROR = 1,
  WALLET_CORE_LOG_WARNING = 2,
  WALLET_CORE_LOG_INFO = 3,
  WALLET_CORE_LOG_DEBUG = 4
};
typedef WALLET_CORE_ENUM(wallet_core_log_level) wallet_core_log_level;

/** Receives one line of the log at a time, on a thread of the library. If the callback is too slow,
    lines are dropped and counted. The texts are valid during the call. */
typedef void (*wallet_core_log_callback)(
    void *context, wallet_core_log_level level, const char *WALLET_CORE_NONNULL subsystem,
    const char *WALLET_CORE_NONNULL message);

/** Called on each thread of the library that runs host code, before the first and after the last
    host code on it, so that a host can attach the thread to a virtual machine. */
typedef void (*wallet_core_thread_hook)(void *context);

/** A public key whose private key may sign configurations. */
typedef struct wallet_core_configuration_key {
  /** The key's id at the provider; 1 to 64 bytes. */
  const char *key_id;
  /** The Ed25519 public key, 32 bytes. */
  uint8_t public_key[32];
} wallet_core_configuration_key;

/** The options of wallet_core_init(). Set all unused members to 0, as
    `wallet_core_options options = {.struct_size = sizeof options}` does in C. */
typedef struct wallet_core_options {
  /** sizeof(wallet_core_options) as the host was compiled. */
  size_t struct_size;
  /** Required. The document that `wallet-provider client-configuration` prints, embedded in the
      app: provider URL, certificate authority, signing keys and the first signed configuration. */
  const uint8_t *embedded_configuration;
  /** In bytes; at most 256 KiB. */
  size_t embedded_configuration_length;
  /** Optional. Pins the configuration-signing keys in the app's code; the list in the document is
      then ignored. 2 to 16 keys, one of them kept offline. */
  const wallet_core_configuration_key *configuration_keys;
  size_t configuration_key_count;
  /** Required. The app's version, which the update policy is applied to: three numbers such as
      "1.4.2", optionally followed by '-' or '+' and any text; 1 to 64 bytes. */
  const char *app_version;
  /** Required. The app's id, e.g. "org.example.wallet"; 1 to 128 bytes. */
  const char *app_id;
  /** Optional. An existing directory that only the library uses; 1 to 4095 bytes, an empty text is
      INVALID_ARGUMENT. If NULL, the utilities bridge is asked for one. */
  const char *storage_path;
  /** Optional. Receives the log. */
  wallet_core_log_callback WALLET_CORE_SENDABLE log;
  void *log_context;
  /** WALLET_CORE_LOG_...; lines above this level are not made. */
  wallet_core_log_level log_level;
  /** Always 0. */
  int32_t reserved;
  /** Optional thread hooks and their context, which must stay valid until the process ends. */
  wallet_core_thread_hook WALLET_CORE_SENDABLE on_thread_start;
  wallet_core_thread_hook WALLET_CORE_SENDABLE on_thread_stop;
  void *thread_context;
} wallet_core_options;

/**
 * Whether init has succeeded in this process: 1 or 0 (also 0 in the child of a fork). A new
 * user-interface engine calls this first; 1 means that it has to rebind.
 *
 * Never waits. Any thread, before init, in callbacks. Since 0.1.
 */
int32_t wallet_core_is_initialized(void);

/**
 * Starts the wallet of this process.
 *
 * Needs no network and no bridge. If the options give a storage path, it is opened here, otherwise
 * as soon as the utilities bridge is available. Concurrent calls wait for one another; once one has
 * succeeded, all later ones return OK and ignore their options. A failure leaves nothing behind,
 * and init may be called again.
 *
 * @param options borrowed; the callbacks and contexts in it must stay valid until the process ends.
 * @param error   may be NULL.
 * @return OK; INVALID_ARGUMENT; INVALID_UTF8; CONFIGURATION_INVALID; STORAGE_UNAVAILABLE;
 *         STORAGE_FULL; STORAGE_IN_USE; OUT_OF_RESOURCES; FORKED; REENTRANT.
 *
 * Any thread, not in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_init(const wallet_core_options *options, wallet_core_error **error);

/* ============================================================================================ */
/* 6. Clients                                                                                   */
/* ============================================================================================ */

/** A client's number, never reused within a process; 0 is no client. */
typedef uint64_t wallet_core_client;

/** Flags of wallet_core_client_attach(). */
typedef uint32_t wallet_core_attach_flags;

enum {
  /** First abandon the client of the same name, if there is one, and lock the wallet. So it does
      also if a client was abandoned before. */
  WALLET_CORE_ATTACH_TAKE_OVER = 1
};

/**
 * Attaches a user-interface engine. Its queue starts with the current value of every stream.
 *
 * @param name   identifies the client, e.g. "app"; 1 to 64 bytes. One client per name.
 * @param flags  0 or WALLET_CORE_ATTACH_TAKE_OVER, which abandons the client that has this name and
 *               locks the wallet if there was one, or if a client was abandoned since the last
 *               take-over; never waits for its callbacks.
 * @param client receives the client; 0 on failure.
 * @param error  may be NULL.
 * @return OK; NOT_INITIALIZED; INVALID_ARGUMENT; INVALID_UTF8; BUSY (the name is in use and the
 *         flag is not set, or 64 clients are attached); FORKED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_client_attach(
    const char *name, wallet_core_attach_flags flags, wallet_core_client *client,
    wallet_core_error **error);

/**
 * Detaches a client. Its open requests are cancelled and complete with CLIENT_DETACHED (a request
 * past its point of no return goes on without the client), completions that go to a callback are
 * delivered, then its contexts are released. Waits, without limit, for callbacks of this client
 * that are running. After the return no callback and no context of the client is ever used again.
 *
 * @return OK; CLIENT_DETACHED (already detached, or abandoned or taken over meanwhile: a callback
 *         may then still be running); REENTRANT (inside host code); NOT_INITIALIZED; FORKED.
 *
 * Any thread, not in callbacks, not while holding a lock that a callback needs. Since 0.1.
 */
wallet_core_status wallet_core_client_detach(wallet_core_client client, wallet_core_error **error);

/**
 * Ends a client at once: never waits, never calls the host, releases no context. A call that has
 * begun on a thread of the library, also one that is only about to enter host code, cannot be
 * stopped; no other call follows it.
 *
 * @return OK, also if the client has already ended; NOT_INITIALIZED; FORKED.
 *
 * Any thread, in callbacks, in finalizers and atexit handlers. Since 0.1.
 */
wallet_core_status wallet_core_client_abandon(wallet_core_client client);

/**
 * wallet_core_client_abandon() with the signature of a finalizer. `client` is the client's number
 * as a pointer, `(void *)(uintptr_t)client`. Any thread. Since 0.1.
 */
void wallet_core_client_finalize(void *client);

/* ============================================================================================ */
/* 7. Events                                                                                    */
/* ============================================================================================ */

/** An event: immutable, usable on any thread, and valid after its client has ended. */
typedef struct wallet_core_event wallet_core_event;

/** Kinds of events; ignore kinds that you do not know. */
enum wallet_core_kind WALLET_CORE_INT32 {
  /** The configuration, see wallet_core_event_json(). */
  WALLET_CORE_EVENT_CONFIGURATION = 1,
  /** The lock state, see wallet_core_event_is_locked(). */
  WALLET_CORE_EVENT_LOCK_STATE = 2,
  /** A request ended, see wallet_core_event_request() and wallet_core_event_status(). */
  WALLET_CORE_EVENT_COMPLETION = 3,
  /** What the update policy says about this app version, see wallet_core_event_version_grade(). */
  WALLET_CORE_EVENT_VERSION_STATE = 4,
  /** The current step of the flows, see section 10. */
  WALLET_CORE_EVENT_STEP = 5,
  /** Cards have changed: call wallet_core_cards() again, see wallet_core_set_cards_stream(). Since
      0.5. */
  WALLET_CORE_EVENT_CARDS_CHANGED = 6
};
typedef WALLET_CORE_ENUM(wallet_core_kind) wallet_core_kind;

/** What the update policy says about this app version. It may be used with all grades but BLOCK;
    treat grades that you do not know as OK. */
enum wallet_core_version_grade WALLET_CORE_INT32 {
  /** No update is needed. */
  WALLET_CORE_GRADE_OK = 0,
  /** An update is recommended. */
  WALLET_CORE_GRADE_RECOMMEND = 1,
  /** This version will be blocked, see wallet_core_event_version_blocked_in_ms(). */
  WALLET_CORE_GRADE_WARN = 2,
  /** This version may not be used: registering, unlocking, all requests with a PIN, and reading
      and presenting cards return VERSION_BLOCKED. */
  WALLET_CORE_GRADE_BLOCK = 3
};
typedef WALLET_CORE_ENUM(wallet_core_version_grade) wallet_core_version_grade;

/** What the provider said about a PIN, or about whether it accepts one. */
enum wallet_core_pin_outcome WALLET_CORE_INT32 {
  /** The event is not about a PIN, or the request failed before the PIN was checked. */
  WALLET_CORE_PIN_OUTCOME_NOT_JUDGED = 0,
  /** Correct. */
  WALLET_CORE_PIN_OUTCOME_VALID = 1,
  /** Wrong and counted, see wallet_core_event_pin_attempts_left() and _pin_is_final_round(). */
  WALLET_CORE_PIN_OUTCOME_WRONG = 2,
  /** Blocked for some time: either this attempt was wrong and the last of its round, or a block
      was already in force and the PIN was not checked. */
  WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY = 3,
  /** Blocked permanently; only wallet_core_wipe() helps. */
  WALLET_CORE_PIN_OUTCOME_BLOCKED_PERMANENTLY = 4,
  /** Only of wallet_core_pin_state(): no block is in force, see
      wallet_core_event_pin_attempts_left() and _pin_is_final_round(). Since 0.5. */
  WALLET_CORE_PIN_OUTCOME_NOT_BLOCKED = 5
};
typedef WALLET_CORE_ENUM(wallet_core_pin_outcome) wallet_core_pin_outcome;

/** WALLET_CORE_EVENT_...; 0 for NULL. Any thread. Since 0.1. */
wallet_core_kind wallet_core_event_kind(const wallet_core_event *event);

/** The request that a completion ends; 0 for other events and NULL. Any thread. Since 0.1. */
uint64_t wallet_core_event_request(const wallet_core_event *event);

/** The status of a completion; OK for other events and NULL. Any thread. Since 0.1. */
wallet_core_status wallet_core_event_status(const wallet_core_event *event);

/** The error of a failed completion, borrowed from the event; else NULL. Any thread. Since 0.1. */
const wallet_core_error *WALLET_CORE_NULLABLE
wallet_core_event_error(const wallet_core_event *event);

/** The lock state: 1 locked, 0 unlocked; 1 for other events and NULL. Any thread. Since 0.1. */
int32_t wallet_core_event_is_locked(const wallet_core_event *event);

/**
 * With an unlocked lock state: the milliseconds until the wallet locks for inactivity, once the
 * configuration's warning is due; else 0. A later LOCK_STATE event with 0 withdraws the warning.
 * Any thread. Since 0.1.
 */
int64_t wallet_core_event_locks_in_ms(const wallet_core_event *event);

/** WALLET_CORE_GRADE_... of a version state; OK for other events and NULL. Any thread. Since
    0.1. */
wallet_core_version_grade wallet_core_event_version_grade(const wallet_core_event *event);

/** With GRADE_WARN: the milliseconds left until the block, else 0. Any thread. Since 0.5. */
int64_t wallet_core_event_version_blocked_in_ms(const wallet_core_event *event);

/** With GRADE_BLOCK: 1 if the store has an allowed version, else 0. Any thread. Since 0.5. */
int32_t wallet_core_event_version_is_update_available(const wallet_core_event *event);

/** WALLET_CORE_PIN_OUTCOME_... of a completion. Any thread. Since 0.1. */
wallet_core_pin_outcome wallet_core_event_pin_outcome(const wallet_core_event *event);

/** Attempts left in this round with PIN_OUTCOME_WRONG and PIN_OUTCOME_NOT_BLOCKED, else 0. Any
    thread. Since 0.5. */
int32_t wallet_core_event_pin_attempts_left(const wallet_core_event *event);

/** With PIN_OUTCOME_WRONG and PIN_OUTCOME_NOT_BLOCKED: 1 if the end of this round blocks
    permanently, else 0. Any thread. Since 0.5. */
int32_t wallet_core_event_pin_is_final_round(const wallet_core_event *event);

/** With PIN_OUTCOME_BLOCKED_TEMPORARILY: the milliseconds until the block ends, else 0. Count them
    down on a clock that includes sleep. Any thread. Since 0.5. */
int64_t wallet_core_event_pin_blocked_for_ms(const wallet_core_event *event);

/**
 * With PIN_OUTCOME_VALID of wallet_core_unlock(), wallet_core_present() and
 * wallet_core_confirm_sharing(), and if the wallet is unlocked also with that of
 * wallet_core_check_pin() and with any outcome of wallet_core_pin_state(): the wrong PINs, whoever
 * entered them, that neither a step nor a completion that was taken before this request told of;
 * else 0. A step or completion that is not taken, or that a lock withholds, tells nobody: the next
 * one tells. The user should see the number and the time of the last one: nothing else shows that
 * somebody else guessed. Any thread. Since 0.5.
 */
int32_t wallet_core_event_pin_failed_attempts(const wallet_core_event *event);

/** With failed attempts: when the last one came, in seconds since 1970 (UTC) by the provider's
    clock, else 0. Any thread. Since 0.5. */
int64_t wallet_core_event_pin_last_failed_at(const wallet_core_event *event);

/**
 * Another wallet that waits to take the place of this one: somebody was accepted for the same
 * account, with a new enrolment code, and the PID of this wallet and its account end unless the
 * owner refuses in time. A host with its own screens shows this, with
 * wallet_core_event_replacement_takes_effect_in_ms(), and asks for the decision and the PIN, for
 * wallet_core_decide_replacement(). The flows do the same by themselves ("wallet-replacement").
 *
 * Completions with status OK have it: those of each request with the wallet's PIN, whatever is said
 * of the PIN, and of wallet_core_pin_state(), as the provider said in this answer; and of
 * wallet_core_unlock_with_biometrics(), which asks no provider, as it was said last in this
 * process. So a host whose user unlocks by biometrics calls wallet_core_pin_state() after the
 * unlock, at least once in an hour; else such a user hears nothing.
 *
 * @return the id of the replacement, for wallet_core_decide_replacement(); "" if none is known, for
 *         other events and NULL. Borrowed from `event`. Any thread. Since 0.5.
 */
const char *WALLET_CORE_NONNULL
wallet_core_event_replacement_session(const wallet_core_event *event);

/** With a replacement: the milliseconds until it takes effect, 0 from then on, and without one.
    Count them down on a clock that includes sleep. Any thread. Since 0.5. */
int64_t wallet_core_event_replacement_takes_effect_in_ms(const wallet_core_event *event);

/**
 * The whole event as a JSON object with "schema": 1 and "kind"; ignore members that you do not
 * know. A completion has "request", "status", "status_name" and, if it has one, "error", "pin",
 * "replacement", "cards", "presentations", "sharing", "shared" or "activities". A configuration has
 * "version", "inactive_timeout_ms", "inactive_warning_ms", "background_timeout_ms" and
 * "proofing_hosts". A step has "serial", "use_case", "row", "step_kind" ("screen", "prompt",
 * "progress", "system-prompt", "hand-off", "error", "end"), "name", "title", "message", "arguments",
 * "notices", "input" ("none", "pin", "scan", "option"), "actions" (each with "name" and "label"),
 * "is_protected", "trail", for a prompt over a screen "beneath", and about a relying party's request
 * "sharing".
 *
 * share/wallet_core/wallet_core_events.schema.json, installed with this header, is a JSON Schema
 * for all kinds.
 *
 * @param length receives the length in bytes without the NUL; may be NULL.
 * @return borrowed from `event`; "{}" for NULL. Any thread. Since 0.1.
 */
const char *WALLET_CORE_NONNULL
wallet_core_event_json(const wallet_core_event *event, size_t *length);

/** Frees `event`; NULL does nothing. Any thread, in callbacks. Since 0.1. */
void wallet_core_event_free(wallet_core_event *event);

/**
 * Pull: takes the client's next event, and waits for one if there is none.
 *
 * @param timeout_ms -1 waits without limit, 0 does not wait, else the limit in milliseconds.
 * @param event      receives the event, yours to free; NULL on failure.
 * @param error      may be NULL. TIMEOUT and INTERRUPTED have no error object.
 * @return OK; TIMEOUT; INTERRUPTED; BUSY (another thread waits here, an event callback is set, or
 *         1024 events were taken here and not freed); CLIENT_DETACHED (also while waiting, when the
 *         client ends); REENTRANT (inside host code); INVALID_ARGUMENT; NOT_INITIALIZED; FORKED.
 *
 * Any thread, one at a time per client, not in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_client_next_event(
    wallet_core_client client, int64_t timeout_ms, wallet_core_event **event,
    wallet_core_error **error);

/**
 * Ends the client's wait in wallet_core_client_next_event() with INTERRUPTED, or its next wait if
 * no thread is waiting.
 *
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED. Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_client_interrupt(
    wallet_core_client client, wallet_core_error **error);

/** Signals that events are waiting in the queue; called again only after the queue was drained.
    Call no function of the library inside. */
typedef void (*wallet_core_wakeup_callback)(void *context);

/** Receives an event and owns it: free it by wallet_core_event_free(), at any time. */
typedef void (*wallet_core_event_callback)(
    void *context, wallet_core_event *WALLET_CORE_NONNULL event);

/**
 * Wake-up: sets the callback that signals that the queue is no longer empty; it is called at once
 * if events are waiting. The new callback replaces the former one, as if that was cleared first.
 *
 * @param callback required.
 * @param context  passed to the callback.
 * @param destroy  releases the context; may be NULL.
 * @param token    receives a token for wallet_core_clear_wakeup(); may be NULL.
 * @return OK; INVALID_ARGUMENT; CLIENT_DETACHED; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *
 * Any thread. Waits for a running call of the replaced callback, except inside callbacks. Since
 * 0.1.
 */
wallet_core_status wallet_core_set_wakeup(
    wallet_core_client client, wallet_core_wakeup_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/**
 * Clears the wake-up callback.
 *
 * From another thread: returns after the running call has returned and the context was released;
 * the callback and the context are never used again. From inside a callback: returns at once, no
 * further call starts, and the context is released when the running call has returned.
 *
 * @param token the token from setting the callback, or 0 for whichever callback the client has. The
 *              token of a replaced callback does nothing, so a late clear never removes its
 *              successor.
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED.
 *
 * Any thread, not while holding a lock that the callback needs. Since 0.1.
 */
wallet_core_status wallet_core_clear_wakeup(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/**
 * Push: sets the callback that receives every event, one at a time and in order, except those of a
 * stream that has its own callback. Events that wait in the queue come first. Parameters,
 * replacement, status and threads are as for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_event_callback(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the event callback; events then wait in the queue. As wallet_core_clear_wakeup(). Since
    0.1. */
wallet_core_status wallet_core_clear_event_callback(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/**
 * Sets the configuration stream: the callback receives a CONFIGURATION event with the current value
 * exactly once, then one for every newer configuration that is accepted; of several that wait, only
 * the latest. Parameters, replacement, status and threads are as for wallet_core_set_wakeup().
 * Since 0.1.
 */
wallet_core_status wallet_core_set_configuration_stream(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the configuration stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_configuration_stream(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/**
 * Sets the lock stream: the callback receives a LOCK_STATE event with the current state exactly
 * once, then one for every change. Several changes may arrive as one event, which has the last
 * state, so an unlock never hides a later lock. Parameters, replacement, status and threads are as
 * for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_lock_stream(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the lock stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_lock_stream(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/**
 * Sets the version-state stream: the callback receives a VERSION_STATE event with the current state
 * exactly once, then one for every change of grade and every changed policy. The state is that of
 * the last verified policy, also after an offline start; without a policy it is OK. Parameters,
 * replacement, status and threads are as for wallet_core_set_wakeup(). Since 0.1.
 */
wallet_core_status wallet_core_set_version_state_stream(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the version-state stream. As wallet_core_clear_wakeup(). Since 0.1. */
wallet_core_status wallet_core_clear_version_state_stream(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/* ============================================================================================ */
/* 8. The PIN and the account                                                                   */
/* ============================================================================================ */

/** A PIN is this many ASCII digits. */
#define WALLET_CORE_PIN_LENGTH 6

/** The result of wallet_core_validate_pin(). */
enum wallet_core_pin_verdict WALLET_CORE_INT32 {
  /** The PIN meets the policy. */
  WALLET_CORE_PIN_VERDICT_ACCEPTED = 0,
  /** The PIN does not have WALLET_CORE_PIN_LENGTH bytes. */
  WALLET_CORE_PIN_VERDICT_WRONG_LENGTH = 1,
  /** A byte is not '0' to '9'. */
  WALLET_CORE_PIN_VERDICT_NOT_DIGITS = 2,
  /** Fewer than two different digits. */
  WALLET_CORE_PIN_VERDICT_TOO_FEW_DIFFERENT_DIGITS = 3,
  /** The digits ascend or descend by one, as in 123456 or 654321. */
  WALLET_CORE_PIN_VERDICT_SEQUENCE = 4,
  /** One of the PINs that people choose most often, such as 123123 or 159753. */
  WALLET_CORE_PIN_VERDICT_COMMON = 5
};
typedef WALLET_CORE_ENUM(wallet_core_pin_verdict) wallet_core_pin_verdict;

/** WALLET_CORE_PIN_LENGTH, for hosts without macros. Any thread, before init. Since 0.1. */
size_t wallet_core_pin_length(void);

/**
 * Checks locally whether a PIN meets the policy. Nothing is kept.
 *
 * @param pin     ASCII digits without a terminator; may be NULL if `length` is 0.
 * @param length  in bytes.
 * @param verdict receives WALLET_CORE_PIN_VERDICT_...; required.
 * @return OK with every verdict; INVALID_ARGUMENT. Any thread, before init. Since 0.1.
 */
wallet_core_status wallet_core_validate_pin(
    const uint8_t *pin, size_t length, wallet_core_pin_verdict *verdict, wallet_core_error **error);

/**
 * Whether this installation has a wallet with a PIN. Waits up to 10 seconds for the storage path if
 * that comes from the utilities bridge.
 *
 * @param has_registration receives 1 or 0; required.
 * @return OK; NOT_INITIALIZED; those of section "platform" (if the path comes from that bridge);
 *         STORAGE_UNAVAILABLE, _IN_USE, _CORRUPT; REENTRANT (inside a bridge function);
 *         INVALID_ARGUMENT; FORKED.
 *
 * Any thread, in event callbacks. Since 0.1.
 */
wallet_core_status wallet_core_has_registration(
    int32_t *has_registration, wallet_core_error **error);

/**
 * Whether the wallet is locked, which it also is before the registration. Never waits.
 *
 * @param is_locked receives 1 or 0 (1 on failure); required.
 * @return OK; NOT_INITIALIZED; INVALID_ARGUMENT; FORKED. Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_is_locked(int32_t *is_locked, wallet_core_error **error);

/**
 * Request: sets up the remote PIN and thereby creates the wallet. A completion with status OK means
 * registered and unlocked; if the wallet was locked after the call, registered and locked.
 * Idempotent until it has succeeded: after a failure or a kill, call it again, with any PIN; only
 * one account is created.
 *
 * A lock does not undo a registration. After a lock the provider's answer is awaited for 5 more
 * seconds, or for 5 seconds from the start of a registration that had not begun. Without an answer
 * the completion is CANCELLED. The same holds for a set-up by the flows, which then shows
 * `server-unreachable`.
 *
 * If the update policy blocks this version before the PIN is sent, the completion is
 * VERSION_BLOCKED and there is no wallet; register again once the block is lifted. A later block
 * does not undo the registration: the wallet is registered and unlocked, and what uses it is
 * VERSION_BLOCKED.
 *
 * The provider is then told that the wallet is stored. The lock stream tells of the unlock before
 * that. A provider that does not answer delays the completion by some 10 seconds (a slow one by at
 * most 20) and is told with the next request or at the next start.
 *
 * @param pin     WALLET_CORE_PIN_LENGTH ASCII digits that meet the policy; copied into guarded
 *                memory.
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); PIN_REFUSED; VERSION_BLOCKED; INVALID_ARGUMENT;
 *         CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *         The completion: OK; ALREADY_REGISTERED; VERSION_BLOCKED; CANCELLED; and those of sections
 *         "platform", "storage" and "provider".
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_register(
    wallet_core_client client, const uint8_t *pin, size_t pin_length, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: unlocks the wallet with the PIN, which the provider checks. In a completion with status
 * OK wallet_core_event_pin_outcome() has the result; only PIN_OUTCOME_VALID unlocks. A wallet that
 * is already unlocked stays unlocked, but PIN_OUTCOME_BLOCKED_... locks it.
 *
 * A PIN is evaluated by the provider, blinded, before it is checked, and the attempt is counted
 * then; a right PIN takes it back. So a request that ends in between, by a lock, a cancellation or
 * a lost network, costs an attempt even if the PIN was right.
 *
 * A lock after the call leaves the wallet locked. If it comes before the PIN is evaluated, nothing
 * is sent, no attempt is counted, and the completion is CANCELLED. If it comes after that and
 * before the answer is first sent, the completion is CANCELLED too, and the attempt stays counted.
 * If it comes later, a right PIN completes with CANCELLED; any other result of the provider is told
 * with OK. A block of this version by the update policy ends the request at the same two points
 * with VERSION_BLOCKED.
 *
 * Each request with the wallet's PIN (this one, check_pin, change_pin, decide_replacement, present,
 * confirm_sharing, enable_biometric_unlock) ends the biometric prompts of earlier requests and of
 * the flows, because a user who enters the PIN is not at the sensor. Those requests complete as
 * CANCELLED.
 *
 * @param pin any bytes, at most 64; refused at once by PIN_REFUSED unless it is a well-formed PIN.
 * @return as wallet_core_register(); the completion also NOT_REGISTERED, ACCOUNT_DIVERGED.
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_unlock(
    wallet_core_client client, const uint8_t *pin, size_t pin_length, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: has the provider check a PIN without unlocking; a wrong PIN counts as for an unlock.
 * PIN_OUTCOME_BLOCKED_... locks the wallet, any other result leaves the lock as it is. A lock after
 * the call does not end it. Parameters, status and completion are otherwise as for
 * wallet_core_unlock(). Since 0.1.
 */
wallet_core_status wallet_core_check_pin(
    wallet_core_client client, const uint8_t *pin, size_t pin_length, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: asks the provider whether it accepts a PIN now, without sending one. Costs no attempt
 * and leaves the lock as it is; only the device's signing key signs, so nobody else can ask. In a
 * completion with status OK wallet_core_event_pin_outcome() has PIN_OUTCOME_NOT_BLOCKED with the
 * attempts that are left in this round, PIN_OUTCOME_BLOCKED_TEMPORARILY with the milliseconds that
 * are left, or PIN_OUTCOME_BLOCKED_PERMANENTLY. A provider older than this function completes it
 * with SERVER_REFUSED.
 *
 * After an unlock by biometrics it tells what a right PIN would: wrong PINs
 * (wallet_core_event_pin_failed_attempts()), and another wallet that waits
 * (wallet_core_event_replacement_session()).
 *
 * The step "open-with-pin" of the flows tells of the last known block by itself, also after a
 * restart and without a network.
 *
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); VERSION_BLOCKED; CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES;
 *         NOT_INITIALIZED; FORKED. The completion: OK; NOT_REGISTERED; ACCOUNT_DIVERGED;
 *         VERSION_BLOCKED; CANCELLED; and those of sections "platform", "storage" and "provider".
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_pin_state(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/**
 * Request: changes the PIN of the unlocked wallet. The provider checks the former PIN, and a wrong
 * one counts as for an unlock; the PIN is changed only if the completion is OK with
 * PIN_OUTCOME_VALID. With PIN_OUTCOME_BLOCKED_... the wallet is locked as well. Biometric unlock
 * stays as it is.
 *
 * At every moment exactly one PIN is valid, whatever is lost or killed. After PIN_OUTCOME_VALID it
 * is the new one, even if the provider's final confirmation is still outstanding: the library
 * fetches it in the background, also after a restart. After any other completion it is the former
 * one. If no completion arrived (a kill, a take-over), try the new PIN, then the former one; a
 * wrong one counts. A network error says nothing about the attempt: the former PIN may have been
 * counted, also if it was right, before the answer was lost (see wallet_core_unlock()).
 *
 * A lock, also one by the background time-out or a take-over, ends the request with LOCKED before
 * the new PIN's key is sent, which is the last of its messages. After that the provider's answer
 * holds: the PIN may be changed although the wallet is locked already, and the wallet stays locked.
 * A wipe ends the request with CANCELLED.
 *
 * @param pin     the former PIN, as for wallet_core_unlock().
 * @param new_pin as for wallet_core_register(), and different from the former one.
 * @param request receives the request; may be NULL.
 * @return as wallet_core_unlock(); NOT_REGISTERED; LOCKED; PIN_REFUSED also if both PINs are the
 *         same (data: "reason" "unchanged"). The completion also LOCKED.
 *
 * Any thread, in callbacks. Since 0.4.
 */
wallet_core_status wallet_core_change_pin(
    wallet_core_client client, const uint8_t *pin, size_t pin_length, const uint8_t *new_pin,
    size_t new_pin_length, uint64_t *request, wallet_core_error **error);

/** What the owner decides on another wallet that waits to take the place of this one. */
enum wallet_core_replacement WALLET_CORE_INT32 {
  /** Each wallet that waits is declined, and this one stays. */
  WALLET_CORE_REPLACEMENT_REFUSE = 1,
  /** The other wallet need not wait any longer. This one then no longer works: its requests to
      the provider complete with ACCOUNT_DIVERGED. */
  WALLET_CORE_REPLACEMENT_ALLOW = 2
};
typedef WALLET_CORE_ENUM(wallet_core_replacement) wallet_core_replacement;

/**
 * Request: tells the provider what the owner decides on another wallet that waits to take the place
 * of this one, see wallet_core_event_replacement_session(). The provider checks the PIN, and a
 * wrong one counts as for an unlock: a person who holds the unlocked phone must not decide. The
 * decision is in force only if the completion is OK with PIN_OUTCOME_VALID. With
 * PIN_OUTCOME_BLOCKED_... the wallet is locked.
 *
 * WALLET_CORE_REPLACEMENT_ALLOW is for the replacement with this id only. If that has ended,
 * because it took effect, was refused or another one followed, PIN_OUTCOME_VALID changes nothing,
 * and the completion has the one that waits now, if there is one. WALLET_CORE_REPLACEMENT_REFUSE
 * declines every wallet that waits, so that none stays unseen behind another. A decision that is
 * made twice has no further effect. A network error says nothing about the decision: ask with
 * wallet_core_pin_state() whether the replacement still waits.
 *
 * A lock ends the request with LOCKED before the PIN is checked; if it comes before the PIN is
 * evaluated, no attempt is counted (see wallet_core_unlock()). After that the provider's answer
 * holds.
 *
 * @param session  from wallet_core_event_replacement_session(); 1 to 256 bytes.
 * @param decision WALLET_CORE_REPLACEMENT_...
 * @param pin      as for wallet_core_unlock().
 * @param request  receives the request; may be NULL.
 * @return as wallet_core_unlock(); INVALID_UTF8; NOT_REGISTERED; LOCKED. The completion also
 *         LOCKED.
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_decide_replacement(
    wallet_core_client client, const char *session, wallet_core_replacement decision,
    const uint8_t *pin, size_t pin_length, uint64_t *request, wallet_core_error **error);

/**
 * Locks the wallet: when the call returns, nothing can be opened with the vault key any more, the
 * lock state is published, and no protected step is current. The key is wiped by then, unless a
 * card is being decrypted: then it is wiped when that ends, and the result is discarded. A running
 * unlock then leaves the wallet locked. OK if already locked.
 *
 * Waits until the flows have processed the calls of other threads, usually some microseconds. Wipes
 * the vault key and the PINs that the flows drop, on its own thread; that can take some
 * milliseconds while other threads allocate much memory. It waits for no other thread that derives
 * a key, wipes a secret, or uses the storage, a bridge or the network. The same holds for
 * wallet_core_is_locked(), for wallet_core_client_attach(), which may lock, and for every function
 * that never waits.
 *
 * @return OK; NOT_INITIALIZED; FORKED. Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_lock(wallet_core_error **error);

/** What a host reports of the app's life cycle. */
enum wallet_core_lifecycle WALLET_CORE_INT32 {
  /** The app can be seen and used. */
  WALLET_CORE_LIFECYCLE_FOREGROUND = 1,
  /** The app cannot be seen. */
  WALLET_CORE_LIFECYCLE_BACKGROUND = 2,
  /** The user did something. Report this whenever it happens; once a second is enough. */
  WALLET_CORE_LIFECYCLE_USER_ACTIVITY = 3
};
typedef WALLET_CORE_ENUM(wallet_core_lifecycle) wallet_core_lifecycle;

/**
 * Reports the app's life cycle, on which the lock timers depend (UC9.7). An unlocked wallet locks
 * after "inactive_timeout_ms" of the configuration without user activity in the foreground, and
 * after "background_timeout_ms" in the background; from then on an unlock ends with CANCELLED until
 * the foreground is reported. After "inactive_warning_ms" of inactivity a LOCK_STATE event says when
 * the wallet will lock. Time is counted on a clock that includes sleep.
 * Every call of the library first does what is due, so that a suspended process resumes locked.
 * Until reported otherwise the app counts as in the foreground, and an unlock counts as user
 * activity.
 *
 * @param event WALLET_CORE_LIFECYCLE_...
 * @return OK; INVALID_ARGUMENT; NOT_INITIALIZED; FORKED. Never waits. Any thread, in callbacks.
 *         Since 0.1.
 */
wallet_core_status wallet_core_notify_lifecycle(
    wallet_core_lifecycle event, wallet_core_error **error);

/**
 * Request: deletes the wallet from this device: keys, database, everything but the configuration.
 * Works on a locked, blocked or damaged wallet and without network; the provider is told if
 * possible. The wipe is either complete or can be repeated: after a failure, call it again. Other
 * requests end with CANCELLED. OK if there is nothing to delete.
 *
 * The wallet is locked at once. The provider is told before anything is deleted, because only the
 * wallet can sign that: one that does not answer delays the deletion by some 10 seconds, a slow one
 * by at most 20. A process that ends meanwhile deletes the wallet at its next start.
 *
 * If a bridge does not delete a key, everything else is still deleted: the key opens nothing any
 * more, the wallet is gone, and wallet_core_register() creates a new one with new keys. The library
 * keeps a note of the old key; the next wipe and every start with bridges try again to delete it.
 *
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); CLIENT_DETACHED; BUSY; NOT_INITIALIZED; FORKED.
 *         The completion: OK; PLATFORM_NOT_READY, BRIDGE_FAILED, BRIDGE_TIMEOUT, DEVICE_INSECURE:
 *         with "keys_left" in the error's data the wallet is gone and that many keys could not be
 *         deleted; without it, and with BRIDGE_INCOMPLETE, the storage path was not available and
 *         nothing was done; STORAGE_UNAVAILABLE; STORAGE_FULL (the wallet is gone, but there is no
 *         space to note a key that was left); CANCELLED (cancelled, or its client ended, before it
 *         began: nothing was deleted, and the wallet is locked).
 *
 * Any thread, in callbacks. Since 0.1.
 */
wallet_core_status wallet_core_wipe(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/**
 * Request: fetches the update policy and the configuration now. The library fetches both by itself
 * at its start and then hourly, and the flows fetch the policy at every launch; a host with its own
 * screens calls this when it cannot wait for that, such as when the app returns to the foreground.
 * Works without a wallet, on a locked wallet, and while the policy blocks this version, and does
 * not wait for other requests. VERSION_STATE and CONFIGURATION events of what has changed come
 * before the completion. With OK, everything that was published before the call is in force.
 *
 * A fetch that is already running began before the call and does not count for it; all calls made
 * meanwhile share the next one. A lock and a wipe do not end the request.
 *
 * @param request receives the request; may be NULL.
 * @return OK (one completion follows); CLIENT_DETACHED; BUSY; NOT_INITIALIZED; FORKED.
 *         The completion: OK; NO_INTERNET; SERVER_UNREACHABLE (also if a document does not verify);
 *         TRANSPORT_MISSING; STORAGE_UNAVAILABLE and STORAGE_FULL (what was fetched could not be
 *         stored); OUT_OF_RESOURCES; CANCELLED. After a failure one of the two may be new.
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_refresh(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/**
 * Asks a request of this client to end early. Its completion still comes: CANCELLED, or the actual
 * result if the request had passed its point of no return. A request that has not begun does
 * nothing any more. OK for unknown and ended requests.
 *
 * @return OK; CLIENT_DETACHED; NOT_INITIALIZED; FORKED. Never waits. Any thread, in callbacks.
 *         Since 0.1.
 */
wallet_core_status wallet_core_cancel(
    wallet_core_client client, uint64_t request, wallet_core_error **error);

/* ============================================================================================ */
/* 9. Biometric unlock, for hosts with their own screens                                        */
/* ============================================================================================ */

/*
 * Biometric unlock is cryptographic: the vault key is wrapped a second time under a secret which
 * the encryption-key bridge protects with WALLET_CORE_PROTECTION_BIOMETRIC. The wallet unlocks only
 * by unwrapping that key; the host cannot unlock it by reporting success. The flows of section 10
 * do all of this by themselves.
 */

/**
 * Whether biometric unlock is enabled. Never waits for the platform.
 *
 * @param is_enabled receives 1 or 0 (0 on failure); required.
 * @return as wallet_core_has_registration(). Any thread, in event callbacks. Since 0.2.
 */
wallet_core_status wallet_core_is_biometric_unlock_enabled(
    int32_t *is_enabled, wallet_core_error **error);

/**
 * Request: enables biometric unlock of the unlocked wallet. First the platform asks for the user's
 * biometrics (encrypt with WALLET_CORE_PROTECTION_BIOMETRIC). Then the provider checks the PIN,
 * which counts as for an unlock: without it, anyone holding the unlocked phone could enrol their
 * own finger. Enabled only if the completion is OK with PIN_OUTCOME_VALID. A lock in between ends
 * the request with LOCKED; if it comes before the PIN is evaluated, no attempt is counted (see
 * wallet_core_unlock()). A block of this version ends it with VERSION_BLOCKED.
 *
 * @param pin as for wallet_core_unlock().
 * @return as wallet_core_unlock(); NOT_REGISTERED; LOCKED. The completion also LOCKED,
 *         BIOMETRICS_FAILED, CANCELLED.
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_enable_biometric_unlock(
    wallet_core_client client, const uint8_t *pin, size_t pin_length, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: disables biometric unlock and deletes its platform key. OK if it is not enabled. Works
 * on a locked wallet too, because it only removes a way to unlock.
 *
 * @return OK (one completion follows); CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES; NOT_INITIALIZED;
 *         FORKED. The completion: OK; those of sections "platform" and "storage"; CANCELLED.
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_disable_biometric_unlock(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/**
 * Request: unlocks the wallet by biometrics; the platform asks the user. Needs no network.
 * Attempts are not counted here: a host with its own screens follows its platform's rules. Nor does
 * the provider tell anything here of wrong PINs or of another wallet: a host with its own screens
 * calls wallet_core_pin_state() afterwards, see wallet_core_event_replacement_session().
 *
 * @return OK (one completion follows); VERSION_BLOCKED; CLIENT_DETACHED; BUSY; OUT_OF_RESOURCES;
 *         NOT_INITIALIZED; FORKED. The completion: OK; NOT_REGISTERED; BIOMETRICS_NOT_ENABLED;
 *         BIOMETRICS_FAILED (data: "reason" of not_recognised, cancelled_by_user, locked_out,
 *         locked_out_permanently, not_enrolled, key_invalidated, key_missing, unavailable);
 *         CANCELLED (a lock, the background, a take-over, a later request with a PIN, or another
 *         secret was enabled meanwhile); those of sections "platform" and "storage".
 *
 * Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_unlock_with_biometrics(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/* ============================================================================================ */
/* 10. Flows: the use cases, run by the library                                                 */
/* ============================================================================================ */

/*
 * A host that draws the current step and sends back what the user chose has the whole published
 * behaviour: first start, PIN set-up, unlock, identity proofing, sharing, log-in, history, blocks,
 * locks, wipe. From section 8 it needs only
 * wallet_core_notify_lifecycle() for foreground, background and user activity.
 *
 *   wallet_core_open_app(client, WALLET_CORE_STARTUP_LAUNCH, NULL, &error);
 *   for each STEP event:
 *     draw the step by its name, or by its English title, message and labels
 *     on a tap: wallet_core_choose(client, serial, action, input, input_length, &error)
 *
 * The article "Steps, actions and notices" (share/doc/wallet_core/names.md of a release) has the
 * names of all steps, actions, notices and arguments, and the symbology that each scanning step
 * reads; the JSON Schema of the events lists the names too. The names are as stable as this header:
 * within one WALLET_CORE_ABI_VERSION none is changed or removed, and only a new minor version adds
 * some. Draw a step that you do not know by its English texts, and ignore notices and arguments
 * that you do not know.
 *
 * One step is current at a time, for all clients together. Every step has a new serial each time
 * that it is shown. A choice with another serial returns STALE_STEP and does nothing, so a double
 * tap or a tap in a replaced engine is harmless. Like every stream, the step stream keeps only its
 * latest value. A take-over locks the wallet, and the new client receives the step that is then
 * current. If the account is being set up, that is the progress step "set-up-account": the set-up
 * continues with the PIN that the user chose. The unlock follows, which this PIN opens, or the
 * error step if the set-up fails.
 */

/** Kinds of steps; treat kinds that you do not know as a screen. */
enum wallet_core_step_kind WALLET_CORE_INT32 {
  /** The host draws a full screen. */
  WALLET_CORE_STEP_SCREEN = 1,
  /** The host draws a prompt over the screen that wallet_core_event_step_beneath() names. */
  WALLET_CORE_STEP_PROMPT = 2,
  /** The library is working for longer than 0.2 s: draw a spinner. Ends by itself. */
  WALLET_CORE_STEP_PROGRESS = 3,
  /** The operating system asks the user, after a bridge call. Nothing to draw; ends by itself. */
  WALLET_CORE_STEP_SYSTEM_PROMPT = 4,
  /** The host does something itself and reports by a choice that it is done. */
  WALLET_CORE_STEP_HAND_OFF = 5,
  /** A failure and what can be done about it. */
  WALLET_CORE_STEP_ERROR = 6,
  /** The user closed the app, nothing else was possible; wallet_core_open_app() starts again. */
  WALLET_CORE_STEP_END = 7
};
typedef WALLET_CORE_ENUM(wallet_core_step_kind) wallet_core_step_kind;

/** The input that a choice may have. */
enum wallet_core_input WALLET_CORE_INT32 {
  WALLET_CORE_INPUT_NONE = 0,
  /** WALLET_CORE_PIN_LENGTH ASCII digits, with the action "enter". */
  WALLET_CORE_INPUT_PIN = 1,
  /** The bytes of a scanned code, passed to wallet_core_choose_scanned(). */
  WALLET_CORE_INPUT_SCAN = 2,
  /** The index of an option of the request, passed to wallet_core_choose_option(). Since 0.5. */
  WALLET_CORE_INPUT_OPTION = 3
};
typedef WALLET_CORE_ENUM(wallet_core_input) wallet_core_input;

/** The maximum length of a link, in bytes. */
#define WALLET_CORE_LINK_MAXIMUM 8192

/** How the app was started. */
enum wallet_core_startup WALLET_CORE_INT32 {
  /** The app was not active: a launch on iOS, a cold or warm start on Android. */
  WALLET_CORE_STARTUP_LAUNCH = 1,
  /** The app was active: a resume on iOS, a hot start on Android. */
  WALLET_CORE_STARTUP_RESUME = 2
};
typedef WALLET_CORE_ENUM(wallet_core_startup) wallet_core_startup;

/** The symbology of a scanned code. */
enum wallet_core_symbology WALLET_CORE_INT32 {
  WALLET_CORE_SYMBOLOGY_QR_CODE = 1,
  WALLET_CORE_SYMBOLOGY_PDF417 = 2,
  /** Any other. No step accepts it, and the user is told so. Since 0.3. */
  WALLET_CORE_SYMBOLOGY_OTHER = 3
};
typedef WALLET_CORE_ENUM(wallet_core_symbology) wallet_core_symbology;

/**
 * Opens the app (UC1.2). Call it once for each attached client, and again whenever the operating
 * system passes a universal link to the running app. The library itself knows whether a flow is in
 * progress: if one is, LAUNCH counts as RESUME and nothing is lost; if none is, RESUME counts as
 * LAUNCH. A launch locks nothing: a wallet that a request has unlocked before goes on from its
 * first step without asking for the PIN.
 *
 * A link interrupts neither an unlock nor the entry of another PIN, nor work, nor a hand-off other
 * than help: the current step and its serial stay as they are, no step follows, and the link is
 * opened afterwards. So a tap of the user is not lost, whatever other apps open. Only the first
 * request of a relying party that has to wait for an unlock shows the step of the unlock (UC2.3 1.2
 * or 1.3) once more, which then says so ("is_request_waiting"). The first call of a client that has
 * taken over opens the app in any case.
 *
 * @param startup        WALLET_CORE_STARTUP_...
 * @param universal_link the link that opened the app; NULL or empty if there is none. Links with
 *                       the schemes "openid4vp" and "haip-vp", by which relying parties on this
 *                       device ask, belong here too: an app has to register both. Kept in
 *                       guarded memory until it is opened; a newer valid link replaces it. A link
 *                       that is longer than WALLET_CORE_LINK_MAXIMUM or not UTF-8 does not fail
 *                       the call: it is refused by a notice, as other invalid links are, and
 *                       replaces none.
 * @return OK (a step follows, unless a link has to wait); INVALID_ARGUMENT; CLIENT_DETACHED;
 *         OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED. Never waits. Any thread, in callbacks.
 *         Since 0.2.
 */
wallet_core_status wallet_core_open_app(
    wallet_core_client client, wallet_core_startup startup, const char *universal_link,
    wallet_core_error **error);

/**
 * Answers the current step with one of its actions.
 *
 * @param serial       the serial of the step that the user saw.
 * @param action       one of the step's actions, e.g. "next"; 1 to 64 bytes.
 * @param input        a PIN for the action "enter", copied into guarded memory; else NULL.
 * @param input_length in bytes.
 * @return OK (another step follows); STALE_STEP; PIN_REFUSED (the input is not
 *         WALLET_CORE_PIN_LENGTH digits, with any serial, or "enter" of the current step has none:
 *         the step stays current); INVALID_ARGUMENT (not an action of this step, or an input that
 *         it does not take: the step stays current); INVALID_UTF8; CLIENT_DETACHED;
 *         OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED.
 *
 * Never waits. Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_choose(
    wallet_core_client client, uint64_t serial, const char *action, const uint8_t *input,
    size_t input_length, wallet_core_error **error);

/**
 * Answers a step whose input is WALLET_CORE_INPUT_SCAN with a scanned code.
 *
 * @param symbology    WALLET_CORE_SYMBOLOGY_...
 * @param bytes        the raw bytes of the code, not decoded as text; 1 to 4096. Copied.
 * @return as wallet_core_choose(). Never waits. Any thread, in callbacks. Since 0.2.
 */
wallet_core_status wallet_core_choose_scanned(
    wallet_core_client client, uint64_t serial, wallet_core_symbology symbology,
    const uint8_t *bytes, size_t length, wallet_core_error **error);

/**
 * Answers a step whose input is WALLET_CORE_INPUT_OPTION by choosing a card or a combination of
 * cards for the request of a relying party: the action "choose" of the step "choose-card".
 *
 * @param option       an index below wallet_core_event_sharing_option_count(). Choosing an option
 *                     that may be left out and is chosen takes the choice back.
 * @return as wallet_core_choose(). An option that cannot be chosen leads to the same step again.
 *         Never waits. Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_choose_option(
    wallet_core_client client, uint64_t serial, size_t option, wallet_core_error **error);

/**
 * Sets the step stream: the callback receives a STEP event with the current step exactly once, if
 * there is one, then one for every shown step; of several that wait, only the latest. Parameters,
 * replacement, status and threads are as for wallet_core_set_wakeup(). Since 0.2.
 */
wallet_core_status wallet_core_set_step_stream(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the step stream. As wallet_core_clear_wakeup(). Since 0.2. */
wallet_core_status wallet_core_clear_step_stream(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/*
 * Getters of a STEP event. For other events and NULL they return 0 or an empty text. Texts are
 * borrowed from the event. Any thread.
 */

/** The serial, for wallet_core_choose(). Since 0.2. */
uint64_t wallet_core_event_step_serial(const wallet_core_event *event);

/** The published number of the use case, e.g. "UC2.3" or "PF2.8". Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_use_case(const wallet_core_event *event);

/** The row of the use case's table, e.g. "1.3"; for an error the row that failed. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_row(const wallet_core_event *event);

/** WALLET_CORE_STEP_...; 0 for other events. Since 0.2. */
wallet_core_step_kind wallet_core_event_step_kind(const wallet_core_event *event);

/** The stable name, by which a host decides how to draw the step, e.g. "open-with-pin". Since
    0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_name(const wallet_core_event *event);

/** The title in English. Hosts localise by name and arguments. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_title(const wallet_core_event *event);

/** The message in English, with its arguments; may be empty. An empty line separates paragraphs; if
    a paragraph has a second line, its first line is a heading. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_message(const wallet_core_event *event);

/** The name of the screen beneath a prompt; empty if there is none. Since 0.2. */
const char *WALLET_CORE_NONNULL wallet_core_event_step_beneath(const wallet_core_event *event);

/** WALLET_CORE_INPUT_...: the input that the step takes. Since 0.2. */
wallet_core_input wallet_core_event_step_input(const wallet_core_event *event);

/** The number of actions that the user can choose from; the first is the main button. Since 0.2. */
size_t wallet_core_event_step_action_count(const wallet_core_event *event);

/** The stable name of an action, for wallet_core_choose(); empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_action(const wallet_core_event *event, size_t index);

/** The label of an action in English; empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_action_label(const wallet_core_event *event, size_t index);

/*
 * The arguments of steps. Each step has those that it needs; later versions may add more. Durations
 * are in milliseconds, counted from the moment the step was shown, on a clock that includes sleep.
 *
 *   account_label          text    the account that an enrolment code is for, masked (UC3.1 5c)
 *   app_version            text    as the host gave it (UC9.2)
 *   attempts_left          number  of PINs in this round; of scans and licences, if two or fewer
 *   biometrics             text    "any", "fingerprint" or "face"
 *   block_age_ms           number  since the provider told of the block (UC2.3 1.3)
 *   blocked_for_ms         number  until PINs are accepted again, as far as is known
 *   configuration_version  number  of the configuration in force (UC9.2)
 *   core_version           text    of this library (UC9.2)
 *   failed_attempts        number  of wrong PINs that the user was not told of before (notice
 *                                  "failed-attempts", on any step)
 *   failure                text    why there is no PID yet: a code like "doc.expired"; the article
 *                                  on the names of steps lists them
 *   has_pid                truth   whether the wallet has a PID
 *   host                   text    the host that gets what is shared (UC5.1, UC5.2)
 *   is_biometric_unlock_enabled truth
 *   is_final_round         truth   whether the next block is permanent
 *   is_permanently_blocked truth   whether the last known block is permanent (UC2.3 1.3)
 *   is_pid_expired         truth   whether the PID has expired (UC7.1 1.1, with a PID)
 *   is_request_waiting     truth   whether a request of a relying party waits for the unlock; only
 *                                  if so (UC2.3 1.2 and 1.3)
 *   last_failed_at         number  when the last failed attempt came, in seconds since 1970 (UTC)
 *   link                   text    what a hand-off opens; it may have a secret of its issuer. The
 *                                  step is shown until the host reports that it is done: report it
 *                                  first, then open the link, so that it is not opened twice
 *   locks_in_ms            number  until the wallet locks for inactivity (UC9.7)
 *   may_close_app          truth   whether the step has an exit that ends the identity proofing:
 *                                  the host may then close the app
 *   minimum_age            number  in years, for the identity proofing
 *   organisation           text    who asks, as its certificate says (UC5.1, UC5.2)
 *   pin_length             number  of digits
 *   protection             text    "pin" or "pin-and-biometrics" (UC2.1 1.9)
 *   purpose                text    what the PIN confirms: "share" or "log-in" (PF2.4)
 *   reason                 text    why a PIN is too simple, a code cannot be used, or a request of a
 *                                  relying party is not answered
 *   reasons                text    several codes as in `failure`, separated by commas (UC3.1 2a)
 *   reference              text    by which support finds the failure; no personal data
 *   retry_after_ms         number  until another attempt makes sense
 *   status_name            text    the status without WALLET_CORE_ERROR_ (error steps)
 *   symbology              text    "qr-code" or "pdf417": what a scanner needs. A code of the other
 *                                  kind is refused and is no attempt
 *   takes_effect_in_ms     number  until another wallet takes the place of this one (UC7.1 4.1)
 */

/**
 * The value of an argument that is a number or a truth value (1 or 0).
 *
 * @param name  the argument's name.
 * @param value receives the value; 0 if there is none. May be NULL.
 * @return 1 if there is such an argument, else 0. Since 0.2.
 */
int32_t wallet_core_event_step_number(
    const wallet_core_event *event, const char *name, int64_t *value);

/** The value of an argument that is a text; empty if there is none of that name. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_text(const wallet_core_event *event, const char *name);

/** The number of notices, which are short messages shown with the step. Since 0.2. */
size_t wallet_core_event_step_notice_count(const wallet_core_event *event);

/** The stable name of a notice, e.g. "link-invalid"; empty beyond the count. Since 0.2. */
const char *WALLET_CORE_NONNULL
wallet_core_event_step_notice(const wallet_core_event *event, size_t index);

/* ============================================================================================ */
/* 11. Cards                                                                                    */
/* ============================================================================================ */

/*
 * A card is a credential in the vault, an SD-JWT VC (RFC 9901, typ dc+sd-jwt). Its claims are sealed
 * under the vault key and can be read while the wallet is unlocked. It is held in copies, each bound
 * to a P-256 key of its own in the signing-key bridge, and each to be shown to one verifier; a copy
 * is opened by the provider alone, after the PIN.
 *
 * The identity proofing (UC3.1) issues one, the PID ("pid"), in ten copies, and asks for the PIN
 * once more before it. Any verifier that knows the provider's authority can check it. The claim
 * "verification" says what was checked, and claims no level of assurance beyond that. New copies
 * take a new enrolment code. No function of this version takes cards of other issuers; whatever
 * lists or presents cards is ready for them.
 *
 * The personal data of a card is in these completions and in no other event, log or error. Draw it,
 * then free the event. A lock ends completions that no host has taken yet with LOCKED.
 */

/**
 * Request: reads the cards of the unlocked wallet. The completion has them in the order in which to
 * show them, see wallet_core_event_card_count(). OK if there are none.
 *
 * @return OK (one completion follows); NOT_REGISTERED; LOCKED; VERSION_BLOCKED; CLIENT_DETACHED;
 *         BUSY; OUT_OF_RESOURCES; NOT_INITIALIZED; FORKED. The completion: OK; LOCKED (also if the
 *         wallet was locked before the completion was taken); VERSION_BLOCKED (if the version was
 *         blocked meanwhile); NOT_REGISTERED (instead of from the call, like LOCKED, if the
 *         storage path was not known yet); CANCELLED; those of sections "platform" and "storage".
 *
 * Any thread, in callbacks. Since 0.3.
 */
wallet_core_status wallet_core_cards(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/**
 * Sets the cards stream: the callback receives a CARDS_CHANGED event when wallet_core_cards() would
 * answer with other cards or with another state of one than before: a card was taken or deleted, the
 * PID was issued or replaced, or a state changed. Time, a status list, a lost key and a new
 * configuration change states. The wallet looks after each unlock and, while it is unlocked, when
 * one of these comes; what changed while it was locked is told after the next unlock, or before.
 *
 * The event has nothing but its kind, and there is no current value: a new callback receives nothing
 * until the next change, or at once if an event waits in the queue. Several changes may arrive as
 * one event. It can come without need, so a host that wants to show what is new compares. A use of
 * a card, which changes the number of its unused copies, sends none, nor does a wipe, which locks.
 *
 * It can come while the wallet is locked, because it has no personal data; read the cards after the
 * unlock then. Parameters, replacement, status and threads are as for wallet_core_set_wakeup(). Since
 * 0.5.
 */
wallet_core_status wallet_core_set_cards_stream(
    wallet_core_client client, wallet_core_event_callback WALLET_CORE_SENDABLE callback,
    void *context, wallet_core_destroy WALLET_CORE_SENDABLE destroy, uint64_t *token,
    wallet_core_error **error);

/** Clears the cards stream. As wallet_core_clear_wakeup(). Since 0.5. */
wallet_core_status wallet_core_clear_cards_stream(
    wallet_core_client client, uint64_t token, wallet_core_error **error);

/** A card, and the claims of it that a verifier is to see. Since 0.5. */
typedef struct wallet_core_card_selection {
  /** sizeof(wallet_core_card_selection). */
  size_t struct_size;
  /** The id of the card, e.g. "pid"; 1 to 64 bytes. */
  const char *card;
  /** The ways to the claims, each a JSON array of names and indices of 1 to 1024 bytes, as
      wallet_core_event_card_claim_path() gives it: ["address","street_address"] or
      ["nationalities",0]. May be NULL if `path_count` is 0: then only what cannot be withheld is
      disclosed. */
  const char *const *paths;
  /** At most 64. */
  size_t path_count;
} wallet_core_card_selection;

/**
 * Request: presents cards to one verifier. Of each card it discloses the claims at the paths, what
 * lies in them and what they lie in; all other claims are withheld, so far as the card's issuer made
 * them withholdable one by one. The card's own key signs for this verifier and this nonce (RFC 9901
 * section 4.3). Show the user who asks for which claims, then ask for the PIN.
 *
 * The PIN is always asked for here, also where biometrics have unlocked the wallet: only the
 * provider opens the copy of a card, for this one use, and only after it has checked the PIN. The PIN
 * is counted and blocked as by wallet_core_check_pin(), and the completion has the same answer:
 * with WALLET_CORE_PIN_OUTCOME_VALID there are as many presentations as selections; with any other
 * outcome there are none, and no copy was used. What the wallet can refuse without the provider, such
 * as a claim that the card does not have, it refuses before, and that costs no attempt.
 *
 * Of each card the copy that was used least is taken, and its use is counted before it is opened. So
 * a copy counts as seen by a verifier also if the request fails after that or the process is killed.
 * A card may be selected several times; all its presentations are then of one copy.
 *
 * @param selections      1 to 16.
 * @param selection_count the number of selections.
 * @param nonce           the verifier's nonce, which prevents replays; 1 to 512 bytes.
 * @param audience        the verifier's identifier, as agreed with it; 1 to 512 bytes.
 * @param pin             as for wallet_core_check_pin().
 * @param pin_length      as for wallet_core_check_pin().
 * @return OK (one completion follows, see wallet_core_event_pin_outcome() and
 *         wallet_core_event_presentation()); INVALID_ARGUMENT (also for a path that is no such
 *         array); INVALID_UTF8; PIN_REFUSED (it has not the form of a PIN); and as
 *         wallet_core_cards(). The completion: OK; CARD_UNKNOWN; CARD_EXPIRED; INVALID_ARGUMENT (a
 *         card has no claim at one of the paths); CARD_KEY_LOST (the platform has lost the key of a
 *         copy: this copy is not used any more); CARD_REFUSED (the card cannot be used in its
 *         "state"; or the provider cannot open the copy: "card" says of which card, "reason" is
 *         "use-key-lost" if the provider has given up the key that the copy is sealed to, and
 *         "slot-closed" if the copy was sealed for another wallet or changed; another copy is tried
 *         next, and if there is none the card has to be obtained anew); NO_INTERNET,
 *         SERVER_UNREACHABLE (nothing is presented offline); and as wallet_core_check_pin() and
 *         wallet_core_cards(). If the wallet is locked or the request cancelled before the completion
 *         was taken, there is no presentation: LOCKED or CANCELLED.
 *
 * Any thread, in callbacks. Since 0.3, with selections and a PIN since 0.5.
 */
wallet_core_status wallet_core_present(
    wallet_core_client client, const wallet_core_card_selection *const *selections,
    size_t selection_count, const char *nonce, const char *audience, const uint8_t *pin,
    size_t pin_length, uint64_t *request, wallet_core_error **error);

/*
 * Getters of the completion of wallet_core_cards() or wallet_core_present(). For other events, NULL
 * and an index beyond the count they return 0 or an empty text. Texts are borrowed from the event.
 * Any thread. wallet_core_event_json() has the same data, with the structure of the claims.
 */

/** The number of cards. Since 0.3. */
size_t wallet_core_event_card_count(const wallet_core_event *event);

/** A text of a card: "id", "type" (the vct), "issuer", "issued_at" and "expires_at" (RFC 3339, UTC);
    "name", "background_color" and "text_color" ("#rrggbb"), as the issuer wants the card to be
    shown. Empty for other names, and for what the card does not state. Since 0.3. */
const char *WALLET_CORE_NONNULL
wallet_core_event_card_text(const wallet_core_event *event, size_t card, const char *name);

/** Whether a card can be used, by the provider's clock. Values may be added. */
enum wallet_core_card_state WALLET_CORE_INT32 {
  /** It can be used, by all that is known. */
  WALLET_CORE_CARD_STATE_VALID = 1,
  /** It can be used, but should be replaced: at most a tenth of its life, and at most 30 days, are
      left. Of a card that does not say when it was issued, 30 days. */
  WALLET_CORE_CARD_STATE_EXPIRES_SOON = 2,
  /** It cannot be used yet. */
  WALLET_CORE_CARD_STATE_NOT_YET_VALID = 3,
  /** It can be shown but not presented any more. */
  WALLET_CORE_CARD_STATE_EXPIRED = 4,
  /** The issuer has withdrawn it for good. */
  WALLET_CORE_CARD_STATE_REVOKED = 5,
  /** The issuer has withdrawn it for the time being. */
  WALLET_CORE_CARD_STATE_SUSPENDED = 6,
  /** The issuer publishes whether it has withdrawn the card, but that could not be read lately. The
      card can be used, and a verifier may refuse it. That of a PID is read after it was issued and
      after an unlock. */
  WALLET_CORE_CARD_STATE_UNCHECKED = 7,
  /** The platform has lost its keys: it can be shown but not presented. */
  WALLET_CORE_CARD_STATE_KEY_LOST = 8,
  /** The provider's configuration no longer has the authority of its issuer, or that is not in force
      any more. The card can be used: each verifier decides by itself whom it trusts. Warn the owner,
      who decides. Since 0.5. */
  WALLET_CORE_CARD_STATE_UNTRUSTED = 9,
  /** What the wallet has stored of it is damaged. It has no claims and perhaps neither type nor
      issuer, and cannot be presented; the other cards are not concerned. Obtain it anew. Since
      0.5. */
  WALLET_CORE_CARD_STATE_UNREADABLE = 10
};
typedef WALLET_CORE_ENUM(wallet_core_card_state) wallet_core_card_state;

/** One of WALLET_CORE_CARD_STATE_...; 0 if there is no such card. Since 0.5. */
wallet_core_card_state wallet_core_event_card_state(const wallet_core_event *event, size_t card);

/**
 * A number of a card: "copies" and "unused_copies". Each copy of a card is made for one use, so that
 * two verifiers cannot compare what they saw; an unused one was seen by none and can be used.
 *
 * @param name  the number's name.
 * @param value receives the number; 0 if there is none. May be NULL.
 * @return 1 if the card has such a number, else 0. Since 0.5.
 */
int32_t wallet_core_event_card_number(
    const wallet_core_event *event, size_t card, const char *name, int64_t *value);

/** The number of claims of a card; nested claims are counted one by one. Since 0.3. */
size_t wallet_core_event_card_claim_count(const wallet_core_event *event, size_t card);

/** The name of a claim, e.g. "family_name", or "age_equal_or_over.18" for a nested one; in
    alphabetical order. Since 0.3. */
const char *WALLET_CORE_NONNULL
wallet_core_event_card_claim_name(const wallet_core_event *event, size_t card, size_t claim);

/** The value of a claim as text; truth values are "true" and "false", and a number is spelt as the
    issuer spelt it. Since 0.3. */
const char *WALLET_CORE_NONNULL
wallet_core_event_card_claim_text(const wallet_core_event *event, size_t card, size_t claim);

/** The way to a claim: a JSON array of names and, for elements of lists, indices from 0, such as
    ["address","street"] (OpenID4VP 1.0 section 7). Names can contain dots, so the claim's name does
    not tell it. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_card_claim_path(const wallet_core_event *event, size_t card, size_t claim);

/** 1 if the claim is disclosed only when wallet_core_present() names it or what it lies in, 0 if
    every verifier sees it. Since 0.3. */
int32_t wallet_core_event_card_claim_is_disclosable(
    const wallet_core_event *event, size_t card, size_t claim);

/** The number of presentations: that of the selections, or 0 if the PIN was not right. Since 0.5. */
size_t wallet_core_event_presentation_count(const wallet_core_event *event);

/** A presentation for the verifier, in the order of the selections: an SD-JWT with key binding in
    compact form. Since 0.3, of several since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_presentation(const wallet_core_event *event, size_t index);

/* ============================================================================================ */
/* 12. Sharing data and logging in                                                              */
/* ============================================================================================ */

/*
 * A relying party calls the wallet by a link or a code: openid4vp://, haip-vp://, or a link to one of
 * the configuration's hosts with the path /sharing or /login (OpenID4VP 1.0 in the profile of
 * HAIP 1.0). The library fetches the request, finds out who asks from the certificate that has
 * signed it, and looks for cards that answer it. The flows do all of it: UC5.1 and UC5.2. A host that
 * runs its own screens does it with these requests:
 *
 *   wallet_core_begin_sharing(...)           show who asks for what, and what is chosen
 *   wallet_core_choose_sharing_option(...)   as often as the user likes
 *   wallet_core_confirm_sharing(..., pin)    or wallet_core_refuse_sharing(...)
 *   open the "redirect_uri" of that completion, if there is one
 *
 * One request, one answer: nothing is sent twice. Nobody is told anything before the user has
 * decided, and never why the user refused. The organisation's name is that of its certificate.
 * Requests are kept in memory, at most eight; a wipe and a take-over forget them.
 */

/**
 * Request: retrieves what a relying party asks for.
 *
 * @param link              the link, or the text of the code; 1 to WALLET_CORE_LINK_MAXIMUM bytes.
 * @param from_other_device 1 if the code was read from the display of another device, so that there
 *                          is no browser to return to. Ask the user then whether the host is the one
 *                          where the code was. 0 for a link that was opened on this device; one that
 *                          was made to be scanned (m=qr) is then refused as in PF2.7: another app has
 *                          read it.
 * @return OK (one completion follows, with the getters below); INVALID_ARGUMENT; INVALID_UTF8; and as
 *         wallet_core_cards(). The completion: OK (no options: the wallet lacks what is asked for, and
 *         the user can only refuse); REQUEST_REFUSED ("reason" in the data: "invalid",
 *         "unsupported", "unreachable", "not-trusted" or "foreign-scanner". If who asks is known,
 *         "organisation" and "sharing", an id for wallet_core_refuse_sharing(), which tells it);
 *         REQUEST_EXPIRED; NO_INTERNET; CANCELLED (by wallet_core_cancel(), or a wipe came
 *         meanwhile); and as wallet_core_cards().
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_begin_sharing(
    wallet_core_client client, const char *link, int32_t from_other_device, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: chooses a card or a combination of cards. The completion has the request as it is then.
 * Wait for it before wallet_core_confirm_sharing(): two requests under way have no order.
 *
 * @param sharing the "id" of the request.
 * @param option  an index below wallet_core_event_sharing_option_count(). Choosing an option that may
 *                be left out and is chosen takes the choice back.
 * @return as wallet_core_cards(), and INVALID_ARGUMENT. The completion: OK; INVALID_ARGUMENT (the
 *         option cannot be chosen; nothing was changed); REQUEST_EXPIRED; and as wallet_core_cards().
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_choose_sharing_option(
    wallet_core_client client, const char *sharing, size_t option, uint64_t *request,
    wallet_core_error **error);

/**
 * Request: shares what is chosen. The PIN is always asked for, see wallet_core_present(). That data
 * may be shared is on disk before anything is sent, and how it ended as soon as that is known, see
 * wallet_core_activities(). Once it is sent, only a wipe ends the wait for the reply. The PIN is wiped
 * before anything is sent.
 *
 * A lock withholds the completion, whose status is then LOCKED. Of a request that has ended, a further
 * call tells the end once more, and looks at no PIN: nothing is sent twice.
 *
 * @param sharing    the "id" of the request.
 * @param pin        as for wallet_core_check_pin().
 * @param pin_length as for wallet_core_check_pin().
 * @return as wallet_core_present(). The completion: OK (with a right PIN, the texts "result":
 *         "shared" or "may-have-been-shared", and "redirect_uri"; with another, see
 *         wallet_core_event_pin_outcome(), nothing is shared and the request can be confirmed once
 *         more. A "result" that is told once more comes without a PIN outcome); REQUEST_EXPIRED;
 *         REQUEST_REFUSED (nothing was sent; "reason" is "unreachable": the request can be confirmed
 *         once more; or "invalid": no answer could be made, and the request has ended);
 *         INVALID_ARGUMENT (there is nothing to share); and as wallet_core_present().
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_confirm_sharing(
    wallet_core_client client, const char *sharing, const uint8_t *pin, size_t pin_length,
    uint64_t *request, wallet_core_error **error);

/**
 * Request: refuses a request. The relying party is told that the user refused, or what is wrong with
 * its request; if it cannot be reached, it is not told.
 *
 * @param sharing the "id" of the request.
 * @return as wallet_core_cards(), and INVALID_ARGUMENT. The completion: OK ("result" is "stopped" or
 *         "failed", and there may be a "redirect_uri"); REQUEST_EXPIRED; and as wallet_core_cards().
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_refuse_sharing(
    wallet_core_client client, const char *sharing, uint64_t *request, wallet_core_error **error);

/**
 * Request: reads the history: what was shared with whom, what was refused and what failed, the newest
 * first. It keeps 1,000 activities in which data was or may have been shared, and 200 others. It is
 * sealed under the vault key; a wipe ends it.
 *
 * @return as wallet_core_cards(), and so is the completion.
 *
 * Any thread, in callbacks. Since 0.5.
 */
wallet_core_status wallet_core_activities(
    wallet_core_client client, uint64_t *request, wallet_core_error **error);

/*
 * Getters of a request: of the completions above and of STEP events about a request. For other
 * events, NULL and an index beyond the count they return 0 or an empty text. Texts are borrowed from
 * the event. Any thread. wallet_core_event_json() has the same data.
 */

/** A text: "id"; "organisation" and "organisation_id" (of the certificate), "authority" (who
    certified it), "host" (which gets the data); "last_shared_at" and "expires_at" (RFC 3339, UTC; an
    hour after the request came at the latest); at the end "result" and "redirect_uri" (to be opened once and as it is). Empty for other names,
    and for what is not known. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_sharing_text(const wallet_core_event *event, const char *name);

/**
 * A number or a truth value (1 or 0): "is_login", "is_from_other_device", "shared_before" (how often
 * this organisation may have got data of this wallet).
 *
 * @param name  the number's name.
 * @param value receives the number; 0 if there is none. May be NULL.
 * @return 1 if there is such a number, else 0. Since 0.5.
 */
int32_t wallet_core_event_sharing_number(
    const wallet_core_event *event, const char *name, int64_t *value);

/** The number of registrations: what registrars have certified of the relying party, one for each use
    of data. Show the purposes of all. Since 0.5. */
size_t wallet_core_event_sharing_registration_count(const wallet_core_event *event);

/** A text of a registration: "registrar" (by its name in the configuration) and "privacy_policy" (an
    https URL). Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_sharing_registration_text(
    const wallet_core_event *event, size_t registration, const char *name);

/** What the data is for, as the registrar has certified it, in a language such as "en"; NULL for the
    first one. Empty if there is none. Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_sharing_purpose(
    const wallet_core_event *event, size_t registration, const char *language);

/** The number of warnings. Since 0.5. */
size_t wallet_core_event_sharing_warning_count(const wallet_core_event *event);

/** What the user should know before agreeing: "not-registered", "asks-for-more" (than it is
    registered for), "host-not-certified", "card-expires-soon", "copies-used-up" (others have seen
    the copy of the card that would be shown, as of when the request was read). Later versions may
    add some. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_sharing_warning(const wallet_core_event *event, size_t index);

/** The number of options: the cards that can be chosen, and the combinations of cards, of which those
    that are not chosen have no cards here. 0 if the wallet lacks what is asked for. Since 0.5. */
size_t wallet_core_event_sharing_option_count(const wallet_core_event *event);

/** A text of an option: "card" (the id of the card) and "query" (what it answers); both are empty for
    a combination. Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_sharing_option_text(
    const wallet_core_event *event, size_t option, const char *name);

/**
 * A number or a truth value of an option: "group" (options of one group exclude each other, unless
 * they may be left out), "is_chosen", "may_be_left_out".
 *
 * @return 1 if there is such a number, else 0. Since 0.5.
 */
int32_t wallet_core_event_sharing_option_number(
    const wallet_core_event *event, size_t option, const char *name, int64_t *value);

/** The number of claims that an option would share beside those that every relying party sees, see
    wallet_core_event_card_claim_is_disclosable(). They may be more than the relying party has asked
    for: what lies in a claim that can only be shown whole is shared with each part of it. Show all.
    Since 0.5. */
size_t wallet_core_event_sharing_option_path_count(const wallet_core_event *event, size_t option);

/** The way to such a claim: a JSON array of names, indices, and null for all elements of an array.
    Their values are in the card, see wallet_core_cards(). Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_sharing_option_path(const wallet_core_event *event, size_t option, size_t path);

/** The number of cards that are asked for and not there; only if there are no options. Since 0.5. */
size_t wallet_core_event_sharing_missing_count(const wallet_core_event *event);

/** A type of card (vct) that would do; empty if any would, and beyond the last one. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_sharing_missing_type(const wallet_core_event *event, size_t missing, size_t type);

/** The way to a claim that it would need; empty beyond the last one. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_sharing_missing_path(const wallet_core_event *event, size_t missing, size_t path);

/*
 * Getters of the completion of wallet_core_activities(), as those above.
 */

/** The number of activities. Since 0.5. */
size_t wallet_core_event_activity_count(const wallet_core_event *event);

/** A text of an activity: "kind" ("sharing" or "login"), "result" ("shared", "may-have-been-shared",
    "stopped" or "failed"), "at" (RFC 3339, UTC), and "organisation", "organisation_id", "authority"
    and "host" as wallet_core_event_sharing_text(). Of a request that could not be trusted only "host"
    is known: the host that has given it. Since 0.5. */
const char *WALLET_CORE_NONNULL
wallet_core_event_activity_text(const wallet_core_event *event, size_t activity, const char *name);

/** The number of registrations for what was chosen; of all if nothing was. Since 0.5. */
size_t wallet_core_event_activity_registration_count(
    const wallet_core_event *event, size_t activity);

/** A text of a registration, as wallet_core_event_sharing_registration_text(). Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_activity_registration_text(
    const wallet_core_event *event, size_t activity, size_t registration, const char *name);

/** What the data was for, as wallet_core_event_sharing_purpose(). Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_activity_purpose(
    const wallet_core_event *event, size_t activity, size_t registration, const char *language);

/** The number of cards of which claims were to be shared. Since 0.5. */
size_t wallet_core_event_activity_item_count(const wallet_core_event *event, size_t activity);

/** A text of such a card: "card" (its id; the card may be gone by now), "type" and "name". Since
    0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_activity_item_text(
    const wallet_core_event *event, size_t activity, size_t item, const char *name);

/** The way to a claim of it; empty beyond the last one. Since 0.5. */
const char *WALLET_CORE_NONNULL wallet_core_event_activity_item_path(
    const wallet_core_event *event, size_t activity, size_t item, size_t path);

/* ============================================================================================ */
/* Layout, for hosts that define these structs themselves (64-bit platforms)                    */
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
WALLET_CORE_ASSERT_SIZE(wallet_core_http_header, 16);
WALLET_CORE_ASSERT_SIZE(wallet_core_http_request, 104);
WALLET_CORE_ASSERT_SIZE(wallet_core_http_bridge, 40);
WALLET_CORE_ASSERT_SIZE(wallet_core_http_response, 80);
WALLET_CORE_ASSERT_SIZE(wallet_core_configuration_key, 40);
WALLET_CORE_ASSERT_SIZE(wallet_core_options, 112);
WALLET_CORE_ASSERT_SIZE(wallet_core_card_selection, 32);
#undef WALLET_CORE_ASSERT_SIZE
#endif
#endif

WALLET_CORE_END_DECLARATIONS

#ifdef __cplusplus
}
#endif

#endif /* WALLET_CORE_H */
