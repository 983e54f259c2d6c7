#include "bind/incoming.h"

#include <algorithm>
#include <cstring>

#include "read/socket.h"

namespace lightboard::bind {
namespace {

using Clock = std::chrono::steady_clock;

// Longer waits make no difference, and milliseconds must fit into an int.
constexpr double kMostSecs = 1e6;

std::chrono::milliseconds milliseconds(nb::handle secs) {
    return std::chrono::milliseconds(
        static_cast<std::int64_t>(1000 * std::clamp(nb::cast<double>(secs), 0.0, kMostSecs)));
}

// A thread that asks for the lock of an interpreter that ends would be ended itself, in the middle of a scan.
bool interpreter_ends() { return !Py_IsInitialized(); }

}  // namespace

std::size_t Incoming::read(std::span<std::uint8_t> into) {
    do {
        std::size_t got = 0;
        const auto most = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_)));
        if (first_at_ < first_.size()) {
            got = std::min(most.size(), first_.size() - first_at_);
            std::memcpy(most.data(), first_.data() + first_at_, got);
            first_at_ += got;
        } else if (left_) {
            got = fd_ >= 0 ? receive(most) : call(most);
        }
        left_ -= got;
        received_ += got;
        if (got) return got;
    } while (next());
    return 0;
}

std::size_t Incoming::receive(std::span<std::uint8_t> into) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) return 0;
    const int wait_ms = static_cast<int>(std::min<std::int64_t>(timeout_ms_, left));
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(lb::receive(fd_, into, wait_ms), 0));
}

std::size_t Incoming::call(std::span<std::uint8_t> into) {
    if (interpreter_ends()) return 0;
    const nb::gil_scoped_acquire locked;
    try {
        const nb::object view = nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(into.data()),
                                                                  static_cast<Py_ssize_t>(into.size()), PyBUF_WRITE));
        const auto got = nb::cast<std::size_t>(function_(view));
        view.attr("release")();  // whoever kept it cannot write into memory that is used for something else
        return std::min(got, into.size());
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("reading a stream");
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_TypeError, error.what());
        PyErr_WriteUnraisable(function_.ptr());
    }
    return 0;
}

// Asks for the next piece; returns false if there is none.
bool Incoming::next() {
    if (interpreter_ends()) return false;
    const nb::gil_scoped_acquire locked;
    try {
        function_.reset();
        const nb::object found = source_.attr("next")(received_);
        received_ = left_ = 0;
        if (found.is_none()) return false;
        const auto fields = nb::cast<nb::tuple>(found);
        if (fields.size() != 5)
            throw std::invalid_argument("a piece is (socket or function, first, length, timeout, deadline)");
        if (nb::isinstance<nb::int_>(fields[0])) {
            fd_ = nb::cast<int>(fields[0]);
        } else {
            fd_ = -1;
            function_ = nb::borrow(fields[0]);
        }
        const auto first = nb::cast<nb::bytes>(fields[1]);
        first_.assign(first.c_str(), first.size());
        first_at_ = 0;
        left_ = nb::cast<std::uint64_t>(fields[2]);
        timeout_ms_ = static_cast<int>(milliseconds(fields[3]).count());
        deadline_ = Clock::now() + milliseconds(fields[4]);
        if (first_.size() > left_) throw std::invalid_argument("more bytes than the piece has");
        return true;
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("the next piece of a stream");
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_TypeError, error.what());
        PyErr_WriteUnraisable(source_.ptr());
    }
    left_ = 0;
    return false;
}

void Incoming::end() {
    if (interpreter_ends()) return;
    const nb::gil_scoped_acquire locked;
    close();
}

void Incoming::close() {
    if (source_.is_none()) return;
    const nb::object source = std::exchange(source_, nb::none());
    function_.reset();
    try {
        source.attr("close")(received_);
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("closing a stream");
    }
}

}  // namespace lightboard::bind
