# SPDX-License-Identifier: Apache-2.0
"""The C interface of wallet_core.h: loading the library, its structs and the types of its functions."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from .errors import Category, WalletCoreError

NAME = "libwallet_core.so.2"
INVALID_ARGUMENT = -1
ABI_VERSION = 2  # of the header that this file was written for

# Functions that the library calls: with the context, the call id, and pointers that are valid until the reply.
OnCall = CFUNCTYPE(None, c_void_p, c_uint64)
OnKey = CFUNCTYPE(None, c_void_p, c_uint64, c_char_p)
OnPayload = CFUNCTYPE(None, c_void_p, c_uint64, c_char_p, c_void_p, c_size_t)
OnSecret = CFUNCTYPE(None, c_void_p, c_uint64, c_char_p, c_int32, c_void_p, c_size_t)
OnDestroy = CFUNCTYPE(None, c_void_p)
OnLog = CFUNCTYPE(None, c_void_p, c_int32, c_char_p, c_char_p)
OnEvent = CFUNCTYPE(None, c_void_p, c_void_p)

_Field = tuple[str, type[Any]]
_HEAD: list[_Field] = [("struct_size", c_size_t), ("context", c_void_p), ("destroy", OnDestroy)]


def keep(callback: Any) -> None:
    """Keeps the callback alive until the process has ended, because the library's threads may call it that long. A
    list would not do: the interpreter clears every module while it ends."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(callback))


class SigningKeyBridge(ctypes.Structure):
    _fields_ = _HEAD + [
        ("public_key", OnKey), ("sign", OnPayload), ("delete_key", OnKey), ("attest", OnPayload), ("cancel", OnCall)]


class EncryptionKeyBridge(ctypes.Structure):
    _fields_ = _HEAD + [("encrypt", OnSecret), ("decrypt", OnSecret), ("delete_key", OnKey), ("cancel", OnCall)]


class UtilitiesBridge(ctypes.Structure):
    _fields_ = _HEAD + [
        ("storage_path", OnCall), ("biometrics_available", OnCall), ("device_secure", OnCall),
        ("internet_reachable", OnCall), ("cancel", OnCall), ("platform", c_int32), ("reserved", c_int32),
        ("camera_state", OnCall)]


class HTTPHeader(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class HTTPRequest(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("method", c_char_p), ("url", c_char_p), ("headers", POINTER(HTTPHeader)),
        ("header_count", c_size_t), ("body", c_void_p), ("body_length", c_size_t),
        ("certificate_authorities", c_char_p), ("oldest_tls", c_int32), ("reach", c_int32),
        ("connect_timeout_ms", c_int32), ("timeout_ms", c_int32), ("largest_headers", c_size_t),
        ("largest_body", c_size_t), ("shares_connections", c_int32), ("reserved", c_int32)]


OnRequest = CFUNCTYPE(None, c_void_p, c_uint64, POINTER(HTTPRequest))


class HTTPBridge(ctypes.Structure):
    _fields_ = _HEAD + [("send", OnRequest), ("cancel", OnCall)]


class HTTPResponse(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("outcome", c_int32), ("was_sent", c_int32), ("http_status", c_int32),
        ("reserved", c_int32), ("headers", POINTER(HTTPHeader)), ("header_count", c_size_t), ("body", c_char_p),
        ("body_length", c_size_t), ("url", c_char_p), ("remote_address", c_char_p), ("message", c_char_p)]


class Options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("embedded_configuration", c_char_p),
        ("embedded_configuration_length", c_size_t), ("configuration_keys", c_void_p),
        ("configuration_key_count", c_size_t), ("app_version", c_char_p), ("app_id", c_char_p),
        ("storage_path", c_char_p), ("log", OnLog), ("log_context", c_void_p), ("log_level", c_int32),
        ("reserved", c_int32), ("on_thread_start", c_void_p), ("on_thread_stop", c_void_p),
        ("thread_context", c_void_p)]


class CardSelection(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("card", c_char_p), ("paths", POINTER(c_char_p)), ("path_count", c_size_t)]


_ERROR = POINTER(c_void_p)
_BYTES = (c_char_p, c_size_t)  # a pointer and a length
_NUMBER = POINTER(c_uint64)
_FLAG = POINTER(c_int32)
_SELECTIONS = POINTER(POINTER(CardSelection))

