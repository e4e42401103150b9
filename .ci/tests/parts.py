"""The parts of `make test` and `make test-full`: one list."""

import hashlib
import os
import random
import subprocess
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Part:
    name: str
    section: str
    command: list
    cost: float = 10  # seconds on an idle machine; the longest part begins first
    needs: tuple = ()
    environment: dict = field(default_factory=dict)


# Each class of these modules is a part of its own, because these start processes and wait for them.
APART = ("SystemTests",)
# In these parts `make test` derives PIN keys with the real Argon2id.
REAL_WORK = {f"swift-{name}" for name in (
    "LockBesideDerivationTests", "PinKeyStrengthTests", "LicenceMemoryTests", "CardMemoryTests", "LifecycleSystemTests", "TakeOverTests",
)}
# These modules have many tests: a part has at most CHUNK of them. Every other module runs in one process, which
# the coverage of the flows' rows requires.
CHUNKED = ("WalletProviderTests", "WalletProofingTests")
CHUNK = 75

# These parts run the debug build of the provider, whose dependencies check their assertions. Other parts run the
# shipped one, which starts and answers in a fraction of the time. In `make test` it is the part with the most kinds
# of requests, in `make test-full` that with attacks, kills and floods.
DEBUG_PROVIDER, DEBUG_PROVIDER_FULL = "openapi", "cluster"

# Sections of Tests/ABI/run.sh, with their seconds and the parts that have to run before.
SECTIONS = {
    "phone": (300, ()),  # others wait for it
    "players": (300, ()),  # others wait for it
    "packed": (60, ()),  # others wait for it
    "header": (20, ()),
    "abi": (20, ()),
    "library": (20, ()),
    "package": (30, ("packed",)),
    "programs": (60, ()),
    "schema": (20, ()),
    "readme": (20, ("phone",)),
    "newcomer": (30, ("phone",)),
    "threat-model": (10, ()),
    "project": (5, ()),
    "runner": (5, ()),
    "system": (10, ()),
    "docs": (60, ()),
    "first-hosts": (60, ("packed",)),
    "tutorial": (120, ("packed",)),
    "scanning": (60, ()),
    "interop": (20, ("swift-exchanges",)),
    "judges": (30, ()),  # others wait for it
    "issuer": (20, ()),
    "verifier-judge": (20, ()),
    "openapi": (60, ()),
    "protocol": (100, ()),
    "cluster": (120, ()),
    "install": (40, ()),
    "fuzz": (30, ()),
    "instructions": (60, ()),
    "scenarios": (200, ("phone",)),
    "bindings": (100, ("players",)),
    "hosts": (150, ("phone", "players")),
    "enrol": (40, ("phone",)),
    "phone-web": (100, ("phone",)),
    "verifiers": (60, ()),
    "http-bridge": (60, ()),
    "relying-party": (20, ()),
    "faults": (100, ()),
}

# Parts of Swift tests that take longer than others, in seconds, so that they begin first.
SLOW = {
    "swift-exchanges": 250,  # others wait for it
    "swift-KillRefreshTests": 120,
}
# The same for each part of a module.
SLOW_MODULES = {"WalletProviderTests": 90, "WalletProofingTests": 60}

# The rules of the provider are tested on both stores. Of these classes `make test` runs one of RULES_EACH tests on
# PostgreSQL, drawn by RULES_SEED; what tests the store itself, kills and races runs whole.
RULES_EACH = 3
RULES_SEED = 17
RULES_ON_POSTGRESQL = {f"WalletProviderTests.{name}OnPostgreSQLTests" for name in (
    "AccountList", "AttemptTable", "EndedWallet", "EnrolmentCode", "EnrolmentPage", "EvaluatorRunbook", "Evidence",
    "FailureLimit", "Issuance", "KeyRotation", "PinChange", "PinChangeRefusal", "ProofingPrivacy", "Registration",
    "Replacement", "Resealing", "Retransmission", "UncountedRequest", "WalletAdministration",
)}

# Of these classes `make test` runs all tests once more with a host that has an HTTP bridge.
BY_BRIDGE = ("FlowNetworkTests", "ForgedAnswerTests", "HostileAnswerTests", "HostileNetworkTests", "TLSSystemTests")
# `make test-full` these too. `make test` has HTTPBridgeSystemTests and SharingByBridgeTests, which cost far less.
BY_BRIDGE_FULL = (
    "AccountSystemTests", "HostileRelyingPartyTests", "KillSharingTests", "SharingRequestTests", "SharingTests",
)

