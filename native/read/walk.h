// Finds files below a directory by patterns on their paths, several directories at a time.
//
// A file is a regular file, or a link to one. Links are followed as `WalkOptions::links` says; one that leads back to a
// directory above itself is cut. The same directory linked from two places is listed under both names. What cannot be
// read becomes an entry in `errors`; the only exception is std::bad_alloc.
//
// The caller decides which files to find and whether they may be read; no file names are built in.
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
    inside,  // only those that end at or below one of `WalkOptions::homes`
    all,
};

struct WalkOptions {
    // See path_pattern.h. A file that matches several counts for the first of them.
    std::vector<std::string> patterns;
    Links links = Links::all;
    unsigned threads = 0;  // 0: as many as there are cores, at most 4
    // Shell patterns on relative paths of directories; a directory that matches is not entered. `*` matches `/` too.
    std::vector<std::string> exclude;
    std::vector<std::string> homes;  // real paths of directories, no link on the way; for Links::inside
};

// All sorted by path, byte by byte. `directories` holds every directory that was entered, the root as "".
struct WalkResult {
    std::vector<std::vector<WalkedFile>> found;  // for each pattern
    std::vector<std::string> directories;
    std::vector<WalkError> errors;
};

WalkResult walk(const std::string& root, const WalkOptions& options);

}  // namespace lightboard
