"""Verifies messages from Mint's topics. Needs the package cryptography."""

from base64 import b64decode, urlsafe_b64decode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def is_from_mint(key: bytes | None, headers: dict[str, bytes | None], value: bytes | None, keys: list[dict]) -> bool:
    """Whether Mint has signed a message. `keys`: those of GET /.well-known/mint-keys.json."""
    # Anybody can write to a topic, and then any of these may be null.
    kid, _, signature = (headers.get("mint-signature") or b"").partition(b":")
    # Unless the keys were fetched a moment ago, fetch them again: the key may be new, or revoked.
    jwk = next((one for one in keys if one["kid"].encode() == kid), None)
    if jwk is None:
        return False
    covered = [headers.get("ce_id"), headers.get("ce_type"), headers.get("ce_time"), key, value]
    try:
        public_key = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(jwk["x"] + "="))
        public_key.verify(b64decode(signature), b"\n".join(part or b"" for part in covered))
    except (InvalidSignature, ValueError):  # A signature that isn't base64 is a ValueError.
        return False
    return True