# What parts need that run the shipped provider, which may still be built while others run.
PROVIDER = "provider"
# Parts that run no provider: these sections, and the tests of these modules.
FREE_SECTIONS = (
    "abi", "docs", "header", "http-bridge", "judges", "phone", "players", "relying-party", "runner", "scanning", "system",
    "threat-model",
)
WITH_PROVIDER = ("SystemTests", "WalletProviderTests", "WalletProviderFuzzTests", "WalletEvaluatorTests")


def is_free_of_provider(part):
    is_swift = part.name.startswith("swift-")
    return part.section not in WITH_PROVIDER if is_swift else part.name in FREE_SECTIONS


# What these parts are told instead of the provider, so that one that runs it fails on every machine.
NO_PROVIDER = "/dev/null/this-part-runs-no-provider"


def withhold_provider(parts, providers):
    """Keeps the provider from the parts that are said to run none."""
    for part in parts:
        if is_free_of_provider(part):
            part.command = [NO_PROVIDER if word == providers else word for word in part.command]
            part.environment |= {
                "WALLET_PROVIDER": f"{NO_PROVIDER}/wallet-provider",
                "TEST_PROVIDER": f"{NO_PROVIDER}/wallet-provider-testing",
            }


# These write the files that the section `interop` verifies.
EXCHANGES = ("IssuedExchangeTests", "PresentationExchangeTests", "StatusListExchangeTests")
# These read what the section `judges` writes.
JUDGED = (
    "CardsByOthersTests", "CardsOfOthersTests", "CardPresentationTests", "CardInterruptionTests",
    "ChainsByOpenSSLTests", "RegistrationsByOthersTests",
)
# These have a running wallet judged by the packages that the section `judges` installs.
LIVE = ("LiveVerifierTests",)
# The files in the build directory, by the part that writes them. Those of an earlier run prove nothing.
WRITTEN = {
    "swift-exchanges": ("pids_issued.json", "pids_presented.json", "status-lists.json"),
    "judges": (
        "cards_by_others.json", "cards_for_wallet.json", "chains_by_openssl.json", "pid_requests.json",
        "registrations.json",
    ),
}


