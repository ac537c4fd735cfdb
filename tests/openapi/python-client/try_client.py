"""Checks a generated client against the document, and edits a contract through it with If-Match."""

import importlib
import json
import os
import pkgutil
import re
from http import HTTPStatus
from pathlib import Path

import httpx
import mint_client.api
from mint_client import AuthenticatedClient
from mint_client.api.contracts import create_contract, edit_contract, get_contract
from mint_client.models import ContractChanges, ContractCreation, Problem, ProblemCode

URL = os.environ["MINT_URL"]


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def nothing_is_left_out() -> None:
    """Every operation has a function, which parses every documented status and takes every documented header."""
    modules = {
        name.rsplit(".", 1)[1]: Path(importlib.import_module(name).__file__).read_text()
        for _, name, is_package in pkgutil.walk_packages(mint_client.api.__path__, "mint_client.api.")
        if not is_package
    }
    paths = httpx.get(f"{URL}/openapi.json").json()["paths"]
    operations = [operation for methods in paths.values() for operation in methods.values()]
    assert len(modules) == len(operations) > 20, (len(modules), len(operations))
    for operation in operations:
        source = modules[snake_case(operation["operationId"])]
        statuses = [status for status in operation["responses"] if f"status_code == {status}" not in source]
        assert not statuses, f"{operation['operationId']} knows nothing of {statuses}"
        headers = [parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "header"]
        assert all(f'"{name}"' in source for name in headers), f"{operation['operationId']} lacks one of {headers}"


def edits_with_if_match() -> None:
    client = AuthenticatedClient(base_url=URL, token=os.environ["MINT_API_KEY"])
    given = ContractCreation.from_dict(
        {
            "clientId": "11111111-1111-1111-1111-111111111111",
            "serviceName": "Sales tax return",
            "serviceType": "tax-filing",
            "serviceFee": 19.99,
        }
    )
    created = create_contract.sync_detailed(client=client, body=given)
    assert created.status_code == HTTPStatus.CREATED, created.content
    contract, etag = created.parsed, created.headers["ETag"]

    same = get_contract.sync_detailed(contract.id, client=client, if_none_match=etag)
    assert same.status_code == HTTPStatus.NOT_MODIFIED, same.content

    # Values can be sent back as they were received, including the date.
    changes = ContractChanges.from_dict({"serviceFee": 25, "serviceDate": json.loads(created.content)["serviceDate"]})
    edited = edit_contract.sync_detailed(contract.id, client=client, body=changes, if_match=etag)
    assert edited.status_code == HTTPStatus.OK, edited.content
    assert edited.parsed.service_fee == 25

    again = edit_contract.sync_detailed(contract.id, client=client, body=changes, if_match=etag)
    assert again.status_code == HTTPStatus.PRECONDITION_FAILED, again.content
    assert isinstance(again.parsed, Problem)
    assert again.parsed.code == ProblemCode.PRECONDITION_FAILED


nothing_is_left_out()
edits_with_if_match()
print("The generated client leaves nothing out, and edits with If-Match.")
