"""Boards on Kubernetes: resources of three kinds, the objects that serve them, the loop that keeps both true.

    kinds, sources, objects, observing, plan, slots, status, jobs    pure: documents in, documents out
    cluster                                                          the only module that calls the API server
    caches, watches, queue, asking, writing, job_boards, loop        what runs while it leads
    leading, telling                                                 the lease; metrics, health, events
    operating                                                        connects them

docs/design/0034-kubernetes.md says why.
"""

from __future__ import annotations

DOMAIN = "lightboard.dev"
MANAGER = "lightboard-operator"
FINALIZER = f"{DOMAIN}/board"
PORT = 6006


class Label:
    """Labels of objects that belong to a board."""

    MANAGED = "app.kubernetes.io/managed-by"
    NAME = "app.kubernetes.io/name"
    BOARD = f"{DOMAIN}/board"  # the resource's name
    KIND = f"{DOMAIN}/kind"  # its kind, a word of `kinds`
    TEMPLATE = f"{DOMAIN}/template"  # hash of the pod template
    DRAINED = f"{DOMAIN}/drained"  # in the selector of a Service whose board is about to stop; no pod has it
    QUEUE = f"{DOMAIN}/queue"
    ACCOUNT = f"{DOMAIN}/account"  # of a resource: whose quota it uses


class Note:
    """Annotations."""

    HASH = f"{DOMAIN}/hash"  # of an object: the document that was applied
    STORAGE = f"{DOMAIN}/storage"  # of a pod: its storage.toml
    SUSPENDED_BY = f"{DOMAIN}/suspended-by"  # of a resource: why the operator suspended it
    STOPPED_KUBEFLOW = "kubeflow-resource-stopped"  # of Kubeflow's resources: suspended, since when
    SECRET = f"{DOMAIN}/secret"  # of a foreign resource: the secret of sources that name none
    LOGS = f"{DOMAIN}/logs"  # of a job: where it writes
    BOARD = f"{DOMAIN}/board"  # of a job: the board's name
    URL = f"{DOMAIN}/board-url"  # of a job: the board's address
    CLEANUP = f"{DOMAIN}/cleanup"  # of a job: `with-job` or `keep`


SELECTOR = f"{Label.MANAGED}={MANAGER}"
