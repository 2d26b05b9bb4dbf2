"""A REST catalog that hands out credentials with each table, as those of vendors do: the session itself has none."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.servers.s3 import BUCKET

VENDED_KEY, VENDED_SECRET = "VENDED-KEY-ID", "VENDED-SECRET"


@contextmanager
def vending_catalog(client: Any, tables: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Within the block the catalog runs; yields settings of a session for it, as the catalog `vended`.

    Args:
        client: of the S3 that has the files.
        tables: location of the metadata file by the name of a table, all in the namespace `t`.
    """
    vended = {
        "s3.endpoint": client.meta.endpoint_url,
        "s3.path-style-access": "true",
        "s3.access-key-id": VENDED_KEY,
        "s3.secret-access-key": VENDED_SECRET,
        "client.region": "us-east-1",
    }

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            name = path.removeprefix("/v1/namespaces/t/tables/")
            if path == "/v1/config":
                self._send(200, {"defaults": {}, "overrides": {}})
            elif name in tables:
                location = tables[name]
                key = location.removeprefix(f"s3://{BUCKET}/")
                metadata = json.loads(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())
                self._send(200, {"metadata-location": location, "metadata": metadata, "config": vended})
            else:
                kind = "NoSuchTableException" if "/tables/" in path else "NoSuchNamespaceException"
                self._send(404, {"error": {"message": f"No {path}", "type": kind, "code": 404}})

        do_HEAD = do_GET  # noqa: N815 - the names that http.server calls

        def _send(self, status: int, document: Mapping[str, Any]) -> None:
            body = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        catalog = "spark.sql.catalog.vended"
        yield {
            catalog: "org.apache.iceberg.spark.SparkCatalog",
            f"{catalog}.type": "rest",
            f"{catalog}.uri": f"http://127.0.0.1:{server.server_port}",
            f"{catalog}.io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
            f"{catalog}.cache-enabled": "false",
        }
        server.shutdown()
