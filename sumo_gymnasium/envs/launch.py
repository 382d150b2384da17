"""Starting a worker process, which inherits its end of the channel and nothing else but the standard streams."""

import functools
import os
import subprocess
import sys
from typing import Any

from sumo_gymnasium.backends import children


def launch(handle: int) -> subprocess.Popen[bytes]:
    """Start a worker that inherits `handle`, its end of the channel."""
    return children.start(functools.partial(_popen, handle))


def _popen(handle: int) -> subprocess.Popen[bytes]:
    # sys.path goes first, and with -c: without it the worker might not find this package, or find the user's
    # "random.py" in the current folder before Python's own.
    path = [os.fspath(entry) for entry in sys.path]
    code = (
        f"import sys; sys.path[:] = {path!a}; "
        f"from sumo_gymnasium.envs.worker import main; main({handle}, {os.getpid()})"
    )
    # numpy's BLAS would start threads that spin and cost memory, and have nothing to do in a simulation
    alone = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-c", code]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=alone | os.environ, **_inheriting(handle))


def _inheriting(handle: int) -> dict[str, Any]:
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        only = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        return {"startupinfo": only, "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # a group without Ctrl-C
    return {"pass_fds": (handle,)}
