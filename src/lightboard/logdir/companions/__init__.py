"""Files beside the events that tell more of a run: found with them, kept in the store as small handles.

    projector_config.pbtxt   in a run's directory or in `<run>/plugins/org_tensorflow_tensorboard_projector/`; a
                             directory that has no event file is a run of the projector all the same
    hparams.yaml             Lightning's, in a run's directory
    hparams.yaml             in a run's directory: what Lightning's logger leaves there

`finding` keeps the store's list true, `files` reads what a companion names, nothing outside its directory.
"""

from lightboard.logdir.companions.files import FilesBeside
from lightboard.logdir.companions.finding import NAMES, Companions

__all__ = ["NAMES", "Companions", "FilesBeside"]
