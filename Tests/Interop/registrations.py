#!/usr/bin/env python3
"""Requests of a relying party with registration certificates, good ones and bad ones; openvc-core judges them.

    registrations.py OUT.json

OUT.json has `encrypted`, a request object that polaris-oid4vp has encrypted to a wallet's key, and `requests`, each
with `name`, `request` (the object as it is signed), `client_id`, `core`, what the core has to make of it: "registered",
"exceeded" if more is asked for than is registered, or "none"; `openvc`, the same of openvc-core; and `difference`, why
the two differ, or null. `now` and both anchors are those of all. The tests of RegistrationsByOthersTests read it.
Prints a line per check, in the form that Tests/ABI/run.sh counts.
"""

import base64
import datetime
import json
import pathlib
import sys
import time

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from jwcrypto.jwk import JWK
from openvc.rp_cert import verify_rp_access_certificate
from openvc.rp_registration import (
    RpRegistrationError, check_matches_access_certificate, check_request_within_registration,
    verify_rp_registration_certificate,
)
from polaris_oid4vp.verifier import ETSI_119472_2, Verifier

from report import Report

NOW = int(time.time())
HOST, IDENTIFIER, TYPE = "verifier.example", "NTRNL-12345678", "urn:example:card:1"
DAY = 86_400

# Where the two differ, and why.
EXTENSIONS = "the core supports no critical member of a header (RFC 7515 section 4.1.11)"
ANCHORS = "trust never comes from the message (HAIP 1.0), so an anchor in it is refused"
TIMES = "without the time of issue nothing says how long it may count"
ENTITLEMENTS = "the core compares what is asked for, whatever the kind of the party"
FIRST_VERSION = "version 1.1.1 of ETSI TS 119 475 has the identifier in an object, which the core reads too"
ALL = "a query without claims asks for none that can be withheld (OpenID4VP 1.0 section 6.4.1)"
DIFFERENCES = {
    "critical members": EXTENSIONS,
    "the anchor in the chain": ANCHORS,
    "no iat": TIMES,
    "no entitlement": ENTITLEMENTS,
    "an object with the identifier": FIRST_VERSION,
    "a query without claims": ALL,
}


class Certificate:
    """A key with a certificate, below `issuer` or self-signed."""

    def __init__(self, name, issuer=None, identifier=None, host=None):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.issuer = issuer or self
        subject = [x509.NameAttribute(NameOID.COMMON_NAME, name)]
        if identifier:
            subject.append(x509.NameAttribute(NameOID.ORGANIZATION_IDENTIFIER, identifier))
        self.name = x509.Name(subject)
        is_authority = issuer is None
        start = datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder().subject_name(self.name).issuer_name(self.issuer.name)
            .public_key(self.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(start - datetime.timedelta(1)).not_valid_after(start + datetime.timedelta(365))
            .add_extension(x509.BasicConstraints(is_authority, None), True)
            .add_extension(x509.KeyUsage(
                not is_authority, False, False, False, False, is_authority, is_authority, False, False), True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.issuer.key.public_key()), False)
        )
        if host:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), False)
        self.certificate = builder.sign(self.issuer.key, hashes.SHA256())

    @property
    def text(self):
        """As in x5c."""
        return base64.b64encode(self.certificate.public_bytes(serialization.Encoding.DER)).decode()

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self):
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


ACCESS, REGISTER, OTHER = (Certificate(name) for name in ("Access", "Register", "Other"))
REGISTRAR = Certificate("Registrar", REGISTER)
PARTY = Certificate("Party", ACCESS, IDENTIFIER, HOST)


def entry(*paths, type=TYPE, **more):
    return {"format": "dc+sd-jwt", "meta": {"vct_values": [type]}, "claim": [{"path": path} for path in paths]} | more


