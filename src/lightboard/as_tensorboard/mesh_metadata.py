"""`tensorboard.plugins.mesh.metadata`, as PyTorch's `add_mesh` calls it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def names(mesh: Any, summary_metadata: Any) -> dict[str, Any]:
    """Returns the module's functions, for these two message classes."""

    def get_components_bitmask(content_types: Iterable[int]) -> int:
        return sum({1 << content_type for content_type in content_types})

    def get_instance_name(name: str, content_type: int) -> str:
        return f"{name}_{mesh.ContentType.Name(content_type)}"

    def create_summary_metadata(
        name: str,
        display_name: str | None,
        content_type: int,
        components: int,
        shape: Sequence[int],
        description: str | None = None,
        json_config: str | None = None,
    ) -> Any:
        if len(shape) != 3:
            raise ValueError(f"a mesh is [batch, points, 3], this is {list(shape)}")
        content = mesh(
            name=name,
            content_type=content_type,
            components=components,
            shape=list(shape),
            json_config=json_config,
        )
        plugin_data = summary_metadata.PluginData(plugin_name="mesh", content=content.SerializeToString())
        return summary_metadata(display_name=display_name, summary_description=description, plugin_data=plugin_data)

    return {
        "PLUGIN_NAME": "mesh",
        "get_components_bitmask": get_components_bitmask,
        "get_instance_name": get_instance_name,
        "create_summary_metadata": create_summary_metadata,
    }
