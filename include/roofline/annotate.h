/* roofline/annotate.h - a copy of a model's own file with the numbers of a prediction in it.
 *
 * Units: names of entries have them: "roofline.ideal_us" in microseconds of a whole inference,
 *   "roofline.macs", "roofline.bytes". docs/formats/graph.md lists them.
 * Shapes: an ONNX file, whose nodes get entries of metadata_props (NodeProto, field 9); the sums are in those
 *   of the model. Programs that show the file, such as Netron, show them, and programs that run it pass them
 *   over. All else is carried through byte for byte: ir_version as well, for a newer one would be refused by
 *   programs that read the file today. Entries whose names begin with "roofline." are replaced. Weights
 *   are not read, but copied from file to file.
 * Ownership: everything is borrowed for the call.
 */
#ifndef ROOFLINE_ANNOTATE_H
#define ROOFLINE_ANNOTATE_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

typedef struct roof_annotated {
    uint32_t n_operators; /* that got entries */
    uint32_t n_nodes;     /* of the file's main graph */
    /* Some weights lie in other files, whose names are relative to the folder of the model: the copy has to
     * stand in the same one. */
    bool has_external_data;
} roof_annotated;

/* Writes a copy of the file that was predicted to path, whole or not at all.
 *
 * prediction: one that names_operators; its model.path is read.
 * Errors: E_USAGE (the file is no ONNX file, the prediction names no operators, path is the file itself),
 *   E_DATA (the file is damaged, or another one than was predicted; with the byte), E_LIMIT (the copy would
 *   be larger than the 2 GiB that readers take), E_NO_INPUT, E_IO, E_NO_MEMORY.
 * Source: the repository onnx/onnx, its document of the format and its schema.
 * Example: tests/unit/test_annotate.c.
 */
ROOF_API roof_status roof_annotate(const roof_prediction *prediction, const char *path, roof_annotated *out,
                                   roof_error *err);

/* Writes a copy of the graph's ONNX file without weights to path, whole or not at all: operators, names and
 * shapes, and of tensors those with at most 8 numbers, or 64 whole ones, of which shapes are reckoned. Texts
 * about the model are left out as well. The copy is predicted as the file is.
 *
 * graph: as it was read from its file, which is read once more.
 * Errors: E_USAGE (the file is no ONNX file, path is the file itself), E_DATA, E_LIMIT, E_NO_INPUT, E_IO,
 *   E_NO_MEMORY.
 */
ROOF_API roof_status roof_strip(const roof_graph *graph, const char *path, roof_error *err);

ROOF_END_C
#endif
