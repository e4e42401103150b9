"""The statuses that wallet_core.h names for each call: as return value, and in the completion."""

STORAGE = {
    "STORAGE_UNAVAILABLE", "STORAGE_FULL", "STORAGE_CORRUPT", "STORAGE_IN_USE", "STORAGE_KEY_LOST"}
PLATFORM = {
    "PLATFORM_NOT_READY", "BRIDGE_INCOMPLETE", "BRIDGE_FAILED", "BRIDGE_TIMEOUT", "DEVICE_INSECURE"}
PROVIDER = {"NO_INTERNET", "SERVER_UNREACHABLE", "SERVER_REFUSED", "TRANSPORT_MISSING"}

BEGUN = {"OK", "BUSY", "OUT_OF_RESOURCES"}
REQUEST = {"OK", "CANCELLED"} | STORAGE | PLATFORM
PIN_REQUEST = REQUEST | PROVIDER | {"ACCOUNT_DIVERGED"}
QUESTION = {"OK", "PLATFORM_NOT_READY", "STORAGE_UNAVAILABLE", "STORAGE_IN_USE", "STORAGE_CORRUPT"}

# What a call returns; with "-" before it the completion, which can also be OUT_OF_RESOURCES.
NAMED = {
    "start": {"OK", "STORAGE_UNAVAILABLE", "STORAGE_FULL", "STORAGE_IN_USE", "OUT_OF_RESOURCES"},
    "registered": QUESTION,
    "biometric": QUESTION,
    "locked": {"OK"},
    "lock": {"OK"},
    "open": {"OK"},
    "step": {"OK"},
    "choose": {"OK", "OUT_OF_RESOURCES", "STALE_STEP"},
    "scan": {"OK", "OUT_OF_RESOURCES", "STALE_STEP"},
    "register": BEGUN,
    "-register": REQUEST | PROVIDER | {"ALREADY_REGISTERED"},
    "unlock": BEGUN,
    "-unlock": PIN_REQUEST,
    "enable": BEGUN | {"LOCKED"},
    "-enable": PIN_REQUEST | {"LOCKED", "BIOMETRICS_FAILED"},
    "finger": BEGUN,
    "-finger": REQUEST | {"BIOMETRICS_NOT_ENABLED", "BIOMETRICS_FAILED"},
    "change": BEGUN | {"LOCKED"},
    "-change": PIN_REQUEST | {"LOCKED"},
    "cards": BEGUN | {"LOCKED"},
    "-cards": REQUEST | {"LOCKED"},
    "present": BEGUN | {"LOCKED"},
    "-present": REQUEST | {"LOCKED"},
    "wipe": {"OK", "BUSY"},
    "-wipe": {"OK", "STORAGE_UNAVAILABLE", "STORAGE_FULL", "CANCELLED"} | PLATFORM,
}

# Statuses after which, by the header, only a wipe helps: none may follow a temporary fault.
FINAL = {"STORAGE_CORRUPT", "STORAGE_KEY_LOST", "ACCOUNT_DIVERGED"}


def is_named(name, answer):
    if answer.was_begun:
        return answer.status in NAMED[f"-{name}"] | {"OUT_OF_RESOURCES"}
    return answer.status in NAMED[name]
