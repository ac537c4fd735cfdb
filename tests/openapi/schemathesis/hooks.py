"""What is right although no JSON Schema can say it: rules between parameters, about records, about the clock."""

import re

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

BEYOND_SCHEMAS = {
    # Not together with offset; must be the id of a record.
    ("query", "/after", "not_together"),
    ("query", "/after", "unknown_cursor"),
    # Entity tags are declared as any text, which is what generators of clients understand.
    ("header", "/If-Match", "malformed_header"),
    ("header", "/If-None-Match", "malformed_header"),
    # Declared as any text, too.
    ("header", "/Closing-Override", "malformed_header"),
    # Must not be the id of a business.
    ("body", "/clientId", "business_id"),
    # Not together with clientIds; in a file that is sent, only together with dryRun.
    ("query", "/ids", "not_together"),
    # Required unless clientIds is given.
    ("query", "/ids", "required"),
    # A list of the types of events.
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
def as_it_is(ctx, value) -> bytes:
    """A CSV file is generated as a text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", errors="surrogatepass")


@schemathesis.hook
def filter_failure(context, failure: Failure, case, response) -> bool:
    """Whether what a check found stands: not where the answer names nothing but such a rule."""
    if isinstance(failure, RejectedPositiveData):
        if case.operation.path == "/mcp":
            # What a message may be is for the Model Context Protocol to say, not for this document.
            return False
        problem = response.json()
        if problem["code"] == "precondition_failed":
            # If-Match names a version, which no schema knows.
            return False
        errors = problem.get("errors", [])
        # What a CSV file may hold is beyond any schema.
        of_schema = [error for error in errors if "line" not in error]
        if case.operation.path == "/proposals":
            # Its action decides which fields it needs, and whether it names a contract.
            of_schema = [error for error in of_schema if not PROPOSED.match(error["pointer"])]
        found = {(error["in"], error["pointer"], error["code"]) for error in of_schema}
        if errors and not found:
            return False
        return not found or not found <= BEYOND_SCHEMAS
    if isinstance(failure, UseAfterFree) and case.operation.path == "/api-keys/{id}":
        # Revoking a key deletes nothing: it is shown for ever, as revoked.
        return response.json().get("revokedAt") is None
    return True
