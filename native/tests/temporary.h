// Temporary directories and files for tests; the destructor removes them.
#pragma once

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lightboard::tests {

class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "lightboard-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        root_ = name;
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::filesystem::path operator/(const std::string& path) const { return root_ / path; }
    std::string string() const { return root_.string(); }
    std::string file(const std::string& name) const { return (root_ / name).string(); }

    // Writes a file and creates its parent directories.
    std::string write(const std::string& path, const std::string& content) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path, std::ios::binary) << content;
        return file(path);
    }

  private:
    std::filesystem::path root_;
};

}  // namespace lightboard::tests
