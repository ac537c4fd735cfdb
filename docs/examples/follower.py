"""Keeps a copy of Mint's records in an SQLite file: python3 follower.py copy.db. Needs nothing but Python.

If it or Mint is killed, at any moment, the copy resumes where it was. If Mint refuses its cursor (unknown_cursor), Mint
was restored to an earlier moment: delete the copy.
"""

import json
import os
import sqlite3
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL = os.environ.get("MINT_URL", "http://127.0.0.1:8080")
HEADERS = {"Authorization": "Bearer " + os.environ.get("MINT_API_KEY", "")}

copy = sqlite3.connect(sys.argv[1] if len(sys.argv) > 1 else "copy.db")
copy.executescript("""
  CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, version INTEGER, data TEXT, PRIMARY KEY (kind, id));
  CREATE TABLE IF NOT EXISTS cursor (id INTEGER PRIMARY KEY CHECK (id = 1), next TEXT);
""")


def follow() -> None:
    """Stores the next page and the cursor after it in one transaction."""
    query = {"wait": 30, "limit": 1000}
    cursor = copy.execute("SELECT next FROM cursor").fetchone()
    if cursor:
        query["after"] = cursor[0]
    try:
        with urlopen(Request(f"{URL}/events?{urlencode(query)}", headers=HEADERS), timeout=60) as answer:
            page = json.load(answer)
    except HTTPError as refusal:
        raise OSError(f"{refusal.code}: {refusal.read().decode(errors='replace')}") from refusal
    with copy:
        for event in page["events"]:
            row = (event["type"].split(".")[1], event["subject"], event["recordversion"], json.dumps(event["data"]))
            copy.execute("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", row)
        copy.execute("INSERT OR REPLACE INTO cursor VALUES (1, ?)", (page["next"],))


while True:
    try:
        follow()
    except (OSError, HTTPException, sqlite3.OperationalError) as error:
        # Mint is unavailable, or the copy is locked: events that were not stored are read again.
        print(error, file=sys.stderr)
        time.sleep(0.5)
