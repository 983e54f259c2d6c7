// Ends the process on SIGINT or SIGTERM, whatever Python is doing at that moment.
//
// A Python signal handler runs in the main thread, between two instructions. It cannot run while another thread holds
// the interpreter lock, and it is unsafe during an import, where an exception leaves a half-initialized module. Here a
// separate thread that never uses Python waits for the signals; they are blocked in every other thread.
//
//     constructor     from now on a signal ends the process at once
//     hand_over       from now on a signal makes a descriptor readable; the process has some time to end by itself,
//                     and is ended after that time or by a second signal
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace lightboard {

class Stops {
  public:
    // Starts the thread, or ends the process if a signal is pending. Blocks SIGINT and SIGTERM in the calling thread
    // and thereby in threads it starts later; existing threads must have blocked them already. One object per process.
    Stops(int interrupted_code, int terminated_code);

    // Adds a file or directory that is removed, with its content, when a signal ends the process.
    void remove_at_end(std::string path);
    // Returns the descriptor; the same one if called again.
    int hand_over(std::chrono::duration<double> patience);
    // Returns whether a signal arrived after `hand_over`.
    bool came() const;

  private:
    struct State;
    std::shared_ptr<State> state_;  // shared with the thread, which lives as long as the process
};

}  // namespace lightboard
