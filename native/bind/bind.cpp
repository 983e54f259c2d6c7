// The Python module `lightboard._native`.
#include "bind/bind.h"

NB_MODULE(_native, m) {
    m.doc() = "The native core: event files to columns, heavy values on demand, numeric kernels.";
    lb::bind::bind_base(m);
    lb::bind::bind_read(m);
    lb::bind::bind_kernels(m);
    lb::bind::bind_bundle(m);
    lb::bind::bind_graph(m);
    lb::bind::bind_projector(m);
    lb::bind::bind_write(m);
}
