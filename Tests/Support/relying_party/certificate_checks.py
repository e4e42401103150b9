"""What tests of the relying party ask of certificates."""

import base64

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec


def certificates(header):
    return [x509.load_der_x509_certificate(base64.b64decode(text, validate=True)) for text in header["x5c"]]


def is_issued(certificate, issuer):
    try:
        issuer.public_key().verify(
            certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(certificate.signature_hash_algorithm))
    except InvalidSignature:
        return False
    return certificate.issuer == issuer.subject