def registration(*entries, signer=REGISTRAR, chain=None, header=(), **changes):
    """A registration certificate; without the members and parts of the header that are None."""
    def kept(members):
        return {name: value for name, value in members.items() if value is not None}

    payload = kept({
        "sub": IDENTIFIER, "name": "Party", "country": "NL", "iat": NOW - 60, "exp": NOW + 90 * DAY,
        "entitlements": ["https://uri.etsi.org/19475/Entitlement/Service_Provider"],
        "purpose": [{"lang": "en", "value": "Your age"}, {"lang": "nl", "value": "Uw leeftijd"}],
        "privacy_policy": f"https://{HOST}/privacy", "intended_use_id": "use-1",
        "credentials": list(entries) or [entry(["birthdate"])],
    } | changes)
    parts = kept({"typ": "rc-wrp+jwt", "x5c": chain or [signer.text]} | dict(header))
    return jwt.encode(payload, signer.key, "ES256", parts)


def verifier(registered, claims, type=TYPE, profile=None):
    dataset = {
        "identifier": [{"type": "http://data.europa.eu/eudi/id/EUID", "identifier": IDENTIFIER}],
        "srvDescription": [{"lang": "en", "content": "Shop"}], "registryURI": "https://register.example/",
        "intendedUseIdentifier": "use-1", "purpose": [{"lang": "en", "content": "Anything"}],
        "policyURI": f"https://{HOST}/privacy"}
    return Verifier(
        client_cert_pem=PARTY.pem, client_key_pem=PARTY.key_pem, request_uri=f"https://{HOST}/request",
        response_uri=f"https://{HOST}/response", vct_values=[type], claims=claims, verifier_info_profile=profile,
        verifier_info=[
            {"format": "registrar_dataset", "data": dataset}, {"format": "registration_cert", "data": registered}])


def members_of(request):
    part = request.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def request_without_claims(request):
    """The same request, which names no claims; the package makes none of that kind."""
    members = members_of(request)
    del members["dcql_query"]["credentials"][0]["claims"]
    return jwt.encode(members, PARTY.key, "ES256", {"typ": "oauth-authz-req+jwt", "x5c": [PARTY.text]})


def openvc_says(request):
    """What openvc-core makes of a request, with its reason."""
    members, now = members_of(request), datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)
    access = verify_rp_access_certificate(PARTY.certificate, trust_anchors=[ACCESS.certificate], now=now)
    try:
        found = verify_rp_registration_certificate(
            members["verifier_info"][1]["data"], trust_anchors=[REGISTER.certificate], now=now)
        check_matches_access_certificate(found, access)
    except RpRegistrationError as error:
        return "none", str(error)[:200]
    try:
        check_request_within_registration(found, members["dcql_query"])
    except RpRegistrationError as error:
        return "exceeded", str(error)[:200]
    return "registered", ""


