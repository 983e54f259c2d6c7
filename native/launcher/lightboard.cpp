// The command `lightboard`: runs the script `lightboard-python` in the same directory, with SIGINT and SIGTERM blocked.
//
// While Python starts, Ctrl-C prints a traceback, and our Python code runs too late to prevent it. A signal mask
// survives exec, so this program blocks the signals before it starts Python. They stay pending until `cli/stopping.py`
// handles them. pip writes the script, and with it the path of the right interpreter, for every kind of installation;
// both files are always in the same directory.
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace {

constexpr char kScript[] = "lightboard-python";

// Returns the path of this program, links resolved. False if the system does not provide it.
bool own_path(char (&path)[PATH_MAX]) {
#ifdef __APPLE__
    char named[PATH_MAX];
    uint32_t size = sizeof named;
    return _NSGetExecutablePath(named, &size) == 0 && realpath(named, path) != nullptr;
#else
    return realpath("/proc/self/exe", path) != nullptr;
#endif
}

}  // namespace

int main(int, char** argv) {
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigprocmask(SIG_BLOCK, &both, nullptr);

    char path[PATH_MAX + sizeof kScript];
    char (&own)[PATH_MAX] = reinterpret_cast<char (&)[PATH_MAX]>(path);
    if (own_path(own)) {
        strcpy(strrchr(path, '/') + 1, kScript);
        execv(path, argv);
    }
    execvp(kScript, argv);  // not beside its script, or no /proc: search PATH
    fprintf(stderr, "error: cannot start `%s`, which belongs beside this program: %s\n", kScript, strerror(errno));
    return 1;
}
