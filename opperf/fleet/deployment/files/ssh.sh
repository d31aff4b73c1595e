#!/bin/sh
# Starts a worker on each of these hosts by ssh, which asks for no password here: keys do. Its log is
# opperf-worker.log in the home folder there; `kill NUMBER` on the host ends it.
set -u
failed=0
for host in @HOSTS@; do
    ssh -o BatchMode=yes "$host" 'sh -s' <<'END' || { echo "$host: no worker" >&2; failed=1; }
nohup @COMMAND@ >opperf-worker.log 2>&1 </dev/null &
for second in 1 2 3 4 5; do
    kill -0 $! 2>/dev/null || { tail -n 3 opperf-worker.log >&2; exit 1; }
    sleep 1
done
echo "$(uname -n): worker $!"
END
done
exit $failed
