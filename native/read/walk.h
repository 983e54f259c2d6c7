// Finds files below a directory by patterns on their paths, several directories at a time.
//
// A file is a regular file, or a link to one. `WalkOptions::links` says which links are followed; a link to one of its
// own parent directories is skipped. A directory that is linked from two places is listed under both names. Unreadable
// files and directories are listed in `errors`; the only exception thrown is std::bad_alloc.
//
// The caller decides which files to find and whether they may be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lightboard {

struct WalkedFile {
    std::string path;           // relative to the root, no leading "./"
    std::uint64_t version = 0;  // see identity.h
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
};

struct WalkError {
    std::string path;  // relative; empty for the root itself
    std::string reason;
    int pattern = -1;  // for a file that cannot be read: the pattern it matches; -1: a directory
};

enum class Links {
    never,
    inside,  // only links whose target is one of `WalkOptions::homes` or below one
    all,
};

struct WalkOptions {
    // See path_pattern.h. A file that matches several patterns is listed under the first one.
    std::vector<std::string> patterns;
    Links links = Links::all;
    unsigned threads = 0;  // 0: as many as there are cores, at most 4
    // Shell patterns for relative paths of directories; a matching directory is not entered. `*` also matches `/`.
    std::vector<std::string> exclude;
    std::vector<std::string> homes;  // real paths of directories (links resolved); for Links::inside
};

// All lists are sorted by path, byte by byte. `directories` has every directory that was entered, the root as "".
struct WalkResult {
    std::vector<std::vector<WalkedFile>> found;  // for each pattern
    std::vector<std::string> directories;
    std::vector<WalkError> errors;
};

WalkResult walk(const std::string& root, const WalkOptions& options);

}  // namespace lightboard
