"""Writes event files in the usual format, so TensorBoard reads them too.

    writer.SummaryWriter ─┐
    lightboard.summary ───┼─▶ recorder.Recorder ─▶ native EventWriter ─▶ events.out.tfevents.…
    integrations ─────────┘   used by all            encodes, queues, writes in its own thread

Importing this is fast; NumPy is imported when a value needs it.
"""
