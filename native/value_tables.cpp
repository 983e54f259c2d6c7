#include "value_tables.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "event.h"
#include "legacy.h"
#include "tensor.h"

namespace lightboard {

namespace {

// Reads all of `bytes`; the system's error number when it fails, ENODATA when the file is shorter.
int read_whole(int fd, std::uint64_t offset, std::span<std::uint8_t> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t got = ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : ENODATA;
        done += static_cast<std::size_t>(got);
    }
    return 0;
}

template <class Number>
void append_cells(const std::vector<std::uint8_t>& data, std::vector<double>& cells) {
    const std::size_t count = data.size() / sizeof(Number), before = cells.size();
    cells.resize(before + count);
    if constexpr (sizeof(Number) == sizeof(double)) {
        if (count) std::memcpy(cells.data() + before, data.data(), count * sizeof(double));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        Number number;
        std::memcpy(&number, data.data() + i * sizeof(Number), sizeof(Number));
        cells[before + i] = number;
    }
}

// False: no table, or one of numbers that are rare enough to be read one by one.
bool append_table(std::span<const std::uint8_t> bytes, Tables& out) {
    Value value;
    if (!parse_value(bytes, value)) return false;
    Unpacked unpacked;
    try {
        unpack_value(value, unpacked);
    } catch (const std::invalid_argument&) {
        return false;
    }
    if (unpacked.shape.size() != 2) return false;
    if (unpacked.dtype == "float64")
        append_cells<double>(unpacked.data, out.cells);
    else if (unpacked.dtype == "float32")
        append_cells<float>(unpacked.data, out.cells);
    else
        return false;
    out.shapes.insert(out.shapes.end(), unpacked.shape.begin(), unpacked.shape.end());
    return true;
}

}  // namespace

int read_tables(const std::string& path, std::span<const Ref> refs, Tables& out) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno;
    std::vector<std::uint8_t> bytes;
    int code = 0;
    for (const Ref& ref : refs) {
        bytes.resize(ref.length);
        if ((code = read_whole(fd, ref.offset, bytes))) break;
        if (!append_table(bytes, out)) out.shapes.insert(out.shapes.end(), {-1, -1});
    }
    ::close(fd);
    return code;
}

}  // namespace lightboard
