// Parses any bytes as an Event: no crash, no out-of-bounds read, and the fast path agrees with the general one.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "read/event.h"
#include "read/legacy.h"
#include "read/tensor.h"

using namespace lightboard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const wire::Bytes bytes(data, size);
    static Event event;
    const bool good = parse_event(bytes, event);
    PlainScalar plain;
    if (parse_plain_scalar(bytes, plain) && good) {
        // The fast path skips metadata, so the general one may still reject the record.
        if (event.values.size() != 1 || event.step != plain.step || event.values[0].tag != plain.tag) std::abort();
    }
    if (!good) return 0;
    for (const Value& value : event.values) {
        Metadata metadata;
        parse_metadata(value.metadata, metadata);
        const Kind kind = kind_of(value, metadata.plugin);
        TensorShape shape;
        if (value.form == Form::kTensor) {
            number_in(value.body);
            shape = shape_of(value.body).value_or(TensorShape{});
        }
        fits(kind, value, shape);
        count_of(kind, value, shape);
        if (shape.elements > 1 << 16) continue;  // large and valid: unpacking would only be slow
        try {
            Unpacked unpacked;
            unpack_value(value, unpacked);
        } catch (const std::invalid_argument&) {
        }
    }
    return 0;
}
