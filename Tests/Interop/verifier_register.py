"""What the verifier of the tests is registered for, by a register of the tests."""

import json

from registrations import REGISTER, entry, registration
from verifier_pki import ORGANIZATION, ORGANIZATION_IDENTIFIER


def registered(paths, types):
    """The value of `verifier_info` for a verifier that may ask for these claims of these types."""
    entries = [entry(*paths, type=type) for type in types]
    return [{"format": "registration_cert", "data": registration(
        *entries, sub=ORGANIZATION_IDENTIFIER, name=ORGANIZATION)}]


def authorities(pki):
    """The authorities by which a wallet judges requests, by their roles."""
    return {"relying-party": pki.certificate("access-authority").read_text(), "registrar": REGISTER.pem.decode()}


def trust_anchors(pki):
    """The file for a provider: what is in that of the verifier, and the register."""
    certificate = REGISTER.certificate
    anchors = json.loads(pki.trust_anchors.read_text())["anchors"]
    anchors.append({
        "name": "Example Register", "role": "registrar", "certificate": REGISTER.pem.decode(),
        "from": certificate.not_valid_before_utc.date().isoformat(),
        "until": certificate.not_valid_after_utc.date().isoformat()})
    file = pki.directory / "trust-anchors-with-register.json"
    file.write_text(json.dumps({"anchors": anchors}, indent=2) + "\n")
    return file
