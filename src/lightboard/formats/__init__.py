"""Decoders of file formats and encodings: bytes or text in, plain values out. They use no store, no run and no HTTP.

Input from users is not trusted: a decoder returns a result or raises `errors.Unreadable`. Each module is imported on
its own.
"""
