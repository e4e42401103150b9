#!/usr/bin/env python3
"""Makes certificate chains with the openssl command, good ones and bad ones; openvc-core judges them.

    chains_by_openssl.py OUT.json

OUT.json is an array: `name`, `chain` and `anchor` in base64 of DER, `role` of the signer and `anchor_role`, `now`;
`core`, the rule for which the core refuses the chain, or null; `openvc`, why openvc-core refuses it, or null; and
`difference`, why the two differ, or null. The tests of ChainsByOpenSSLTests read it. Prints a line per check, in the
form that Tests/ABI/run.sh counts.
"""

import base64
import json
import pathlib
import ssl
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta, timezone

from cryptography import x509
from openvc.x5c import X5cError, resolve_x5c_key

from report import Report

NOW = int(time.time())
HOST = "issuer.example"
ISSUER = f"https://{HOST}"
STATUS_SIGNING = "2.999.1.30"

# Where the two differ, and why.
ALGORITHMS = "the core takes P-256 with SHA-256 and P-384 with SHA-384 only; openvc-core takes what the web takes"
ORDER = "each certificate certifies the one before it (RFC 7515 section 4.1.6); openvc-core searches for a path"
IDENTIFIERS = "openvc-core leaves key identifiers out of the path; the core refuses one that contradicts the issuer"
ANCHORS = "trust never comes from the message (HAIP 1.0), so an anchor or a self-issued certificate in it is refused"
LIMITS = "the core has limits of its own: four certificates of 8 KiB"
LEAVES = "openvc-core leaves the extensions of the leaf to its caller"
ROLES = "openvc-core knows no roles: its caller chooses the anchors, and purposes are not looked at"
PURPOSES = "openvc-core demands of authorities with purposes that of TLS clients; in RFC 5280 these limit no path"
DIFFERENCES = {
    "an authority with a purpose": PURPOSES,
    "P-384 with SHA-256": ALGORITHMS,
    "P-256 with SHA-384": ALGORITHMS,
    "an anchor with RSA": ALGORITHMS,
    "an authority with RSA": ALGORITHMS,
    "an authority that nothing needs": ORDER,
    "authorities in the wrong order": ORDER,
    "a key identifier that is not the issuer's": IDENTIFIERS,
    "a key identifier that is not the anchor's": IDENTIFIERS,
    "a self-signed leaf that is the anchor": ANCHORS,
    "the anchor in the chain": ANCHORS,
    "the anchor in the chain, which needs no more": ANCHORS,
    "an authority that issued itself a new key": ANCHORS,
    "four authorities between": LIMITS,
    "a leaf of more than 8 KiB": LIMITS,
    "a leaf that is an authority": LEAVES,
    "a leaf that may sign certificates": LEAVES,
    "a leaf without keyUsage": LEAVES,
    "a leaf for key agreement only": LEAVES,
    "a leaf for status lists only": ROLES,
    "a signer of status lists without the purpose": ROLES,
    "a signer of status lists with other purposes": ROLES,
    "an anchor of another role": ROLES,
}

CONFIGURATION = """
[ca]
default_ca = default
[default]
new_certs_dir = {directory}
database = {directory}/index.txt
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy
email_in_dn = yes
preserve = yes
[policy]
countryName = optional
organizationName = optional
commonName = optional
[req]
distinguished_name = name
[name]
"""

CA = {
    "basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,keyCertSign,cRLSign", "subjectKeyIdentifier": "hash",
    "authorityKeyIdentifier": "keyid:always",
}
LEAF = {
    "basicConstraints": "critical,CA:FALSE", "keyUsage": "critical,digitalSignature", "subjectKeyIdentifier": "hash",
    "authorityKeyIdentifier": "keyid:always", "subjectAltName": f"DNS:{HOST},URI:{ISSUER}",
}


def changed(extensions, **changes):
    """Other extensions; without those that are None."""
    return {name: value for name, value in (extensions | changes).items() if value is not None}


class Certificate:
    def __init__(self, subject, key, file):
        self.subject, self.key, self.file = subject, key, file

    @property
    def der(self):
        return ssl.PEM_cert_to_DER_cert(self.file.read_text())


