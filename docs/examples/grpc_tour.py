"""Creates a contract over gRPC, retries it, reads who wrote it, and gets a report: docs/grpc.md says how to run it."""

import os
import uuid

import grpc
from mint.contracts.v1 import contracts_pb2, contracts_pb2_grpc, reports_pb2, reports_pb2_grpc

channel = grpc.insecure_channel(os.environ.get("MINT_CONTRACTS", "127.0.0.1:50051"))
contracts = contracts_pb2_grpc.ContractsServiceStub(channel)
reports = reports_pb2_grpc.ReportsServiceStub(channel)
key = ("authorization", f"Bearer {os.environ['MINT_API_KEY']}")

new = contracts_pb2.CreateContractRequest(
    client_id="11111111-1111-1111-1111-111111111111",
    service_name="Annual accounts",
    service_type="bookkeeping",
    service_fee="150",
    tax_percent="13",
)
# With the same commit id, a write takes effect once, however often it is sent.
once = ("mint-commit-id", str(uuid.uuid4()))
first = contracts.CreateContract(new, metadata=[key, once], timeout=5)
again = contracts.CreateContract(new, metadata=[key, once], timeout=5)
assert again.replayed and again.contract == first.contract
print(f"contract {first.contract.id} costs {first.contract.total_fee_with_tax}")

history = contracts_pb2.ListContractHistoryRequest(id=first.contract.id, limit=1)
written = contracts.ListContractHistory(history, metadata=[key], timeout=5).events[0]
print(f"{written.type} by {written.by}")

by_client = reports_pb2.ReportContractsRequest(group_by=["month", "clientId"], client_id=new.client_id)
report = reports.ReportContracts(by_client, metadata=[key], timeout=5)
for row in report.rows:
    print(f"{row.month}: {row.sums.count} for {row.sums.total_fee_with_tax}")

try:
    contracts.GetContract(contracts_pb2.GetContractRequest(id=1), timeout=5)
except grpc.RpcError as error:
    print(f"without a key: {error.code().name}")
