"""How Dask is set in a fleet: nothing wakes up in between, and a silent host is not a lost one."""

from __future__ import annotations

NEVER = "1000d"
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": NEVER,
    "distributed.admin.event-loop-monitor-interval": "60s",
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.host-cpu": False,
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.worker.http.routes": [],
}
"""Of a host's worker. Its event loop sleeps while something is measured, whatever is set here; this
keeps the other threads asleep, and the loop from complaining of it."""
PATIENT = {
    "distributed.scheduler.worker-ttl": None,
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "60s",
}
"""Of the scheduler. A host that measures sends no heartbeat; one that is gone is told by its
connection, which the kernel keeps alive. A job is tried again by its row, not by Dask."""
NO_PAGES: dict[str, object] = {"distributed.scheduler.http.routes": []}
"""Of a scheduler whose pages nobody asked for: they know no certificates."""
