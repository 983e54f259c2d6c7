// Identifies the content of a file, to detect changes: size, modification time and a *version*. On a local disk the
// version is a hash of device and inode; elsewhere the caller computes it from an ETag or a generation. Version 0 means
// "no file".
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace lightboard {

// The finalizer of splitmix64: changing one bit of the input changes about half of the bits of the output.
constexpr std::uint64_t mixed(std::uint64_t number) {
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    return number ^ number >> 31;
}

constexpr std::uint64_t version_of(std::uint64_t device, std::uint64_t inode) {
    const std::uint64_t version = mixed(mixed(device + 0x9e3779b97f4a7c15u) ^ inode);
    return version ? version : 1;
}

inline std::uint64_t version_of(const struct stat& status) {
    return version_of(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino));
}

inline std::int64_t mtime_ns_of(const struct stat& status) {
#ifdef __APPLE__
    const auto& time = status.st_mtimespec;
#else
    const auto& time = status.st_mtim;
#endif
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace lightboard
