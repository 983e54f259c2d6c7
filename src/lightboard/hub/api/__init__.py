"""The REST API of the hub: `/api/v1/…`, one module per noun.

    routes     what a route is: address, action, body, answer; and what its handler gets
    app        the ASGI application: route, identity, `may`, handler, answer
    problems   errors as problem+json
    openapi    `/api/v1/openapi.json`, made from the routes

A handler is a plain function that runs in a thread: it gets what was asked and returns a value that msgspec encodes.
Every route names how its thing is found and which action of `people.may` it needs; `app` asks before the handler runs.
"""
