#include "read/path_pattern.h"

#include <fnmatch.h>

namespace lightboard {

PathPattern::PathPattern(std::string_view pattern) {
    std::size_t end = pattern.size();
    const std::size_t slash = pattern.rfind('/');
    name_ = pattern.substr(slash == std::string_view::npos ? 0 : slash + 1);
    for (end = slash; end != std::string_view::npos && end > 0;) {
        const std::size_t before = pattern.rfind('/', end - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        above_.emplace_back(pattern.substr(begin, end - begin));
        end = before;
    }
    const bool open_front = name_.starts_with('*');
    const bool open_back = name_.size() > 1 && name_.ends_with('*');
    fixed_ = name_.substr(open_front, name_.size() - open_front - open_back);
    if (fixed_.find_first_of("*?[\\") != std::string::npos)
        shape_ = Shape::kOther;
    else if (open_front)
        shape_ = open_back ? Shape::kContains : Shape::kEnds;
    else
        shape_ = open_back ? Shape::kBegins : Shape::kExact;
}

bool PathPattern::matches_name(std::string_view name) const {
    switch (shape_) {
        case Shape::kExact:
            return name == fixed_;
        case Shape::kBegins:
            return name.starts_with(fixed_);
        case Shape::kEnds:
            return name.ends_with(fixed_);
        case Shape::kContains:
            return name.find(fixed_) != std::string_view::npos;
        case Shape::kOther:
            break;
    }
    return ::fnmatch(name_.c_str(), std::string(name).c_str(), 0) == 0;
}

bool PathPattern::matches_above(std::string_view directory) const {
    if (!directory.empty()) directory.remove_suffix(1);
    for (const std::string& pattern : above_) {
        if (directory.empty()) return false;
        const std::size_t slash = directory.rfind('/');
        const std::string part(directory.substr(slash == std::string_view::npos ? 0 : slash + 1));
        if (::fnmatch(pattern.c_str(), part.c_str(), 0) != 0) return false;
        directory = slash == std::string_view::npos ? std::string_view{} : directory.substr(0, slash);
    }
    return true;
}

int PathPattern::last_letter() const {
    if (name_.empty() || name_.find_first_of("[\\") != std::string::npos) return -1;
    const char last = name_.back();
    return last == '*' || last == '?' ? -1 : static_cast<unsigned char>(last);
}

PathPatterns::PathPatterns(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
        const auto number = static_cast<std::uint16_t>(patterns_.size());
        const int last = patterns_.emplace_back(pattern).last_letter();
        for (std::size_t letter = 0; letter < by_last_.size(); ++letter) {
            if (last < 0 || letter == static_cast<std::size_t>(last)) by_last_[letter].push_back(number);
        }
    }
}

}  // namespace lightboard
