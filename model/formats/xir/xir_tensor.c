/* Tensors: shape, bits, place in memory; every product is checked. */
#include "core/error.h"
#include "model/formats/xir/xir_reader.h"

#include <inttypes.h>

/* Strides are in elements of the innermost dimension; they differ from the shape's own where a tensor is a
 * slice of a wider one (the inputs of a concat) or a padded input. More of them than there may be dimensions
 * count as none. */
static roof_status read_tensor_attr(xir_reader *r, xir_attr *a, roof_xir_op *place, uint32_t *attr_bits,
                                    int64_t *strides, uint32_t *n_strides)
{
    int64_t v;
    roof_status status = ROOF_OK;
    if (xir_attr_is_int(a, "reg_id", &v, &status, r->err))
        place->reg_id = v >= 0 && v < 256 ? (int32_t)v : -1;
    else if (xir_attr_is_int(a, "ddr_addr", &v, &status, r->err))
        place->ddr_addr = v;
    else if (xir_attr_is_int(a, "location", &v, &status, r->err))
        place->in_ddr = v == 1;
    else if (xir_attr_is_int(a, "bit_width", &v, &status, r->err))
        *attr_bits = v > 0 && v <= 1024 ? (uint32_t)v : 0;
    else if (span_is(a->key, "stride"))
        status = xir_attr_ints(a, strides, ROOF_MAX_DIMS, n_strides, r->err);
    return status;
}

/* Elements, bytes and place of a tensor, with every product checked. */
static roof_status finish_tensor(xir_reader *r, roof_tensor *t, roof_xir_op *place, const int64_t *strides,
                                 uint32_t n_strides, uint64_t offset)
{
    uint64_t bits;
    t->elements = 1;
    for (uint32_t i = 0; i < t->n_dims; i++)
        if (__builtin_mul_overflow(t->elements, (uint64_t)t->dims[i], &t->elements))
            return error_at(r->err, ROOF_E_LIMIT, offset,
                            "the product of the tensor's dimensions overflows 64 bits");
    if (__builtin_mul_overflow(t->elements, (uint64_t)t->bit_width, &bits) || t->elements > UINT64_MAX / 4096)
        return error_at(r->err, ROOF_E_LIMIT, offset, "the tensor's size overflows 64 bits");
    t->bytes = bits / 8 + (bits % 8 != 0);
    place->span_bytes = t->bytes;
    if (n_strides != t->n_dims || !t->elements)
        return ROOF_OK;
    uint64_t span_elements = 1;
    for (uint32_t i = 0; i < n_strides; i++) {
        uint64_t reach;
        if (strides[i] < 0)
            return error_at(r->err, ROOF_E_DATA, offset, "a tensor's stride is %" PRId64 ", want at least 0",
                            strides[i]);
        if (__builtin_mul_overflow((uint64_t)strides[i], (uint64_t)(t->dims[i] - 1), &reach) ||
            __builtin_add_overflow(span_elements, reach, &span_elements) || span_elements > UINT64_MAX / 4096)
            return error_at(r->err, ROOF_E_LIMIT, offset, "the tensor's strides overflow 64 bits");
    }
    if (span_elements > t->elements) {
        place->in_place = true;
        place->span_bytes = (span_elements * t->bit_width + 7) / 8;
    }
    return ROOF_OK;
}

roof_status xir_read_tensor(xir_reader *r, const pb_cursor *outer, const pb_field *field, roof_tensor *t,
                            roof_xir_op *place)
{
    pb_field f;
    xir_attr a;
    roof_status status;
    uint32_t attr_bits = 0, n_strides = 0;
    int64_t strides[ROOF_MAX_DIMS];
    *t = (roof_tensor){.name = ""};
    TRY(pb_want(field, PB_BYTES, "output tensor", r->err));
    pb_cursor pb = pb_enter(outer, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == TENSOR_NAME) {
            TRY(xir_copy_text(r, &pb, &f, "tensor name", &t->name));
        } else if (f.number == TENSOR_DIM) {
            int64_t dims[ROOF_MAX_DIMS];
            uint32_t n = 0;
            TRY(pb_ints(&pb, &f, "tensor dimensions", dims, ROOF_MAX_DIMS, &n, r->err));
            for (uint32_t i = 0; i < n; i++) {
                if (t->n_dims == ROOF_MAX_DIMS)
                    return error_at(r->err, ROOF_E_LIMIT, f.offset, "tensor has more than %d dimensions",
                                    ROOF_MAX_DIMS);
                if ((uint64_t)dims[i] > UINT32_MAX)
                    return error_at(r->err, ROOF_E_LIMIT, f.offset,
                                    "tensor dimension %" PRIu64 " does not fit 32 bits", (uint64_t)dims[i]);
                t->dims[t->n_dims++] = (uint32_t)dims[i];
            }
        } else if (f.number == TENSOR_BIT_WIDTH) {
            TRY(pb_want(&f, PB_VARINT, "bit width", r->err));
            if (f.value > 1024)
                return error_at(r->err, ROOF_E_DATA, f.offset, "bit width %" PRIu64 ", want at most 1024",
                                f.value);
            t->bit_width = (uint32_t)f.value;
        } else if (f.number == TENSOR_ATTR) {
            TRY(xir_attr_read(&pb, &f, &a, r->err));
            TRY(read_tensor_attr(r, &a, place, &attr_bits, strides, &n_strides));
        }
    }
    TRY(status);
    if (!t->bit_width) /* compilers of 1.1 and 1.2 write it as an attribute only */
        t->bit_width = attr_bits ? attr_bits : 8;
    return finish_tensor(r, t, place, strides, n_strides, field->offset);
}
