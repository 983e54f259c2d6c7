"""Writing event files. Ordinary ones: TensorBoard reads them too.

    writer.SummaryWriter ─┐
    lightboard.summary ───┼─▶ recorder.Recorder ─▶ native EventWriter ─▶ events.out.tfevents.…
    integrations ─────────┘   one path under all     encodes, queues, writes in a thread of its own

Importing this costs nothing; NumPy is imported when a value needs it.
"""