class Maker:
    """Runs openssl in a directory of its own."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.configuration = self.directory / "openssl.cnf"
        self.configuration.write_text(CONFIGURATION.format(directory=directory))
        (self.directory / "index.txt").touch()
        self.made = 0

    def openssl(self, *words):
        run = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True)
        if run.returncode:
            raise SystemExit(f"not ok - openssl {words[0]}\n#   {run.stderr.strip()}")

    def file(self, kind):
        self.made += 1
        return self.directory / f"{self.made}.{kind}"

    def key(self, curve="P-256"):
        file = self.file("key")
        kind = ["RSA"] if curve == "RSA" else ["EC", "-pkeyopt", f"ec_paramgen_curve:{curve}"]
        self.openssl("genpkey", "-algorithm", *kind, "-out", file)
        return file

    def certificate(self, name, issuer, extensions, *, key=None, subject=None, days=(-1, 365), digest="sha256"):
        """A certificate of `issuer`, or self-signed if that is None. Without extensions it is of version 1."""
        key, subject = key or self.key(), subject or f"/C=NL/O=Example/CN={name}"
        request, file, section = self.file("csr"), self.file("pem"), self.file("ext")
        section.write_text("[added]\n" + "".join(f"{name} = {value}\n" for name, value in extensions.items()))
        self.openssl("req", "-new", "-config", self.configuration, "-key", key, "-subj", subject, "-out", request)
        start, end = (datetime.fromtimestamp(NOW, timezone.utc) + timedelta(day) for day in days)
        by = ["-cert", issuer.file, "-keyfile", issuer.key] if issuer else ["-selfsign", "-keyfile", key]
        added = ["-extfile", section, "-extensions", "added"] if extensions else []
        self.openssl("ca", "-batch", "-notext", "-config", self.configuration, "-in", request, "-out", file, *by,
                     *added, "-startdate", f"{start:%Y%m%d%H%M%SZ}", "-enddate", f"{end:%Y%m%d%H%M%SZ}",
                     "-md", digest)
        return Certificate(subject, key, file)

    def authority(self, name, issuer=None, *, key=None, subject=None, days=(-1, 365), digest="sha256", **extensions):
        return self.certificate(
            name, issuer, changed(CA, **extensions), key=key, subject=subject, days=days, digest=digest)

    def leaf(self, issuer, *, key=None, days=(-1, 365), digest="sha256", **extensions):
        return self.certificate("signer", issuer, changed(LEAF, **extensions), key=key, days=days, digest=digest)


class Chain:
    """What is judged. `core` is the rule for which the core refuses it; None if it does not."""

    def __init__(self, name, core, anchor, *path, role="issuer", anchor_role=None):
        self.name, self.core, self.role, self.anchor_role = name, core, role, anchor_role or role
        self.anchor, *self.path = [part.der if isinstance(part, Certificate) else part for part in (anchor, *path)]


EXPIRED, FUTURE = (-10, -1), (1, 10)
UNKNOWN = {"1.3.6.1.4.1.99999.1": "critical,ASN1:NULL"}
OTHER_KEY = "DER:30:16:80:14" + ":00" * 20
IDENTIFIER = "00112233445566778899AABBCCDDEEFF00112233"
HOSTS = "critical,permitted;DNS:"


def flipped(der):
    """With another last byte, which is one of the signature."""
    return der[:-1] + bytes([der[-1] ^ 1])


def good(make, root, middle):
    leaf = make.leaf(middle)
    yield Chain("no authority between", None, root, make.leaf(root))
    yield Chain("one authority between", None, root, leaf, middle)
    third = make.authority("third", second := make.authority("second", middle))
    yield Chain("three authorities between", None, root, make.leaf(third), third, second, middle)
    yield Chain("the middle as anchor", None, middle, leaf)
    for role in ("relying-party", "registrar"):
        yield Chain(f"a chain of a {role}", None, root, leaf, middle, role=role)
    status = make.leaf(middle, extendedKeyUsage=STATUS_SIGNING)
    yield Chain("a signer of status lists", None, root, status, middle, role="status")
    large = make.authority("P-384 root", key=make.key("P-384"), digest="sha384")
    below = make.authority("P-384 middle", large, key=make.key("P-384"), digest="sha384")
    yield Chain("authorities with P-384", None, large, make.leaf(below, digest="sha384"), below)
    short = make.authority("short", root, basicConstraints="critical,CA:TRUE,pathlen:0")
    yield Chain("a path as long as allowed", None, root, make.leaf(short), short)
    for base in ("example", HOST):
        named = make.authority("names", root, nameConstraints=HOSTS + base)
        yield Chain(f"a host below the permitted {base}", None, root, make.leaf(named), named)
    named = make.authority("other names", root, nameConstraints="critical,excluded;DNS:other.example")
    yield Chain("a host that is not excluded", None, root, make.leaf(named), named)
    yield Chain("a leaf without basicConstraints", None, root, make.leaf(middle, basicConstraints=None), middle)
    yield Chain("a leaf without key identifiers", None, root, make.leaf(
        middle, subjectKeyIdentifier=None, authorityKeyIdentifier=None), middle)
    yield Chain("a leaf with another purpose", None, root, make.leaf(middle, extendedKeyUsage="clientAuth"), middle)
    yield Chain("a leaf with further key usages", None, root, make.leaf(
        middle, keyUsage="critical,digitalSignature,nonRepudiation"), middle)
    unknown = {name: value.removeprefix("critical,") for name, value in UNKNOWN.items()}
    yield Chain("an unknown extension", None, root, make.leaf(middle, **unknown), middle)
    yield Chain("a leaf until the year 2080", None, root, make.leaf(middle, days=(-1, 20_000)), middle)
    plain = make.authority("plain", root, authorityKeyIdentifier=None)
    yield Chain("an authority without the issuer's key identifier", None, root, make.leaf(plain), plain)
    plain = make.authority("unnamed", root, subjectKeyIdentifier=None)
    yield Chain("an authority without a key identifier", None, root, make.leaf(
        plain, authorityKeyIdentifier=None), plain)
    purpose = make.authority("purpose", root, extendedKeyUsage="serverAuth")
    yield Chain("an authority with a purpose", None, root, make.leaf(purpose), purpose)


def validity(make, root, middle):
    for when, days, rule in (("expired", EXPIRED, "expired"), ("not yet valid", FUTURE, "notYetValid")):
        yield Chain(f"a leaf that is {when}", rule, root, make.leaf(middle, days=days), middle)
        timed = make.authority("timed", root, days=days)
        yield Chain(f"an authority that is {when}", rule, root, make.leaf(timed), timed)
        timed = make.authority("timed root", days=days)
        yield Chain(f"an anchor that is {when}", rule, timed, make.leaf(timed))


def signatures(make, root, middle):
    leaf = make.leaf(middle)
    yield Chain("a changed signature of the leaf", "signatureInvalid", root, flipped(leaf.der), middle)
    yield Chain("a changed signature of an authority", "signatureInvalid", root, leaf, flipped(middle.der))
    # The stranger has the name and the key identifier of the authority, and another key.
    named = make.authority("named", subjectKeyIdentifier=IDENTIFIER)
    stranger = make.authority("named", subjectKeyIdentifier=IDENTIFIER)
    yield Chain("a leaf signed by another key", "signatureInvalid", named, make.leaf(stranger))
    forged = make.authority("forged", stranger)
    yield Chain("an authority signed by another key", "signatureInvalid", named, make.leaf(forged), forged)
    again = make.authority("again", subject=root.subject)
    yield Chain("an anchor of the same name with another key", "keyIdentifierMismatch", again, leaf, middle)
    yield Chain("a byte after a certificate", "certificateMalformed", root, leaf.der + b"\0", middle)
    weak = make.authority("P-384 root", key=make.key("P-384"), digest="sha384")
    yield Chain("P-384 with SHA-256", "algorithmRefused", weak, make.leaf(weak))
    yield Chain("P-256 with SHA-384", "algorithmRefused", root, make.leaf(middle, digest="sha384"), middle)
    rsa = make.authority("RSA", key=make.key("RSA"))
    yield Chain("an anchor with RSA", "algorithmRefused", rsa, make.leaf(rsa))
    rsa = make.authority("RSA below", root, key=make.key("RSA"))
    yield Chain("an authority with RSA", "algorithmRefused", root, make.leaf(rsa), rsa)
    for curve in ("P-384", "RSA"):
        key = make.key(curve)
        yield Chain(f"a leaf with {curve}", "leafKeyRefused", root, make.leaf(middle, key=key), middle)


def issuers(make, root, middle):
    leaf = make.leaf(middle)
    twin = make.authority("twin", root, key=middle.key)
    yield Chain("an authority of another name with the same key", "nameMismatch", root, leaf, twin)
    yield Chain("no authority where one is needed", "anchorUnknown", root, leaf)
    yield Chain("an anchor that nothing leads to", "anchorUnknown", make.authority("other"), leaf, middle)
    yield Chain("an authority that nothing needs", "nameMismatch", root, make.leaf(root), middle)
    yield Chain("the leaf at the end", "notAuthority", root, middle, leaf)
    second = make.authority("second", middle)
    yield Chain("authorities in the wrong order", "nameMismatch", root, make.leaf(second), middle, second)
    yield Chain("a key identifier that is not the issuer's", "keyIdentifierMismatch", root, make.leaf(
        middle, authorityKeyIdentifier=OTHER_KEY), middle)
    wrong = make.authority("wrong", root, authorityKeyIdentifier=OTHER_KEY)
    yield Chain("a key identifier that is not the anchor's", "keyIdentifierMismatch", root, make.leaf(wrong), wrong)
    alone = make.leaf(None)
    yield Chain("a self-signed leaf", "selfIssued", root, alone)
    yield Chain("a self-signed leaf that is the anchor", "notAuthority", alone, alone)
    yield Chain("the anchor in the chain", "anchorInChain", root, leaf, middle, root)
    yield Chain("the anchor in the chain, which needs no more", "anchorInChain", root, make.leaf(root), root)
    renewed = make.authority("renewed", root, subject=root.subject)
    yield Chain("an authority that issued itself a new key", "selfIssued", root, make.leaf(renewed), renewed)
    path, issuer = [], root
    for number in range(4):
        path.insert(0, issuer := make.authority(f"authority {number}", issuer))
    yield Chain("four authorities between", "chainLength", root, make.leaf(issuer), *path)
    names = ",".join(f"DNS:host{number}.example" for number in range(500))
    long = make.leaf(middle, subjectAltName=f"{LEAF['subjectAltName']},{names}")
    yield Chain("a leaf of more than 8 KiB", "chainLength", root, long, middle)


def authorities(make, root, middle):
    issuing = make.certificate("issuing", middle, LEAF)
    yield Chain("a leaf that issues", "notAuthority", root, make.leaf(issuing), issuing, middle)
    for kind, rule, extensions in (
        ("without basicConstraints", "notAuthority", {"basicConstraints": None}),
        ("with CA false", "notAuthority", {"basicConstraints": "critical,CA:FALSE"}),
        ("without keyUsage", "keyUsageRefused", {"keyUsage": None}),
        ("that signs revocation lists only", "keyUsageRefused", {"keyUsage": "critical,cRLSign"}),
        ("that signs messages only", "keyUsageRefused", {"keyUsage": "critical,digitalSignature"}),
        ("with an unknown critical extension", "extensionRefused", UNKNOWN),
        ("with a critical purpose", "extensionRefused", {"extendedKeyUsage": "critical,serverAuth"}),
    ):
        wrong = make.authority("wrong", root, **extensions)
        yield Chain(f"an authority {kind}", rule, root, make.leaf(wrong), wrong)
        wrong = make.authority("wrong root", **extensions)
        yield Chain(f"an anchor {kind}", rule, wrong, make.leaf(wrong))
    first = make.certificate("version 1", root, {})
    yield Chain("an authority of version 1", "certificateMalformed", root, make.leaf(
        first, authorityKeyIdentifier=None), first)
    short = make.authority("short root", basicConstraints="critical,CA:TRUE,pathlen:0")
    below = make.authority("below", short)
    yield Chain("a path longer than the anchor allows", "pathTooLong", short, make.leaf(below), below)
    short = make.authority("short", root, basicConstraints="critical,CA:TRUE,pathlen:0")
    below = make.authority("below", short)
    yield Chain("a path longer than an authority allows", "pathTooLong", root, make.leaf(below), below, short)


def names(make, root, middle):
    for kind, constraint in (
        ("outside of the permitted", HOSTS + "other.example"),
        ("beside the permitted", HOSTS + f"x{HOST}"),
        ("above the permitted", HOSTS + f"below.{HOST}"),
        ("outside of the permitted, which is not critical", "permitted;DNS:other.example"),
        ("that is excluded", f"critical,excluded;DNS:{HOST}"),
        ("below the excluded", "critical,excluded;DNS:example"),
        ("both permitted and excluded", f"critical,permitted;DNS:example,excluded;DNS:{HOST}"),
    ):
        named = make.authority("names", root, nameConstraints=constraint)
        yield Chain(f"a host {kind}", "nameNotPermitted", root, make.leaf(named), named)
    named = make.authority("names root", nameConstraints=HOSTS + "other.example")
    below = make.authority("below", named)
    yield Chain("a host that the anchor does not permit", "nameNotPermitted", named, make.leaf(below), below)
    named = make.authority("names", root, nameConstraints="critical,permitted;URI:other.example")
    yield Chain("a URI that is not permitted", "nameNotPermitted", root, make.leaf(named), named)
    named = make.authority("names", root, nameConstraints="critical,excluded;URI:" + HOST)
    yield Chain("a URI that is excluded", "nameNotPermitted", root, make.leaf(named), named)


def leaves(make, root, middle):
    for kind, rule, extensions in (
        ("that is an authority", "leafIsAuthority", {"basicConstraints": "critical,CA:TRUE"}),
        ("that may sign certificates", "leafIsAuthority", {"keyUsage": "critical,digitalSignature,keyCertSign"}),
        ("without keyUsage", "keyUsageRefused", {"keyUsage": None}),
        ("for key agreement only", "keyUsageRefused", {"keyUsage": "critical,keyAgreement"}),
        ("with an unknown critical extension", "extensionRefused", UNKNOWN),
        ("with critical policies", "extensionRefused", {"certificatePolicies": "critical,1.2.3"}),
        ("for status lists only", "purposeRefused", {"extendedKeyUsage": STATUS_SIGNING}),
    ):
        yield Chain(f"a leaf {kind}", rule, root, make.leaf(middle, **extensions), middle)
    yield Chain("a signer of status lists without the purpose", "purposeRefused", root, make.leaf(middle), middle,
                role="status")
    yield Chain("a signer of status lists with other purposes", "purposeRefused", root, make.leaf(
        middle, extendedKeyUsage="serverAuth,anyExtendedKeyUsage"), middle, role="status")
    yield Chain("an anchor of another role", "anchorUnknown", root, make.leaf(middle), middle,
                anchor_role="relying-party")
    first = make.certificate("signer", middle, {})
    yield Chain("a leaf of version 1", "certificateMalformed", root, first, middle)


def openvc_refuses(chain):
    """Why openvc-core refuses a chain; None if it does not."""
    anchor = x509.load_der_x509_certificate(chain.anchor)
    path = [base64.b64encode(der).decode() for der in chain.path]
    try:
        resolve_x5c_key(path, ISSUER, trust_anchors=[anchor], now=datetime.fromtimestamp(NOW, timezone.utc))
    except X5cError as error:
        return str(error)[:200]
    return None


def main():
    report, judged = Report("chain"), []

    with tempfile.TemporaryDirectory() as directory:
        make = Maker(directory)
        root = make.authority("root")
        middle = make.authority("middle", root)
        for kind in (good, validity, signatures, issuers, authorities, names, leaves):
            for chain in kind(make, root, middle):
                reason = openvc_refuses(chain)
                difference = DIFFERENCES.get(chain.name)
                verdicts = f"core {chain.core or 'trusts'}, openvc-core {'refuses' if reason else 'trusts'}"
                if difference:
                    report((chain.core is None) != (reason is None), f"{chain.name}: {verdicts}: {difference}",
                           reason or "there is no difference any more")
                else:
                    report((chain.core is None) == (reason is None), f"{chain.name}: {verdicts}",
                           reason or "openvc-core accepts it")
                judged.append({
                    "name": chain.name, "chain": [base64.b64encode(der).decode() for der in chain.path],
                    "anchor": base64.b64encode(chain.anchor).decode(), "role": chain.role,
                    "anchor_role": chain.anchor_role, "now": NOW, "core": chain.core, "openvc": reason,
                    "difference": difference,
                })
    found = [chain["name"] for chain in judged]
    report(len(set(found)) == len(found), "each has a name of its own")
    report(set(DIFFERENCES) <= set(found), "each explanation belongs to one", set(DIFFERENCES) - set(found))
    alike = sum(chain["difference"] is None for chain in judged)
    report(alike >= 40, f"{alike} of {len(judged)} are judged alike")
    pathlib.Path(sys.argv[1]).write_text(json.dumps(judged, indent=1))
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
