#include "read/walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "read/identity.h"
#include "read/path_pattern.h"

namespace lightboard {
namespace {

// Without a limit, a few directories that link to each other have factorially many paths.
constexpr std::size_t kMaxLinkedDirectories = 1'000'000;
// Directories that a thread takes from the shared list at once: enough to make the lock cheap, few enough to balance
// the load.
constexpr std::size_t kTake = 16;

// An ancestor of a pending directory.
struct Place {
    std::shared_ptr<const Place> parent;
    dev_t device = 0;
    ino_t inode = 0;
};

struct Pending {
    std::string path;
    std::shared_ptr<const Place> parent;
    bool linked = false;  // this directory or an ancestor is a link
};

bool is_above(const Place* place, dev_t device, ino_t inode) {
    for (; place != nullptr; place = place->parent.get()) {
        if (place->device == device && place->inode == inode) return true;
    }
    return false;
}

std::string reason_of(int error) { return std::generic_category().message(error); }

// For file systems whose listings contain no entry types.
bool is_link(int directory, const char* entry) {
    struct stat status{};
    return ::fstatat(directory, entry, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

bool is_below(std::string_view home, std::string_view path) {
    if (home == "/") return true;
    return path.starts_with(home) && (path.size() == home.size() || path[home.size()] == '/');
}

// Owns a file descriptor.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
};

// Calls `see(name, d_type)` for each entry except "." and "..". Returns an errno, or 0 on success.
#ifdef __linux__
// Calls the kernel directly: readdir allocates for every directory, which doubles the cost of small ones.
template <class See>
int each_entry(int fd, std::vector<char>& buffer, See see) {
    struct Entry {
        std::uint64_t inode;
        std::int64_t next;
        unsigned short length;
        unsigned char type;
        char name[1];
    };
    constexpr std::size_t kNameAt = 19;  // offset of `name` in Entry
    for (;;) {
        const long got = ::syscall(SYS_getdents64, fd, buffer.data(), buffer.size());
        if (got < 0) return errno;
        if (got == 0) return 0;
        for (long at = 0; at < got;) {
            unsigned short length = 0;
            std::memcpy(&length, buffer.data() + at + offsetof(Entry, length), sizeof length);
            const auto type = static_cast<unsigned char>(buffer[at + offsetof(Entry, type)]);
            const char* name = buffer.data() + at + kNameAt;
            if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) see(name, type);
            at += length;
        }
    }
}
#else
template <class See>
int each_entry(int fd, std::vector<char>&, See see) {
    const int copy = ::dup(fd);
    if (copy < 0) return errno;
    DIR* directory = ::fdopendir(copy);
    if (directory == nullptr) {
        const int error = errno;
        ::close(copy);
        return error;
    }
    errno = 0;
    while (const dirent* entry = ::readdir(directory)) {
        if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
            see(entry->d_name, entry->d_type);
        errno = 0;
    }
    const int error = errno;
    ::closedir(directory);
    return error;
}
#endif

class Walker {
  public:
    Walker(int root, const std::string& path, const WalkOptions& options)
        : root_(root), path_(path), options_(options), patterns_(options.patterns) {}

    WalkResult run(unsigned threads) {
        pending_.push_back({"", nullptr, false});
        std::vector<WalkResult> parts(threads);
        for (WalkResult& part : parts) part.found.resize(patterns_.size());
        {
            std::vector<std::jthread> helpers;
            for (unsigned i = 1; i < threads; ++i) helpers.emplace_back([this, &part = parts[i]] { work(part); });
            work(parts[0]);
        }
        WalkResult all = std::move(parts[0]);
        for (unsigned i = 1; i < threads; ++i) {
            for (std::size_t number = 0; number < patterns_.size(); ++number) {
                std::vector<WalkedFile>& more = parts[i].found[number];
                std::move(more.begin(), more.end(), std::back_inserter(all.found[number]));
            }
            std::move(parts[i].directories.begin(), parts[i].directories.end(), std::back_inserter(all.directories));
            std::move(parts[i].errors.begin(), parts[i].errors.end(), std::back_inserter(all.errors));
        }
        return all;
    }

  private:
    // Reads directories until none is pending and no thread can add more.
    void work(WalkResult& result) {
        std::vector<char> buffer(std::size_t{1} << 16);
        std::vector<Pending> mine;
        std::vector<Pending> found;
        for (;;) {
            {
                std::unique_lock lock(mutex_);
                if (!mine.empty()) --busy_;
                mine.clear();
                std::move(found.begin(), found.end(), std::back_inserter(pending_));
                if (found.size() > kTake) changed_.notify_all();
                found.clear();
                if (pending_.empty() && busy_ == 0) changed_.notify_all();
                changed_.wait(lock, [this] { return !pending_.empty() || busy_ == 0; });
                if (pending_.empty()) return;
                const auto take = std::min(kTake, pending_.size());
                std::move(pending_.end() - static_cast<std::ptrdiff_t>(take), pending_.end(), std::back_inserter(mine));
                pending_.resize(pending_.size() - take);
                ++busy_;
            }
            for (Pending& directory : mine) read(directory, buffer, found, result);
        }
    }

