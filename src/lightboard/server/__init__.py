"""HTTP for one board: ASGI, `/api` (ours) and `/data` (TensorBoard's).

    request ──▶ app (prefix, security, static) ──▶ hot paths │ Starlette router ──▶ one module per kind ──▶ query

`app.create(store, settings)` creates the application. Nothing is imported here: a starting board loads only what it
needs.
"""
