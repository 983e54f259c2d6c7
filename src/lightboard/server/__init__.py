"""HTTP for one board: ASGI, `/api` (ours) and `/data` (TensorBoard's).

    request ──▶ app (prefix, security, static) ──▶ hot paths │ Starlette router ──▶ one module per kind ──▶ query

`app.create(store, settings)` is the way in; nothing is imported here, so that starting a board loads only what it needs.
"""