def sampled(name, tests):
    """The tests of a class that `make test` runs."""
    if name not in RULES_ON_POSTGRESQL:
        return [name]
    always = "testItRunsOnPostgreSQL"
    drawn = sorted(set(tests) - {always}, key=lambda test: hashlib.sha256(f"{RULES_SEED} {name}/{test}".encode()).digest())
    chosen = drawn[:-(-len(drawn) // RULES_EACH)] + [test for test in tests if test == always]
    return [f"{name}/{test}" for test in sorted(chosen)]


def swift_parts(bundle, is_full):
    """The Swift tests, whole classes in each part."""
    listed = subprocess.run([bundle, "--list-tests"], capture_output=True, text=True, check=True).stdout
    classes = {}
    for line in listed.splitlines():
        if "/" in line and "." in line:
            name, test = line.split("/")
            classes.setdefault(name, []).append(test)
    parts, chunks = {}, Counter()
    for name, tests in sorted(classes.items()):
        module, test_class = name.split(".")
        chosen = [name] if is_full else sampled(name, tests)
        count = len(tests) if chosen == [name] else len(chosen)
        if test_class in EXCHANGES:
            part = "swift-exchanges"
        elif test_class in JUDGED:
            part = "swift-judged"
        elif module in APART:
            part = f"swift-{test_class}"
        else:
            kind = module + ("-PostgreSQL" if "PostgreSQL" in test_class else "")
            part = f"swift-{kind}"
            if module in CHUNKED:
                part += f"-{chunks[kind] // CHUNK + 1}"
            chunks[kind] += count
        parts.setdefault(part, (module, []))[1].extend(chosen)
    again = [
        Part(f"swift-{name}-by-bridge", "SystemTests", [bundle, f"SystemTests.{name}"], SLOW_MODULES.get("SystemTests", 20),
             environment={"WALLET_CORE_TEST_HTTP_BRIDGE": "1"})
        for name in (*BY_BRIDGE, *(BY_BRIDGE_FULL if is_full else ()))
    ]
    judged = ("swift-judged", "swift-exchanges", *(f"swift-{name}" for name in LIVE))
    return again + [
        Part(name, module, [bundle, ",".join(names)], SLOW.get(name) or SLOW_MODULES.get(module, 20),
             ("judges",) if name in judged else ())
        for name, (module, names) in parts.items()
    ]


def shell_command(providers, build, name):
    return ["Tests/ABI/run.sh", providers, build, name]


def shell_parts(providers, build):
    return [
        Part(name, name, shell_command(providers, build, name), cost, needs)
        for name, (cost, needs) in SECTIONS.items()
    ]


# What only `make test-full` runs: parts of .ci/tests/full.sh, with their seconds.
FULL = {
    "damaged": 900,
    "damaged_address": 400,
    "fuzzers": 1500,
    "faults": 1500,
    "hosts": 1500,
    "calls": 600,
    "valgrind": 900,
    "container": 120,
    "interrupted": 30,
    "memory": 300,
    "system": 60,
    "address": 600,
    "undefined": 400,
    "hosts_address": 900,
    "hosts_thread": 900,
    "thread": 1650,
}

# How long the tests of `make test` run in `make test-full`; variables that are already set take precedence.
EXHAUSTIVE = {
    "WALLET_CORE_EXHAUSTIVE": "1",
    "WALLET_CORE_STRESS_ROUNDS": "10000",
    "WALLET_CORE_MODEL_EVENTS": "1000000",
    "WALLET_CORE_SPOILT_TEXTS": "100000",
    "WALLET_CORE_KILL_SECONDS": "300",
    "WALLET_CORE_GUESSES": "2000",
    "WALLET_CORE_FLOOD_SECONDS": "5",
    "WALLET_CORE_FORKS": "2000",
}
# Their seeds, other ones for each commit, so that a failed part fails again when the run is resumed; every test prints
# its own.
SEEDS = (
    "WALLET_CORE_MODEL_SEED", "WALLET_CORE_PROOFING_SEED", "WALLET_CORE_RANDOM_SEED", "WALLET_CORE_STRESS_SEED",
)


def seeds(tested):
    """The seeds of an exhaustive run of this commit and these settings; random ones if the tree has changes."""
    def seed(name):
        if not tested:
            return random.randrange(1, 1 << 32)
        return int(hashlib.sha256(f"{tested} {name}".encode()).hexdigest()[:8], 16) or 1

    return {name: str(seed(name)) for name in SEEDS}


def use_debug_provider(parts, build, name):
    debug = os.path.abspath(".build/debug")
    for part in parts:
        if part.name == name:
            part.command = shell_command(debug, build, name)


def spare_work(parts, directory):
    """Replaces Argon2id by a plain hash in parts that enter many PINs but test something else."""
    library = directory / "quick_pwhash.so"
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libsodium"], capture_output=True, text=True, check=True
    ).stdout.split()
    subprocess.run(
        [os.environ.get("CC", "cc"), "-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-shared", "-o", str(library),
         "Tests/Support/quick_pwhash.c", *flags],
        check=True,
    )
    for part in parts:
        if part.name in ("scenarios", "bindings", "hosts", "tutorial", "fuzz") or (part.section in APART and part.name not in REAL_WORK):
            part.environment |= {"LD_PRELOAD": str(library)}


def full_parts(parts, providers, build, tested):
    """The parts of `make test`, run exhaustively, and those that only the full run has."""
    exhaustive = {name: value for name, value in (EXHAUSTIVE | seeds(tested)).items() if name not in os.environ}
    for part in parts:
        part.environment |= exhaustive
    of_all = {name: exhaustive[name] for name in ("WALLET_CORE_EXHAUSTIVE", *SEEDS) if name in exhaustive}
    # What builds with one sanitizer shares a directory, where SwiftPM cannot build while its tests run.
    needs = {"address": ("full-hosts_address",), "thread": ("full-hosts_thread",)}
    return [part for part in parts if part.name not in ("hosts", "faults")] + [
        Part(f"full-{name}", f"full-{name}", [".ci/tests/full.sh", providers, build, name], cost, ("phone",) + needs.get(name, ()), of_all)
        for name, cost in FULL.items()
    ]
