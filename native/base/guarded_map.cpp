#include "base/guarded_map.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <system_error>

namespace lightboard {
namespace {

// A board has a few segments. Mappings beyond this number work but are not guarded.
constexpr std::size_t kMost = 4096;

struct Guarded {
    std::atomic<std::uintptr_t> start{0};  // 0: entry is free; written last
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> cut{false};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// The existing mappings; global, because a signal handler gets no user data. Written while `changing` is locked, read
// by the handler without a lock.
std::array<Guarded, kMost> guarded;
std::mutex changing;
struct sigaction former;

Guarded* holder_of(std::uintptr_t address) {
    for (Guarded& each : guarded) {
        const std::uintptr_t start = each.start.load();
        if (start && start <= address && address < each.end.load()) return &each;
    }
    return nullptr;
}

// Runs in a signal handler: only atomics and system calls are allowed.
void on_bus_error(int signal, siginfo_t* info, void* context) {
    const int kept = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    Guarded* holder = info->si_code == BUS_ADRERR ? holder_of(address) : nullptr;
    if (holder) {
        const auto page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const std::uintptr_t page = address / page_bytes * page_bytes;
        void* zeros = ::mmap(reinterpret_cast<void*>(page), holder->end.load() - page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        holder->cut.store(true);
        if (zeros != MAP_FAILED) {
            errno = kept;
            return;
        }
    }
    if (former.sa_flags & SA_SIGINFO) return former.sa_sigaction(signal, info, context);
    if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN) return former.sa_handler(signal);
    ::sigaction(SIGBUS, &former, nullptr);  // the access is retried, and the previous action ends the process
}

void install() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action{};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        ::sigemptyset(&action.sa_mask);
        if (::sigaction(SIGBUS, &action, &former) != 0)
            throw std::system_error(errno, std::generic_category(), "guarding mappings");
    });
}

}  // namespace

std::span<const std::uint8_t> map_guarded(int fd, std::size_t size) {
    install();
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mapping a file");
    const auto start = reinterpret_cast<std::uintptr_t>(memory);
    const std::lock_guard held(changing);
    for (Guarded& each : guarded) {
        if (each.start.load()) continue;
        each.cut = false;
        each.end = start + size;
        each.start = start;
        break;
    }
    return {static_cast<const std::uint8_t*>(memory), size};
}

void unmap_guarded(std::span<const std::uint8_t> mapping) {
    const std::lock_guard held(changing);
    for (Guarded& each : guarded)
        if (each.start.load() == reinterpret_cast<std::uintptr_t>(mapping.data())) each.start = 0;
    ::munmap(const_cast<std::uint8_t*>(mapping.data()), mapping.size());
}

bool was_cut(const void* start) {
    const std::lock_guard held(changing);
    const Guarded* holder = holder_of(reinterpret_cast<std::uintptr_t>(start));
    return holder && holder->cut.load();
}

}  // namespace lightboard
