"""The dialect of Alibaba's PAI: its addresses, words and signatures, so that its clients talk to a hub unchanged.

    signatures     what a signed request says, and whether a secret made the signature; pure
    door           who signed a request: keys, time, nonces; then the routes below
    words          boards in PAI's words, and addresses of logs as PAI writes them
    tensorboards, jobs, workspaces    routes; each calls what the REST API calls

PAI's words are used only in this folder. Every route has an action that `people.may` decides, as in the REST API; an
access key may do with boards what its user may.

A request belongs here if it has the header `x-acs-action`, which both clients send with every request; the addresses
are partly those of the REST API.
"""

from __future__ import annotations
