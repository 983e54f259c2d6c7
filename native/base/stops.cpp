#include "base/stops.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lightboard {

namespace {

sigset_t both_signals() {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    return both;
}

}  // namespace

struct Stops::State {
    mutable std::mutex lock;  // guards all members below; held while the process is ended
    int interrupted_code = 0;
    int terminated_code = 0;
    std::vector<std::string> paths;
    std::chrono::duration<double> patience{};
    int reading_end = -1;  // read end of the pipe; -1 before `hand_over`
    int writing_end = -1;
    int came = 0;  // the first signal after `hand_over`; 0: none
    std::condition_variable told;

    // The lock must be held.
    [[noreturn]] void end(int signal) const {
        for (const std::string& path : paths) {
            std::error_code failed;  // "not empty" if another thread writes to the directory meanwhile
            for (int tries = 0; tries < 20; ++tries)
                if (std::filesystem::remove_all(path, failed); !failed) break;
        }
        _exit(signal == SIGINT ? interrupted_code : terminated_code);
    }

    // Called by the first thread for each signal.
    void obey(int signal) {
        std::lock_guard<std::mutex> held(lock);
        if (reading_end < 0 || came) end(signal);
        came = signal;
        told.notify_one();
        while (write(writing_end, "!", 1) < 0 && errno == EINTR) {
        }
    }

    // Runs in the second thread, which `hand_over` starts.
    void end_in_time() {
        std::unique_lock<std::mutex> held(lock);
        told.wait(held, [this] { return came != 0; });
        held.unlock();
        std::this_thread::sleep_for(patience);
        held.lock();
        end(came);
    }
};

Stops::Stops(int interrupted_code, int terminated_code) : state_(std::make_shared<State>()) {
    state_->interrupted_code = interrupted_code;
    state_->terminated_code = terminated_code;
    const sigset_t both = both_signals();
    pthread_sigmask(SIG_BLOCK, &both, nullptr);
    // an ignored signal may be discarded instead of staying pending for sigwait
    for (int number : {SIGINT, SIGTERM}) ::signal(number, SIG_DFL);
    sigset_t pending;
    sigpending(&pending);
    for (int number : {SIGINT, SIGTERM})
        if (sigismember(&pending, number) == 1) state_->end(number);  // already pending: no thread needed
    std::thread([state = state_, both] {
        for (int number = 0;;)
            if (sigwait(&both, &number) == 0) state->obey(number);
    }).detach();
}

void Stops::remove_at_end(std::string path) {
    std::lock_guard<std::mutex> held(state_->lock);
    state_->paths.push_back(std::move(path));
}

int Stops::hand_over(std::chrono::duration<double> patience) {
    std::lock_guard<std::mutex> held(state_->lock);
    if (state_->reading_end >= 0) return state_->reading_end;
    state_->patience = patience;
    int ends[2];
    if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "no pipe for signals");
    for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    std::thread([state = state_] { state->end_in_time(); }).detach();
    state_->reading_end = ends[0];
    state_->writing_end = ends[1];
    return ends[0];
}

bool Stops::came() const {
    std::lock_guard<std::mutex> held(state_->lock);
    return state_->came != 0;
}

}  // namespace lightboard
