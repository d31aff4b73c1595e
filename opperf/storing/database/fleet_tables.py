"""The tables of a fleet, which a store on PostgreSQL has beside its results.

What is true of a job stands in its row and nowhere else: whoever asks, and whatever was restarted.
All times are the database's own, because the clocks of hosts differ.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
)

METADATA = MetaData()
"""Apart from a store's other tables, which a store in a file has as well."""

submission = Table(
    "opperf_fleet_submission",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("command", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)
"""What somebody asked for at once; `version` is what a host must have to measure it."""

host = Table(
    "opperf_fleet_host",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("facts", JSON, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("seen_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)
"""`state` is ready, away, quarantined or refused; `kind` is the machine key that it shares with
hosts of the same parts."""

job = Table(
    "opperf_fleet_job",
    METADATA,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("submission", Text, ForeignKey("opperf_fleet_submission.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("words", JSON, nullable=False),
    Column("files", JSON, nullable=False, server_default="{}"),
    Column("requirement", JSON, nullable=False),
    Column("lease_seconds", Double, nullable=False),
    Column("state", Text, nullable=False, server_default="planned"),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("host", Text),
    Column("deadline", DateTime(timezone=True)),
    Column("began_at", DateTime(timezone=True)),
    Column("ended_at", DateTime(timezone=True)),
    Column("exit_code", Integer),
    Column("run_name", Text),
    Column("reason", Text, nullable=False, server_default=""),
    Index("opperf_fleet_job_by_state", "state", "id"),
    Index("opperf_fleet_job_by_submission", "submission", "state"),
)
"""`state` is planned, leased, done, failed or cancelled; `words` are what `opperf` is called with
on the host, `files` the texts that they name, such as locks of arms, and `reason` why the attempts
before came to nothing."""

output = Table(
    "opperf_fleet_output",
    METADATA,
    Column("job", BigInteger, ForeignKey("opperf_fleet_job.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)
"""What a job wrote, compressed by zlib: its log, and the files of its run directory."""
