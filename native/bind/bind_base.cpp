// Bindings of base/: checksums, guarded mappings, signals; and memory settings of the process.
#include <chrono>
#include <system_error>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/block_sums.h"
#include "base/crc32c.h"
#include "base/guarded_map.h"
#include "base/record.h"
#include "base/stops.h"
#include "bind/bind.h"

namespace lightboard::bind {
namespace {

// glibc keeps freed blocks of up to 32 MB once such a block has been freed; a board's memory would stay at its peak.
// Call this only in our own processes: a training script must keep its allocator settings.
void return_memory_early(int block_bytes) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, block_bytes);
#else
    (void)block_bytes;
#endif
}

// Also returns freed memory between blocks that are still in use.
void return_freed_memory() {
#ifdef __GLIBC__
    nb::gil_scoped_release unlocked;
    malloc_trim(0);
#endif
}

std::uint32_t crc32c(nb::bytes data, bool portable) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(data.c_str());
    return portable ? lb::crc32c_portable(bytes, data.size()) : lb::crc32c(bytes, data.size());
}

}  // namespace

void bind_base(nb::module_& m) {
    m.def("return_memory_early", &return_memory_early, "block_bytes"_a = 64 << 10);
    m.def("return_freed_memory", &return_freed_memory);
    m.def("crc32c", &crc32c, "data"_a, "portable"_a = false);
    m.def("crc32c_kind", [] { return lb::framing_in_hardware() ? "hardware" : "portable"; });
    nb::class_<lb::Stops>(m, "Stops")
        .def(nb::init<int, int>(), "interrupted_code"_a, "terminated_code"_a)
        .def(
            "remove_at_end", [](lb::Stops& stops, nb::object path) { stops.remove_at_end(path_bytes(path)); }, "path"_a)
        .def(
            "hand_over",
            [](lb::Stops& stops, double secs) { return stops.hand_over(std::chrono::duration<double>(secs)); },
            "patience_secs"_a)
        .def_prop_ro("came", &lb::Stops::came);
    using Mapping = std::span<const std::uint8_t>;

    m.def(
        "map_file",
        [](int fd, std::size_t size) {
            auto held = std::make_unique<Mapping>();
            try {
                *held = lb::map_guarded(fd, size);
            } catch (const std::system_error& error) {
                raise_os_error(error.code().value(), error.what());
            }
            Mapping* mapping = held.get();
            const nb::capsule owner(mapping, [](void* released) noexcept {
                const std::unique_ptr<Mapping> last(static_cast<Mapping*>(released));
                lb::unmap_guarded(*last);
            });
            held.release();
            using Bytes = nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>>;
            return nb::cast(Bytes(mapping->data(), {mapping->size()}, owner));
        },
        "fd"_a, "size"_a);
    m.def(
        "sum_blocks", [](U8In bytes) { return table(unlocked([&] { return lb::sum_blocks(view(bytes)); })); },
        "bytes"_a);
    m.attr("SUM_BLOCK_BYTES") = lb::kSumBlockBytes;
    m.def(
        "was_cut",
        [](const nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::device::cpu>& mapping) {
            return lb::was_cut(mapping.data());
        },
        "mapping"_a);
}

}  // namespace lightboard::bind
