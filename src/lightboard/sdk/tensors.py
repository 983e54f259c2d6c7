"""Arrays of any library as TensorProto bytes.

The input is NumPy, PyTorch, TensorFlow, JAX or plain Python values. NumPy is imported inside functions: `import
lightboard` does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lightboard.sdk import summary_messages

if TYPE_CHECKING:
    import numpy as np

# DataType numbers of tensorflow/core/framework/types.proto
DTYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "complex64": 8, "int64": 9, "bool": 10,
    "bfloat16": 14, "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip


def array(data: Any) -> np.ndarray[Any, Any]:
    """Returns a NumPy array in main memory, copied from a device if needed."""
    import numpy as np

    detach = getattr(data, "detach", None)
    if detach is not None:  # torch: detach from graph and device; NumPy has no bfloat16
        data = detach().cpu()
        if str(data.dtype) == "torch.bfloat16":
            data = data.float()
        if hasattr(data, "resolve_conj"):
            data = data.resolve_conj().resolve_neg()
        return np.asarray(data.numpy())
    if isinstance(data, (list, tuple)) and data and not isinstance(data[0], (int, float, str, bytes)):
        return np.asarray([array(each) for each in data])  # a list of tensors, perhaps on different devices
    numpy_method = getattr(data, "numpy", None)
    if numpy_method is not None and callable(numpy_method):  # tensorflow; handles sparse variables better than NumPy
        return np.asarray(numpy_method())
    return np.asarray(data)


def numbers(data: Any) -> np.ndarray[Any, Any]:
    """Returns an array of real numbers. Raises TypeError for others."""
    found = array(data)
    if found.dtype.kind not in "biuf" and str(found.dtype) != "bfloat16":
        raise TypeError(f"these are no real numbers but {found.dtype}")
    return found


def proto(data: Any) -> bytes:
    """TensorProto of numbers or of strings."""
    import numpy as np

    if isinstance(data, (str, bytes)):
        return summary_messages.string_tensor([_encoded(data)], [])
    tensor = array(data)
    if tensor.dtype.kind in "USO":
        if not all(isinstance(each, (str, bytes)) for each in tensor.flat):
            raise TypeError("a tensor holds numbers or strings, this one holds neither")
        return summary_messages.string_tensor([_encoded(each) for each in tensor.flat], tensor.shape)
    dtype = DTYPES.get(str(tensor.dtype))
    if dtype is None:
        raise TypeError(f"a tensor cannot hold {tensor.dtype}")
    little = np.ascontiguousarray(tensor).astype(tensor.dtype.newbyteorder("<"), copy=False)
    return summary_messages.numeric_tensor(dtype, little.tobytes(), tensor.shape)


def _encoded(content: Any) -> bytes:
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)
