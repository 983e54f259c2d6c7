"""The hub as a program: configuration, the ASGI application, and the one place that connects the rooms."""
