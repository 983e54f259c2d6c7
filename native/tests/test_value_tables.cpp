// Tables unpacked: old histograms and new ones, floats, what is no table.
#undef NDEBUG
#include "read/value_tables.h"

#include <cassert>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

using lightboard::Tables;

namespace {

std::string varint(std::uint64_t number) {
    std::string out;
    for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
    return out + static_cast<char>(number);
}
std::string bytes_field(unsigned field, const std::string& body) {
    return varint(field << 3 | 2) + varint(body.size()) + body;
}
std::string number_field(unsigned field, std::uint64_t number) { return varint(field << 3) + varint(number); }

template <class T>
std::string packed(std::initializer_list<T> numbers) {
    std::string out;
    for (const T number : numbers) out.append(reinterpret_cast<const char*>(&number), sizeof number);
    return out;
}

std::string tensor(unsigned dtype, std::initializer_list<std::uint64_t> shape, const std::string& content) {
    std::string dims;
    for (const std::uint64_t size : shape) dims += bytes_field(2, number_field(1, size));
    return bytes_field(1, "t") +
           bytes_field(8, number_field(1, dtype) + bytes_field(2, dims) + bytes_field(4, content));
}

std::string old_histogram() {
    std::string body = varint(1 << 3 | 1) + packed<double>({0.5}) + varint(2 << 3 | 1) + packed<double>({2.5});
    body += bytes_field(6, packed<double>({1, 2, 3})) + bytes_field(7, packed<double>({4, 0, 5}));
    return bytes_field(1, "t") + bytes_field(5, body);
}

}  // namespace

int main() {
    Tables out;
    const auto add = [&](const std::string& value) {
        lightboard::unpack_table({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()}, out);
    };
    add(tensor(2, {1, 3}, packed<double>({1, 2, 3})));
    add(old_histogram());
    add(tensor(1, {2, 1}, packed<float>({0.5f, 7})));
    add(tensor(2, {0, 3}, ""));
    add(tensor(2, {3}, packed<double>({1, 2, 3})));            // a row is no table
    add(tensor(9, {1, 1}, packed<std::int64_t>({1})));         // whole numbers are read one by one
    add(tensor(2, {1u << 30, 1u << 30}, packed<double>({})));  // a shape that lies
    add("\xff\xff\xff");
    add("");
    const std::vector<std::int64_t> shapes{1, 3, 3, 3, 2, 1, 0, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    assert(out.shapes == shapes);
    const std::vector<double> cells{1, 2, 3, 0.5, 1, 4, 1, 2, 0, 2, 2.5, 5, 0.5, 7};
    assert(out.cells == cells);
    std::puts("ok");
}
