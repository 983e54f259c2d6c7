// Signals end a process with its exit code: immediately before `hand_over`; after it, when the time is over or with a
// second signal.
#include "base/stops.h"
#include "tests/check.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

using lightboard::Stops;

namespace {

// Runs `work`, which must not return, in a child process. Sends one signal each time the child has written a byte
// ("ready"), and returns the child's exit code.
int code_after(const std::function<void(int ready)>& work, const std::string& signals) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        work(ends[1]);
        _exit(99);
    }
    for (char letter : signals) {
        char byte = 0;
        CHECK(read(ends[0], &byte, 1) == 1);
        CHECK(kill(child, letter == 'i' ? SIGINT : SIGTERM) == 0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    close(ends[0]);
    close(ends[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void say(int ready) { CHECK(write(ready, "!", 1) == 1); }

void wait_for_ever() {
    for (;;) pause();
}

void test_a_signal_ends_the_process_at_once() {
    const auto work = [](int ready) {
        Stops stops(3, 4);
        say(ready);
        wait_for_ever();
    };
    CHECK(code_after(work, "i") == 3);
    CHECK(code_after(work, "t") == 4);
}

void test_a_signal_that_has_been_waiting_ends_the_process_before_anything_else() {
    const auto work = [](int) {
        sigset_t both;
        sigemptyset(&both);
        sigaddset(&both, SIGTERM);
        sigprocmask(SIG_BLOCK, &both, nullptr);
        raise(SIGTERM);
        Stops stops(3, 4);
        _exit(7);
    };
    CHECK(code_after(work, "") == 4);
}

void test_what_is_named_is_removed() {
    const std::string name = "lightboard_stops_" + std::to_string(getpid());
    const std::string path = (std::filesystem::temp_directory_path() / name).string();
    const auto work = [&](int ready) {
        Stops stops(3, 4);
        stops.remove_at_end(path);
        CHECK(open(path.c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
        say(ready);
        wait_for_ever();
    };
    CHECK(code_after(work, "t") == 4);
    CHECK(access(path.c_str(), F_OK) != 0);
}

void test_after_hand_over_the_process_ends_by_itself() {
    const auto work = [](int ready) {
        Stops stops(3, 4);
        const int told = stops.hand_over(std::chrono::hours(1));
        CHECK(!stops.came() && stops.hand_over(std::chrono::hours(1)) == told);
        say(ready);
        char byte = 0;
        CHECK(read(told, &byte, 1) == 1);
        _exit(stops.came() ? 5 : 6);
    };
    CHECK(code_after(work, "i") == 5);
}

void test_or_it_is_ended_in_time_or_by_a_second_signal() {
    const auto work = [](double patience_secs) {
        return [=](int ready) {
            Stops stops(3, 4);
            const int told = stops.hand_over(std::chrono::duration<double>(patience_secs));
            say(ready);
            char byte = 0;
            CHECK(read(told, &byte, 1) == 1);
            say(ready);
            wait_for_ever();
        };
    };
    CHECK(code_after(work(0.01), "i") == 3);
    CHECK(code_after(work(3600), "it") == 4);
}

}  // namespace

int main() {
    test_a_signal_ends_the_process_at_once();
    test_a_signal_that_has_been_waiting_ends_the_process_before_anything_else();
    test_what_is_named_is_removed();
    test_after_hand_over_the_process_ends_by_itself();
    test_or_it_is_ended_in_time_or_by_a_second_signal();
    std::puts("stops: ok");
    return 0;
}
