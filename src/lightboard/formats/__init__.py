"""Decoders of file formats and encodings: bytes or text in, plain values out. They know no store, no run and no HTTP.

Bytes of users are not trusted: a decoder answers, or raises `errors.Unreadable`. Modules are imported one by one.
"""
