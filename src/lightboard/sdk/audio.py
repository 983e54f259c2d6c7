"""Audio: numbers from -1 to 1 become a WAV file of 16-bit samples; WAV, FLAC, MP3 and Ogg files are kept unchanged."""

from __future__ import annotations

import io
import wave
from typing import Any

from lightboard import wire
from lightboard.sdk import summary_messages, tensors, trouble

_LOUDEST = 32767


def value(tag: str, data: Any, sample_rate: int = 44100) -> bytes:
    """Summary.Value of an audio clip: frames, or frames × channels, or the bytes of a file."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        return file_value(tag, bytes(data))
    import numpy as np

    waveform = tensors.numbers(data).squeeze()
    if waveform.ndim == 2 and waveform.shape[1] > 2 and waveform.shape[0] <= 2:
        waveform = waveform.T  # channels × frames, as in torchaudio
    if waveform.ndim > 2 or (waveform.ndim == 2 and waveform.shape[1] > 2):
        raise ValueError(f"a sound has one dimension, or two channels at most, not {waveform.shape}")
    if not waveform.size:
        raise ValueError("a sound without samples")
    waveform = np.atleast_1d(waveform)
    if waveform.dtype != np.int16:
        if str(waveform.dtype) == "bfloat16" or waveform.dtype.kind == "b":
            waveform = waveform.astype(np.float32)
        if np.abs(waveform).max() > 1:
            trouble.warn("the sound is louder than 1 and was clipped")
            waveform = waveform.clip(-1, 1)
        waveform = waveform * _LOUDEST
    samples = np.ascontiguousarray(waveform).astype("<i2")
    frames, channels = len(samples), 1 if samples.ndim == 1 else samples.shape[1]
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(int(sample_rate))
        sound.writeframes(samples.tobytes())
    audio = (
        wire.single(1, float(sample_rate)) + wire.integer(2, channels) + wire.integer(3, frames)
        + wire.text(4, file.getvalue()) + wire.text(5, "audio/wav")
    )  # fmt: skip
    return summary_messages.value(tag, wire.message(6, audio))


def file_value(tag: str, content: bytes) -> bytes:
    """Summary.Value of a complete file, unchanged."""
    if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
        kind = "audio/wav"
    elif content[:4] == b"fLaC":
        kind = "audio/flac"
    elif content[:4] == b"OggS":
        kind = "audio/ogg"
    elif content[:3] == b"ID3" or (content[:1] == b"\xff" and content[1:2] >= b"\xe0"):
        kind = "audio/mpeg"
    else:
        raise ValueError("these bytes are neither WAV nor FLAC nor MP3 nor Ogg")
    return summary_messages.value(tag, wire.message(6, wire.text(4, content) + wire.text(5, kind)))
