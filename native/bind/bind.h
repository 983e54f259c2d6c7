// Helpers of the Python bindings. Each folder of native/ has one `bind_*.cpp`, which defines its part of the module
// (the bundle kernels have a separate file). Only files in this folder include nanobind.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;
namespace lightboard {}
namespace lb = lightboard;

namespace lightboard::bind {

void bind_base(nb::module_& m);
void bind_read(nb::module_& m);
void bind_kernels(nb::module_& m);
void bind_bundle(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_projector(nb::module_& m);
void bind_write(nb::module_& m);

// ---- arrays ----

// An array argument: read-only, contiguous, on the CPU. Bind it with noconvert(), or nanobind copies other types.
template <class T, std::size_t Dims = 1>
using In = nb::ndarray<const T, nb::ndim<Dims>, nb::c_contig, nb::device::cpu>;
using U8In = In<std::uint8_t>;
using U32In = In<std::uint32_t>;
using I64In = In<std::int64_t>;
using F32In = In<float>;
using F64In = In<double>;

template <class Array>
auto view(const Array& array) {
    return std::span<std::remove_pointer_t<decltype(array.data())>>(array.data(), array.size());
}

template <class A, class B>
void same_length(const A& a, const B& b) {
    if (a.size() != b.size()) throw std::invalid_argument("arrays differ in length");
}

// Passes a vector to numpy without a copy; the capsule frees it.
template <class T, class... Shape>
nb::object give_shaped(std::vector<T>&& values, Shape... shape) {
    auto owner = std::make_unique<std::vector<T>>(std::move(values));
    std::vector<T>* raw = owner.get();
    nb::capsule keep(raw, [](void* p) noexcept { std::unique_ptr<std::vector<T>>(static_cast<std::vector<T>*>(p)); });
    owner.release();
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<sizeof...(Shape)>>(raw->data(), {shape...}, keep));
}
template <class T>
nb::object give(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return give_shaped(std::move(values), size);
}

// Calls `work` without the interpreter lock.
template <class Work>
auto unlocked(Work&& work) {
    nb::gil_scoped_release release;
    return work();
}

// ---- bytes and text ----

// A table of rows as bytes, for numpy.frombuffer.
template <class Row>
nb::bytes table(const std::vector<Row>& rows) {
    return nb::bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
}

inline nb::bytes bytes_out(std::string_view bytes) { return nb::bytes(bytes.data(), bytes.size()); }
inline nb::bytes bytes_out(std::span<const std::uint8_t> bytes) { return nb::bytes(bytes.data(), bytes.size()); }

inline std::string_view string_in(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline std::span<const std::uint8_t> bytes_in(const nb::bytes& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.c_str()), bytes.size()};
}

// Returns a str argument as UTF-8. The view is valid as long as the str exists.
inline std::string_view utf8(nb::handle text) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    return {data, static_cast<std::size_t>(size)};
}

// Decodes text from a file, which may be invalid UTF-8.
inline nb::object text(std::string_view bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}
inline nb::list texts(const std::vector<std::string>& all) {
    nb::list out;
    for (const std::string& each : all) out.append(text(each));
    return out;
}

// Paths are encoded and decoded as in Python.
inline nb::object path_text(const std::string& path) {
    return nb::steal(PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<Py_ssize_t>(path.size())));
}
inline std::string path_bytes(nb::handle path) {
    PyObject* encoded = nullptr;
    if (!PyUnicode_FSConverter(path.ptr(), &encoded)) throw nb::python_error();
    const nb::bytes held = nb::steal<nb::bytes>(encoded);
    return {held.c_str(), held.size()};
}

[[noreturn]] inline void raise_os_error(int code, const std::string& what) {
    errno = code;
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, what.c_str());
    throw nb::python_error();
}

}  // namespace lightboard::bind