def cases():
    """Each with a name, what the core has to make of it, the registration, and what is asked for."""
    date, ages = [["birthdate"]], ["age_equal_or_over", "18"]
    yield "the claim itself", "registered", registration(), date
    yield "what the claim lies in", "registered", registration(entry(ages[:1])), [ages]
    yield "two entries of a kind", "registered", registration(entry(ages), entry(["birthdate"])), [*date, ages]
    yield "no exp", "registered", registration(exp=None), date
    yield "a text for a purpose", "registered", registration(purpose="Your age"), date
    yield "twelve months", "registered", registration(exp=NOW - 60 + 366 * DAY), date
    yield "one claim more", "exceeded", registration(), [*date, ["family_name"]]
    yield "what lies around the claim", "exceeded", registration(entry(ages)), [ages[:1]]
    yield "another type", "exceeded", registration(entry(["birthdate"], type="urn:example:card:2")), date
    yield "another format", "exceeded", registration(entry(["birthdate"], format="vc+sd-jwt")), date
    yield "an entry without claims", "exceeded", registration(entry()), date
    yield "an entry whose meta is a text", "exceeded", registration(entry(["birthdate"], meta=TYPE)), date
    yield "an empty path", "exceeded", registration(entry([])), date
    yield "no entries", "exceeded", registration(credentials=[]), date
    yield "another organisation", "none", registration(sub="NTRNL-87654321"), date
    yield "no organisation", "none", registration(sub=None), date
    yield "an object with the identifier", "registered", registration(sub={"id": IDENTIFIER}), date
    yield "expired", "none", registration(iat=NOW - 10 * DAY, exp=NOW - 120), date
    yield "from tomorrow", "none", registration(iat=NOW + DAY), date
    yield "not before tomorrow", "none", registration(nbf=NOW + DAY), date
    yield "longer than twelve months", "none", registration(exp=NOW + 367 * DAY), date
    yield "an exp that is a text", "none", registration(exp="later"), date
    yield "no iat", "none", registration(iat=None), date
    yield "no entitlement", "registered", registration(entitlements=None), date
    for type in ("JWT", "rc-rp+jwt", "oauth-authz-req+jwt"):
        yield f"the type {type}", "none", registration(header={"typ": type}), date
    yield "an unknown critical member", "none", registration(header={"crit": ["x"], "x": 1}), date
    yield "critical members", "none", registration(
        header={"crit": ["sigT"], "sigT": "2026-01-01T00:00:00Z"}), date
    yield "a registrar of somebody else", "none", registration(signer=Certificate("Registrar", OTHER)), date
    yield "the party as its registrar", "none", registration(signer=PARTY), date
    yield "the key of another registrar", "none", registration(
        signer=Certificate("Registrar", REGISTER), chain=[REGISTRAR.text]), date
    yield "the anchor in the chain", "none", registration(chain=[REGISTRAR.text, REGISTER.text]), date
    head, _, signature = registration().split(".")
    yield "another payload", "none", ".".join([head, registration(sub=IDENTIFIER).split(".")[1][:-4] + "AAAA",
                                               signature]), date
    yield "no JWS", "none", "a.b", date


def encrypted():
    """A request object for a wallet that has offered a key, and all that opens it."""
    key = JWK.generate(kty="EC", crv="P-256")
    offered = key.export_public(as_dict=True) | {"kid": key.thumbprint(), "use": "enc", "alg": "ECDH-ES"}
    asked = verifier(registration(), [["birthdate"]], profile=ETSI_119472_2)
    session, _ = asked.new_request()
    nonce = base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
    text = asked.request_object(session.state, wallet_nonce=nonce, wallet_metadata=json.dumps({
        "jwks": {"keys": [offered]}, "request_object_encryption_alg_values_supported": ["ECDH-ES"],
        "request_object_encryption_enc_values_supported": ["A128GCM", "A256GCM"]}))
    return {"object": text, "key": key.export_private(as_dict=True)["d"], "nonce": nonce, "client_id": asked.client_id}


def main():
    report, judged = Report("registration"), []

    def judge(name, core, client_id, request):
        openvc, reason = openvc_says(request)
        difference = DIFFERENCES.get(name)
        report((core == openvc) == (difference is None),
               f"{name}: core {core}, openvc-core {openvc}" + (f": {difference}" if difference else ""),
               reason or "no reason")
        judged.append({"name": name, "request": request, "client_id": client_id, "core": core, "openvc": openvc,
                       "difference": difference})

    for name, core, registered, claims in cases():
        asked = verifier(registered, claims)
        judge(name, core, asked.client_id, asked.new_request()[1])
    asked = verifier(registration(entry()), [["birthdate"]])
    judge("a query without claims", "registered", asked.client_id, request_without_claims(asked.new_request()[1]))
    names = [request["name"] for request in judged]
    report(set(DIFFERENCES) <= set(names), "each explanation belongs to one")
    report(encrypted()["object"].count(".") == 4, "polaris-oid4vp encrypts its request")
    pathlib.Path(sys.argv[1]).write_text(json.dumps({
        "now": NOW, "access": ACCESS.text, "registrar": REGISTER.text, "encrypted": encrypted(), "requests": judged,
    }, indent=1))
    sys.exit(report.failed)


if __name__ == "__main__":
    main()
