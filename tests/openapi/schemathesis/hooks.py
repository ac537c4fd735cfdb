"""Correct refusals by rules that JSON Schema can't express: between parameters, about records, about the clock."""

import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

BEYOND_SCHEMAS = {
    # Not together with offset; must be the id of a record.
    ("query", "/after", "not_together"),
    ("query", "/after", "unknown_cursor"),
    # Entity tags are declared as any text, which client generators understand.
    ("header", "/If-Match", "malformed_header"),
    ("header", "/If-None-Match", "malformed_header"),
    # Also declared as any text.
    ("header", "/Closing-Override", "malformed_header"),
    # Must not be the id of a business.
    ("body", "/clientId", "business_id"),
    # Not together with clientIds; with an uploaded file, only together with dryRun.
    ("query", "/ids", "not_together"),
    # Required unless clientIds is given.
    ("query", "/ids", "required"),
    # A list of event types.
    ("query", "/types", "not_allowed"),
    # The name of a time zone that this machine knows.
    ("body", "/timeZone", "invalid_time_zone"),
    # Required unless it is a dry run.
    ("header", "/Idempotency-Key", "required"),
    # Must be in the future.
    ("body", "/expiresAt", "out_of_range"),
    # Must not be in the future.
    ("query", "/asOf", "out_of_range"),
    ("query", "/since", "out_of_range"),
    ("query", "/until", "out_of_range"),
}

PROPOSED = re.compile(r"/(fields/|contractId$|version$)")


@schemathesis.serializer("text/csv")
def as_raw_bytes(ctx, value) -> bytes:
    """A CSV file is generated as text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="surrogatepass")


@schemathesis.hook
def filter_failure(context, failure: Failure, case, response) -> bool:
    """Whether a failure counts: not if the answer names only rules that no schema can express."""
    if isinstance(failure, RejectedPositiveData):
        if case.operation.path == "/mcp":
            # Messages are specified by the Model Context Protocol, not by this document.
            return False
        problem = response.json()
        if problem["code"] == "precondition_failed":
            # If-Match names a version, which no schema knows.
            return False
        errors = problem.get("errors", [])
        # No schema can describe the contents of a CSV file.
        of_schema = [error for error in errors if "line" not in error]
        if case.operation.path == "/proposals":
            # A proposal's action decides which fields it needs, and whether it names a contract.
            of_schema = [error for error in of_schema if not PROPOSED.match(error["pointer"])]
        found = {(error["in"], error["pointer"], error["code"]) for error in of_schema}
        if errors and not found:
            return False
        return not found or not found <= BEYOND_SCHEMAS
    if isinstance(failure, AcceptedNegativeData) and case.body is None:
        # Generated clients send null for a body that may be omitted.
        return case.operation.body[0].is_required
    if isinstance(failure, UseAfterFree) and case.operation.path == "/api-keys/{id}":
        # Revoking a key deletes nothing: it stays visible, as revoked.
        return response.json().get("revokedAt") is None
    return True