    void read(Pending& directory, std::vector<char>& buffer, std::vector<Pending>& found, WalkResult& result) {
        const char* name = directory.path.empty() ? "." : directory.path.c_str();
        const Descriptor fd(::openat(root_, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (fd.get() < 0) {
            // A directory that was removed after its parent was read is not an error.
            if (errno != ENOENT || directory.path.empty()) result.errors.push_back({directory.path, reason_of(errno)});
            return;
        }
        std::shared_ptr<const Place> place;
        const std::string prefix = directory.path.empty() ? "" : directory.path + "/";
        const int error = each_entry(fd.get(), buffer, [&](const char* entry, unsigned char type) {
            // Most run directories contain only files and need no fstat.
            if (type != DT_REG && place == nullptr) place = place_of(fd.get(), directory.parent);
            see(fd.get(), prefix, entry, type, {"", place, directory.linked}, found, result);
        });
        if (error != 0) result.errors.push_back({directory.path, reason_of(error)});
        result.directories.push_back(std::move(directory.path));
    }

    // If fstat fails, device and inode are 0, which match no other directory.
    static std::shared_ptr<const Place> place_of(int fd, std::shared_ptr<const Place> parent) {
        struct stat status{};
        if (::fstat(fd, &status) != 0) status = {};
        return std::make_shared<const Place>(Place{std::move(parent), status.st_dev, status.st_ino});
    }

    void see(int fd, const std::string& prefix, const char* entry, unsigned char type, Pending below,
             std::vector<Pending>& found, WalkResult& result) {
        const bool link = type == DT_LNK || (type == DT_UNKNOWN && is_link(fd, entry));
        if (link && !follows(prefix + entry)) return;
        if (type == DT_DIR) {
            below.path = prefix + entry;
            if (!excluded(below.path)) found.push_back(std::move(below));
            return;
        }
        const int pattern = patterns_.first_match(prefix, entry);
        if (pattern < 0 && !link && type != DT_UNKNOWN) return;
        struct stat status{};
        if (::fstatat(fd, entry, &status, 0) != 0) {
            if (pattern >= 0) result.errors.push_back({prefix + entry, reason_of(errno), pattern});
            return;
        }
        if (S_ISDIR(status.st_mode)) {
            below.path = prefix + entry;
            below.linked = below.linked || link;
            enter_linked(std::move(below), status, found, result);
        } else if (pattern >= 0 && S_ISREG(status.st_mode)) {
            result.found[static_cast<std::size_t>(pattern)].push_back(
                {prefix + entry, version_of(status), static_cast<std::uint64_t>(status.st_size), mtime_ns_of(status)});
        }
    }

    void enter_linked(Pending below, const struct stat& status, std::vector<Pending>& found, WalkResult& result) {
        if (is_above(below.parent.get(), status.st_dev, status.st_ino) || excluded(below.path)) return;
        const std::size_t count = below.linked ? ++linked_ : 0;
        if (count == kMaxLinkedDirectories + 1) {
            result.errors.push_back({below.path, "too many directories behind links, the rest is left out"});
        }
        if (count > kMaxLinkedDirectories) return;
        found.push_back(std::move(below));
    }

    bool follows(const std::string& link) const {
        if (options_.links != Links::inside) return options_.links == Links::all;
        const std::unique_ptr<char, decltype(&std::free)> end(::realpath((path_ + "/" + link).c_str(), nullptr),
                                                              &std::free);
        return end != nullptr && std::any_of(options_.homes.begin(), options_.homes.end(),
                                             [&](const auto& home) { return is_below(home, end.get()); });
    }

    bool excluded(const std::string& path) const {
        return std::any_of(options_.exclude.begin(), options_.exclude.end(),
                           [&](const std::string& glob) { return ::fnmatch(glob.c_str(), path.c_str(), 0) == 0; });
    }

    const int root_;
    const std::string& path_;  // of the root
    const WalkOptions& options_;
    const PathPatterns patterns_;
    std::atomic<std::size_t> linked_ = 0;
    std::mutex mutex_;  // guards pending_ and busy_
    std::condition_variable changed_;
    std::vector<Pending> pending_;
    unsigned busy_ = 0;  // threads that hold directories taken from pending_
};

unsigned usual_threads() { return std::clamp(std::thread::hardware_concurrency(), 1U, 4U); }

}  // namespace

WalkResult walk(const std::string& root, const WalkOptions& options) {
    const Descriptor fd(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0)
        return {std::vector<std::vector<WalkedFile>>(options.patterns.size()), {}, {{"", reason_of(errno)}}};
    WalkResult result = Walker(fd.get(), root, options).run(options.threads != 0 ? options.threads : usual_threads());
    for (std::vector<WalkedFile>& files : result.found)
        std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    std::sort(result.directories.begin(), result.directories.end());
    std::sort(result.errors.begin(), result.errors.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return result;
}

}  // namespace lightboard
