"""Files that are not event files, found by the rules of `lightboard.sources`.

`listing` keeps the store's rows of all of them. Some are small and describe a run (`projector_config.pbtxt`,
`hparams.yaml`): `finding` keeps their content in the store, and `files` reads the files that such a companion names,
but none outside its directory.
"""

from lightboard.logdir.companions.files import FilesBeside, SourceFiles
from lightboard.logdir.companions.finding import Companions
from lightboard.logdir.companions.listing import Sources, kept

__all__ = ["Companions", "FilesBeside", "SourceFiles", "Sources", "kept"]
