"""Verifies messages from Mint's topics. Needs the package cryptography."""

from base64 import b64decode, urlsafe_b64decode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def is_from_mint(key: bytes, headers: dict[str, bytes], value: bytes, keys: list[dict]) -> bool:
    """Whether Mint has signed a message. `keys`: those of GET /.well-known/mint-keys.json."""
    kid, _, signature = headers.get("mint-signature", b"").decode().partition(":")
    # Unless the keys were fetched a moment ago, fetch them again: the key may be new, or revoked.
    jwk = next((one for one in keys if one["kid"] == kid), None)
    if jwk is None:
        return False
    covered = [headers.get(name, b"") for name in ("ce_id", "ce_type", "ce_time")] + [key, value]
    try:
        public_key = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(jwk["x"] + "="))
        public_key.verify(b64decode(signature), b"\n".join(covered))
    except (InvalidSignature, ValueError):  # A signature that isn't base64 is a ValueError.
        return False
    return True
