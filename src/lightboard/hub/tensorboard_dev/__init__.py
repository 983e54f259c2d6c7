"""The services of tensorboard.dev, for `tensorboard dev` of TensorBoard 2.15.0, which works without a change.

handshake    what the HTTP answer of `/api/uploader` says: where the gRPC port is, what may be sent, how large
messages     the messages of both services, read and written as bytes
records      points → records of event files
"""
