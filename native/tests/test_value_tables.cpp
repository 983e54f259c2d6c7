// Unpacks tables: old histograms and new ones, floats, and values that are not tables.
#undef NDEBUG
#include "read/value_tables.h"

#include <cassert>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/event_bytes.h"

using lightboard::Tables;
using namespace lightboard::tests;

namespace {

std::string number_field(unsigned number, std::uint64_t value) { return varint(number << 3) + varint(value); }

template <class T>
std::string packed(std::initializer_list<T> numbers) {
    std::string out;
    for (const T number : numbers) out.append(reinterpret_cast<const char*>(&number), sizeof number);
    return out;
}

std::string tensor(unsigned dtype, std::initializer_list<std::uint64_t> shape, const std::string& content) {
    std::string dims;
    for (const std::uint64_t size : shape) dims += field(2, number_field(1, size));
    return field(1, "t") + field(8, number_field(1, dtype) + field(2, dims) + field(4, content));
}

std::string old_histogram() {
    std::string body = varint(1 << 3 | 1) + packed<double>({0.5}) + varint(2 << 3 | 1) + packed<double>({2.5});
    body += field(6, packed<double>({1, 2, 3})) + field(7, packed<double>({4, 0, 5}));
    return field(1, "t") + field(5, body);
}

}  // namespace

int main() {
    Tables out;
    const auto add = [&](const std::string& value) { lightboard::unpack_table(view(value), out); };
    add(tensor(2, {1, 3}, packed<double>({1, 2, 3})));
    add(old_histogram());
    add(tensor(1, {2, 1}, packed<float>({0.5f, 7})));
    add(tensor(2, {0, 3}, ""));
    add(tensor(2, {3}, packed<double>({1, 2, 3})));            // a vector is not a table
    add(tensor(9, {1, 1}, packed<std::int64_t>({1})));         // integers are unpacked one by one
    add(tensor(2, {1u << 30, 1u << 30}, packed<double>({})));  // the shape is wrong
    add("\xff\xff\xff");
    add("");
    const std::vector<std::int64_t> shapes{1, 3, 3, 3, 2, 1, 0, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    assert(out.shapes == shapes);
    const std::vector<double> cells{1, 2, 3, 0.5, 1, 4, 1, 2, 0, 2, 2.5, 5, 0.5, 7};
    assert(out.cells == cells);
    std::puts("ok");
}
