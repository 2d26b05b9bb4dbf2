"""The certificates that Python trusts, in the form Java reads.

A Java from a Python package brings its own list and knows nothing of the machine's: behind a proxy that signs
connections anew, pip works and that Java does not.
"""

from __future__ import annotations

import hashlib
import ssl
import struct

_PASSWORD = "changeit"  # noqa: S105  # Java's own; it guards nothing in a list of public certificates


def java_truststore() -> bytes:
    """A Java key store (JKS) of the certificates that Python trusts; empty if Python loads none at once.

    The format: magic number, version 2, number of entries; each entry a tag (2: trusted certificate), alias, time,
    type and certificate; then the SHA-1 of password, a fixed phrase and all that (sun.security.provider.JavaKeyStore).
    """
    certificates = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not certificates:
        return b""
    store = struct.pack(">III", 0xFEEDFEED, 2, len(certificates))
    for number, certificate in enumerate(certificates):
        store += struct.pack(">I", 2) + _text(f"python-{number}") + struct.pack(">Q", 0)
        store += _text("X.509") + struct.pack(">I", len(certificate)) + certificate
    seal = _PASSWORD.encode("utf-16-be") + b"Mighty Aphrodite" + store
    return store + hashlib.sha1(seal, usedforsecurity=False).digest()


def _text(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode("ascii")