# name -> (result, arguments). Functions whose last argument is an error pointer return a status.
_FUNCTIONS = {
    "abi_version": (c_int32, ()),
    "version": (c_char_p, ()),
    "status_name": (c_char_p, (c_int32,)),
    "error_category": (c_int32, (c_void_p,)),
    "error_message": (c_char_p, (c_void_p, c_void_p)),
    "error_data": (c_char_p, (c_void_p, c_void_p)),
    "error_free": (None, (c_void_p,)),
    "event_json": (c_char_p, (c_void_p, c_void_p)),
    "event_free": (None, (c_void_p,)),
    "is_initialized": (c_int32, ()),
    "set_http_bridge": (c_int32, (POINTER(HTTPBridge), _ERROR)),
    "http_reply": (c_int32, (c_uint64, POINTER(HTTPResponse))),
    "bridge_reply": (c_int32, (c_uint64, c_int32, c_char_p, c_size_t, c_char_p)),
    "client_abandon": (c_int32, (c_uint64,)),
    "init_platform_support": (
        c_int32, (POINTER(SigningKeyBridge), POINTER(EncryptionKeyBridge), POINTER(UtilitiesBridge), _ERROR)),
    "init": (c_int32, (POINTER(Options), _ERROR)),
    "has_registration": (c_int32, (_FLAG, _ERROR)),
    "is_locked": (c_int32, (_FLAG, _ERROR)),
    "is_biometric_unlock_enabled": (c_int32, (_FLAG, _ERROR)),
    "lock": (c_int32, (_ERROR,)),
    "notify_lifecycle": (c_int32, (c_int32, _ERROR)),
    "client_attach": (c_int32, (c_char_p, c_uint32, _NUMBER, _ERROR)),
    "client_detach": (c_int32, (c_uint64, _ERROR)),
    "client_interrupt": (c_int32, (c_uint64, _ERROR)),
    "client_next_event": (c_int32, (c_uint64, c_int64, POINTER(c_void_p), _ERROR)),
    "set_event_callback": (c_int32, (c_uint64, OnEvent, c_void_p, c_void_p, _NUMBER, _ERROR)),
    "open_app": (c_int32, (c_uint64, c_int32, c_char_p, _ERROR)),
    "choose": (c_int32, (c_uint64, c_uint64, c_char_p, c_void_p, c_size_t, _ERROR)),
    "choose_scanned": (c_int32, (c_uint64, c_uint64, c_int32, *_BYTES, _ERROR)),
    "choose_option": (c_int32, (c_uint64, c_uint64, c_size_t, _ERROR)),
    "register": (c_int32, (c_uint64, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "unlock": (c_int32, (c_uint64, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "check_pin": (c_int32, (c_uint64, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "pin_state": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "change_pin": (c_int32, (c_uint64, c_void_p, c_size_t, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "decide_replacement": (c_int32, (c_uint64, c_char_p, c_int32, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "enable_biometric_unlock": (c_int32, (c_uint64, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "disable_biometric_unlock": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "unlock_with_biometrics": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "cards": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "present": (
        c_int32,
        (c_uint64, _SELECTIONS, c_size_t, c_char_p, c_char_p, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "begin_sharing": (c_int32, (c_uint64, c_char_p, c_int32, _NUMBER, _ERROR)),
    "choose_sharing_option": (c_int32, (c_uint64, c_char_p, c_size_t, _NUMBER, _ERROR)),
    "confirm_sharing": (c_int32, (c_uint64, c_char_p, c_void_p, c_size_t, _NUMBER, _ERROR)),
    "refuse_sharing": (c_int32, (c_uint64, c_char_p, _NUMBER, _ERROR)),
    "activities": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "wipe": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "refresh": (c_int32, (c_uint64, _NUMBER, _ERROR)),
    "cancel": (c_int32, (c_uint64, c_uint64, _ERROR)),
}


def load(path: str | os.PathLike[str] | None = None) -> ctypes.CDLL:
    """Loads the library from `path`, or else from WALLET_CORE_LIBRARY, from this package, or from the system.

    With CDLL, not PyDLL: other Python threads must run while a call waits."""
    beside = Path(__file__).with_name(NAME)
    found = path or os.environ.get("WALLET_CORE_LIBRARY") or (beside if beside.exists() else NAME)
    library = ctypes.CDLL(os.fspath(found))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"wallet_core_{name}")
        function.restype, function.argtypes = result, arguments
    if (found_version := library.wallet_core_abi_version()) != ABI_VERSION:
        raise OSError(f"{found} has version {found_version} of the ABI, and {ABI_VERSION} is needed")
    return library


def text(value: str) -> bytes:
    """Encodes a text for C. A text with a NUL is refused, because C would silently cut it there."""
    if "\0" in value:
        raise WalletCoreError("INVALID_ARGUMENT", "a text has a NUL in it", Category.USAGE)
    return value.encode()


def server_text(value: str) -> bytes:
    """Encodes a text that a server wrote, for C."""
    return value.replace("\0", " ").encode(errors="replace")


def selection(card: str, paths: list[str]) -> CardSelection:
    """A card and the paths of its claims, for C."""
    texts = (c_char_p * len(paths))(*(text(path) for path in paths))
    return CardSelection(ctypes.sizeof(CardSelection), text(card), texts, len(paths))
