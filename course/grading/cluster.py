"""The same unit of work on a Dask cluster: `course autograde --scheduler tcp://host:8786`."""
from __future__ import annotations

import ipaddress
from concurrent.futures import Future


class NoCluster(RuntimeError):
    """The scheduler does not answer, or has no workers."""


class Exposed(NoCluster):
    """The cluster's address is open to others, without encryption and without a word of who asks."""


def check_address(address: str) -> None:
    """Raises Exposed for a plain address that is not on this machine: whoever reaches such a scheduler can run code on
    every worker, and reads the hidden tests as they pass."""
    scheme, _, rest = address.rpartition("://")
    if scheme in ("tls", "wss", "ucxx+tls"):
        return
    host = rest.rpartition(":")[0].strip("[]") or rest
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost"
    if not local:
        raise Exposed(f"{address} is neither encrypted nor on this machine: anyone who reaches it can run code as you and "
                      "read the hidden tests. Use TLS (README: Ten thousand students), or, in a network where nobody else "
                      "is, add --insecure.")


class Cluster:
    """Submits work to a Dask scheduler; a worker's death is Dask's to notice, and the work runs elsewhere."""

    def __init__(self, address: str, seconds: float = 10.0):
        from distributed import Client
        try:
            self.client = Client(address, timeout=seconds, set_as_default=False)
            self.client.wait_for_workers(1, timeout=seconds)
        except Exception as error:
            raise NoCluster(f"No Dask cluster at {address} ({type(error).__name__}). Start `dask scheduler`, then "
                            "`dask worker ADDRESS --nthreads 1` from the repository on each machine.") from error
        self.size = max(1, len(self.client.scheduler_info(n_workers=-1)["workers"]))

    def submit(self, function, *arguments) -> Future:
        """A concurrent.futures.Future of the call, so that local and remote work are waited for alike."""
        result: Future = Future()
        remote = self.client.submit(function, *arguments, pure=False, retries=2)

        def finish(done) -> None:
            try:
                value = done.result()
            except Exception as error:
                result.set_exception(error)
            else:
                result.set_result(value)
        remote.add_done_callback(finish)
        result.remote = remote      # keeps it alive: Dask forgets what nobody holds
        return result

    def close(self) -> None:
        self.client.close()
