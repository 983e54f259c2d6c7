// Tests the walker on real directories: which files match, links, loops, excludes, errors, order, threads.
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "read/path_pattern.h"
#include "read/walk.h"
#include "tests/check.h"
#include "tests/temporary.h"

namespace fs = std::filesystem;

namespace {

class Logdir : public lightboard::tests::TemporaryDirectory {
  public:
    void file(const std::string& path, const std::string& content = "") const { write(path, content); }
    void link(const std::string& path, const std::string& target) const {
        fs::create_directories((*this / path).parent_path());
        fs::create_symlink(target, *this / path);
    }
    lightboard::WalkResult walk(lightboard::WalkOptions options = {}) const {
        if (options.patterns.empty()) options.patterns = {"*tfevents*"};
        return lightboard::walk(string(), options);
    }
};

using Names = std::vector<std::string>;

Names names(const lightboard::WalkResult& result, std::size_t pattern = 0) {
    Names found;
    for (const auto& file : result.found[pattern]) found.push_back(file.path);
    return found;
}

void finds_files_by_their_name_and_sorts_them() {
    const Logdir logdir;
    logdir.file("b/events.out.tfevents.2", "12345");
    logdir.file("b/events.out.tfevents.10");
    logdir.file("a/deep/er/my.tfevents");
    logdir.file("tfevents");
    logdir.file("a/notes.txt");
    fs::create_directories(logdir / "dir.tfevents.d/empty");
    const auto result = logdir.walk();
    CHECK((names(result) ==
           Names{"a/deep/er/my.tfevents", "b/events.out.tfevents.10", "b/events.out.tfevents.2", "tfevents"}));
    CHECK((result.directories == Names{"", "a", "a/deep", "a/deep/er", "b", "dir.tfevents.d", "dir.tfevents.d/empty"}));
    CHECK(result.found[0][2].size == 5 && result.found[0][2].version != 0 && result.found[0][2].mtime_ns > 0);
    CHECK(result.errors.empty());
}

void files_are_told_apart_by_the_first_pattern_that_matches() {
    const Logdir logdir;
    logdir.file("run/x.tfevents");
    logdir.file("run/config.txt", "123");
    logdir.file("alone/deep/config.txt");
    logdir.file("alone/config.txt.bak");
    logdir.file("old/config.txt");
    logdir.link("linked/config.txt", "../run/config.txt");
    logdir.link("broken/config.txt", "nowhere");
    fs::create_directories(logdir / "odd/config.txt");
    logdir.file("run/plugins/profile/1/host.pb");
    logdir.file("run/plugins/profile/host.pb");  // a directory level is missing
    logdir.file("plugins/profile/2/host.tfevents.pb");
    lightboard::WalkOptions options;
    options.exclude = {"old"};
    options.patterns = {"*tfevents*", "config.txt", "plugins/profile/*/*.pb"};
    const auto result = logdir.walk(options);
    CHECK((names(result) == Names{"plugins/profile/2/host.tfevents.pb", "run/x.tfevents"}));
    CHECK((names(result, 1) == Names{"alone/deep/config.txt", "linked/config.txt", "run/config.txt"}));
    CHECK((names(result, 2) == Names{"run/plugins/profile/1/host.pb"}));
    CHECK(result.found[1][1].size == 3 && result.found[1][1].version == result.found[1][2].version);
    CHECK(result.errors.size() == 1 && result.errors[0].path == "broken/config.txt" && result.errors[0].pattern == 1);
}

void a_pattern_speaks_of_the_last_parts_of_a_path() {
    const auto matches = [](const char* pattern, const char* directory, const char* name) {
        return lightboard::PathPattern(pattern).matches(directory, name);
    };
    CHECK(matches("x.txt", "", "x.txt") && matches("x.txt", "a/b/", "x.txt") && !matches("x.txt", "", "ax.txt"));
    CHECK(matches("*.gz", "", ".gz") && matches("*.gz", "a/", "b.gz") && !matches("*.gz", "", "b.gz.bak"));
    CHECK(matches("log.*", "", "log.") && !matches("log.*", "", "log") && matches("*", "", "anything"));
    CHECK(matches("*mid*", "", "amidst") && matches("*mid*", "", "mid") && !matches("*mid*", "", "md"));
    CHECK(matches("a-*-of-*.rec", "", "a-0-of-1.rec") && !matches("a-*-of-*.rec", "", "a-of-1.rec"));
    CHECK(matches("[ab]?", "", "a1") && !matches("[ab]?", "", "c1") && matches("\\*", "", "*"));
    CHECK(matches("p/q/*", "p/q/", "x") && matches("p/q/*", "o/p/q/", "x") && !matches("p/q/*", "q/", "x"));
    CHECK(!matches("p/*/x", "p/", "x") && matches("p/*/x", "p/any/", "x") && !matches("p/x", "op/", "x"));
    CHECK(matches("/x", "a/", "x") && !matches("", "", "x"));
}

void follows_links_and_cuts_loops() {
    const Logdir logdir;
    logdir.file("real/run/x.tfevents");
    logdir.link("real/run/up", "..");   // leads back to real
    logdir.link("real/run/self", ".");  // and to itself
    logdir.link("twice", "real");       // the same directory under a second name
    logdir.link("alone/y.tfevents", "../real/run/x.tfevents");
    logdir.link("alone/gone", "nowhere");
    const auto result = logdir.walk();
    CHECK((names(result) == Names{"alone/y.tfevents", "real/run/x.tfevents", "twice/run/x.tfevents"}));
    CHECK(result.found[0][0].version == result.found[0][1].version);
    CHECK(result.errors.empty());
    CHECK((names(logdir.walk(
               {.patterns = {}, .links = lightboard::Links::never, .threads = 0, .exclude = {}, .homes = {}})) ==
           Names{"real/run/x.tfevents"}));
}

void links_that_end_outside_are_not_followed_where_only_those_inside_are() {
    const Logdir logdir;
    logdir.file("logs/run/x.tfevents");
    logdir.file("logs_of_others/y.tfevents");
    logdir.file("second/z.tfevents");
    logdir.link("logs/near", "run");
    logdir.link("logs/away", "../logs_of_others");  // its name starts with that of the root
    logdir.link("logs/on", "near");                 // a link to a link
    logdir.link("logs/chain", "away");
    logdir.link("logs/other_root", "../second");
    logdir.link("logs/run/y.tfevents", "../../logs_of_others/y.tfevents");
    logdir.link("logs/run/w.tfevents", "x.tfevents");
    const std::string home = fs::canonical(logdir / "logs").string();
    const std::string second = fs::canonical(logdir / "second").string();
    const auto result = lightboard::walk(home, {.patterns = {"*tfevents*"},
                                                .links = lightboard::Links::inside,
                                                .threads = 0,
                                                .exclude = {},
                                                .homes = {home, second}});
    CHECK((names(result) == Names{"near/w.tfevents", "near/x.tfevents", "on/w.tfevents", "on/x.tfevents",
                                  "other_root/z.tfevents", "run/w.tfevents", "run/x.tfevents"}));
    CHECK(result.errors.empty());
}

void directories_that_link_to_each_other_end() {
    const Logdir logdir;
    logdir.file("x/x.tfevents");
    logdir.file("y/y.tfevents");
    logdir.link("x/other", "../y");
    logdir.link("y/other", "../x");
    CHECK((names(logdir.walk()) == Names{"x/other/y.tfevents", "x/x.tfevents", "y/other/x.tfevents", "y/y.tfevents"}));
}

void a_link_to_nowhere_named_like_an_event_file_is_an_error() {
    const Logdir logdir;
    logdir.link("run/a.tfevents", "nowhere");
    const auto result = logdir.walk();
    CHECK(result.found[0].empty());
    CHECK(result.errors.size() == 1 && result.errors[0].path == "run/a.tfevents" && !result.errors[0].reason.empty());
}

void a_missing_root_and_a_closed_directory_are_errors() {
    const Logdir logdir;
    const auto missing = lightboard::walk(logdir.string() + "/nothing", {});
    CHECK(missing.found.empty() && missing.errors.size() == 1 && missing.errors[0].path.empty());
    if (::geteuid() == 0) return;  // root may read everything
    logdir.file("open/a.tfevents");
    logdir.file("closed/b.tfevents");
    fs::permissions(logdir / "closed", fs::perms::none);
    const auto result = logdir.walk();
    fs::permissions(logdir / "closed", fs::perms::owner_all);
    CHECK((names(result) == Names{"open/a.tfevents"}));
    CHECK(result.errors.size() == 1 && result.errors[0].path == "closed");
}

void excluded_directories_are_not_entered() {
    const Logdir logdir;
    logdir.file("keep/a.tfevents");
    logdir.file("old/deep/b.tfevents");
    logdir.file("keep/checkpoints/c.tfevents");
    logdir.link("older", "keep");
    const auto result = logdir.walk({.patterns = {},
                                     .links = lightboard::Links::all,
                                     .threads = 0,
                                     .exclude = {"old*", "*/checkpoints"},
                                     .homes = {}});
    CHECK((names(result) == Names{"keep/a.tfevents"}));
    CHECK((result.directories == Names{"", "keep"}));
}

void any_number_of_threads_finds_the_same() {
    const Logdir logdir;
    for (int run = 0; run < 300; ++run) {
        logdir.file("group" + std::to_string(run % 7) + "/run" + std::to_string(run) + "/e.tfevents." +
                    std::to_string(run));
    }
    const auto expected =
        logdir.walk({.patterns = {}, .links = lightboard::Links::all, .threads = 1, .exclude = {}, .homes = {}});
    CHECK(expected.found[0].size() == 300 && expected.directories.size() == 308);
    for (unsigned threads : {2U, 3U, 8U}) {
        const auto result = logdir.walk(
            {.patterns = {}, .links = lightboard::Links::all, .threads = threads, .exclude = {}, .homes = {}});
        CHECK(names(result) == names(expected));
        CHECK(result.directories == expected.directories);
    }
}

}  // namespace

int main() {
    finds_files_by_their_name_and_sorts_them();
    files_are_told_apart_by_the_first_pattern_that_matches();
    a_pattern_speaks_of_the_last_parts_of_a_path();
    follows_links_and_cuts_loops();
    links_that_end_outside_are_not_followed_where_only_those_inside_are();
    directories_that_link_to_each_other_end();
    a_link_to_nowhere_named_like_an_event_file_is_an_error();
    a_missing_root_and_a_closed_directory_are_errors();
    excluded_directories_are_not_entered();
    any_number_of_threads_finds_the_same();
    std::puts("walk: ok");
}
