/* Operands that contradict one another: each row a network that no runtime loads, the operator that is to
 * blame, and both numbers; and what is only unusual, or not known, and is no contradiction. */
#include "roofline/memory.h"
#include "tests/support/onnx_text_net.h"
#include "tests/support/tflite_writer.h"

#include <math.h>
#include <string.h>

/* The finding of a network, which has one; and that nothing is summed up then. NULL: it has none. */
static void check_misfit(const fx_net *net, const char *row, const char *want)
{
    static const char *const hardware[] = {"kv260", "npu2", "ethos-u55-128",
                                           "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"};
    for (size_t h = 0; h < COUNT(hardware); h++) {
        roof_prediction *p = fx_predict(net->graph, hardware[h], NULL);
        const uint32_t n = fx_count_findings(p, ROOF_FINDING_MISFIT);
        const char *got = n ? fx_finding(p, ROOF_FINDING_MISFIT) : "";
        if (n != (want != NULL) || strcmp(got, want ? want : "") != 0)
            fail_msg("%s: %u findings, '%s', want '%s'", row, n, got, want ? want : "");
        for (uint32_t i = 0; want && i < p->n_findings; i++) {
            const roof_finding *f = &p->findings[i];
            if (f->kind == ROOF_FINDING_MISFIT && (strncmp(want + 1, f->place, strlen(f->place)) != 0 ||
                                                   roof_finding_severity(f->kind) != ROOF_SEVERITY_WRONG))
                fail_msg("%s: the finding is of '%s'", row, f->place);
            for (uint32_t l = 0; f->kind == ROOF_FINDING_MISFIT && l < p->n_layers; l++)
                if (strcmp(p->layers[l].name, f->place) == 0 &&
                    (p->layers[l].macs != ROOF_UNKNOWN || p->layers[l].ops_count != ROOF_UNKNOWN ||
                     p->layers[l].deployed.ideal_cycles != ROOF_UNKNOWN ||
                     roof_traffic_total(&p->layers[l].deployed.traffic) != ROOF_UNKNOWN))
                    fail_msg("%s: '%s' has figures", row, f->place);
        }
        if (want && (p->total.macs != ROOF_UNKNOWN || p->total.ops_count != ROOF_UNKNOWN ||
                     roof_traffic_total(&p->total.deployed.traffic) != ROOF_UNKNOWN ||
                     !isnan(p->total.deployed.ideal_s) || !isnan(p->total.floor_s) ||
                     !isnan(p->total.predicted_s) || !isnan(p->total.inferences_per_s)))
            fail_msg("%s on %s: a sum over what cannot run", row, hardware[h]);
        bool is_any_counted = false;
        for (uint32_t l = 0; l < p->n_layers; l++)
            is_any_counted = is_any_counted || p->layers[l].macs != ROOF_UNKNOWN;
        if (!want && is_any_counted && p->total.macs == ROOF_UNKNOWN)
            fail_msg("%s on %s: no sum", row, hardware[h]);
        roof_prediction_free(p);
    }
}

typedef struct onnx_row {
    const char *text, *want; /* the finding; NULL: there is none */
} onnx_row;

static void check_onnx(const onnx_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fx_net net = onnx_text_net(rows[i].text);
        check_misfit(&net, rows[i].text, rows[i].want);
        fx_close(&net);
    }
}

#define X   "input x float 1,8,16,16;"
#define W33 "weights w float 8,8,3,3;"

static void windows_slide_over_what_is_there(void **state)
{
    static const onnx_row rows[] = {
        {X W33 "Conv x,w -> y name=c strides=[0,1]",
         "'c' cannot run: 'strides' has 0 at axis 2, and at least 1 is wanted"},
        {X W33 "Conv x,w -> y name=c dilations=[1,-1]",
         "'c' cannot run: 'dilations' has -1 at axis 3, and at least 1 is wanted"},
        {X W33 "Conv x,w -> y name=c strides=[1]",
         "'c' cannot run: 'strides' has 1 values, and 'Conv' wants 2"},
        {X W33 "Conv x,w -> y name=c pads=[1,1]", "'c' cannot run: 'pads' has 2 values, and 'Conv' wants 4"},
        {X W33 "Conv x,w -> y name=c group=0",
         "'c' cannot run: 'group' has 0 groups, and at least 1 is wanted"},
        {X "weights w float 8,2,3,3;Conv x,w -> y name=c group=-4",
         "'c' cannot run: 'group' has -4 groups, and at least 1 is wanted"},
        {X W33 "Conv x,w -> y name=c group=3",
         "'c' cannot run: 'x' has 8 channels, and 'group' wants a multiple of 3"},
        {X "weights w float 6,2,3,3;Conv x,w -> y name=c group=4",
         "'c' cannot run: 'w' has 6 kernels, and 'group' wants a multiple of 4"},
        {X W33 "Conv x,w -> y name=c kernel_shape=[7,7]",
         "'c' cannot run: 'kernel_shape' has 7 at axis 2, and 'w' wants 3"},
        {X "weights w float 8,64,3,3;Conv x,w -> y name=c",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 64"},
        {X "weights w float 8,8,3,3;Conv x,w -> y name=c group=2",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 16"},
        {X W33 "weights b float 7;Conv x,w,b -> y name=c",
         "'c' cannot run: 'w' has 8 output channels, and 'b' wants 7"},
        {X "weights w float 8,8,3;Conv x,w -> y name=c",
         "'c' cannot run: 'w' has 3 dimensions, and 'x' wants 4"},
        {X "weights w float 8,8,21,3;Conv x,w -> y name=c pads=[2,0,2,0]",
         "'c' cannot run: 'x' has 20 at axis 2 with its pads, and 'w' reaches over 21"},
        {X W33 "Conv x,w -> y name=c dilations=[1,8]",
         "'c' cannot run: 'x' has 16 at axis 3 with its pads, and 'w' reaches over 17"},
        {"input x float 1,8,16;weights w float 8,8,17;Conv x,w -> y name=c",
         "'c' cannot run: 'x' has 16 at axis 2 with its pads, and 'w' reaches over 17"},
        {"input x float 1,2,4,16,16;weights w float 2,2,5,3,3;Conv x,w -> y name=c",
         "'c' cannot run: 'x' has 4 at axis 2 with its pads, and 'w' reaches over 5"},
        {"input x float 0,8,16,16;" W33 "Conv x,w -> y name=c",
         "'c' cannot run: 'x' has 0 at axis 0, and at least 1 is wanted"},
        {X "weights w float 4,8,2,2;ConvTranspose x,w -> y name=c",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 4"},
        {X "weights w float 8,4,2,2;weights b float 3;ConvTranspose x,w,b -> y name=c",
         "'c' cannot run: 'w' has 4 output channels, and 'b' wants 3"},
        {X "weights w float 8,4,2,2;ConvTranspose x,w -> y name=c pads=[9,0,9,0]",
         "'c' cannot run: 'x' has 16 to cut at axis 2, and 'pads' wants 18"},
        {X "weights w float 8,4,3,3;ConvTranspose x,w -> y name=c strides=[2,2] output_padding=[1,3]",
         "'c' cannot run: 'strides' has 2 at axis 3, and 'output_padding' wants 4"},
        {X "MaxPool x -> y name=p kernel_shape=[2,2] pads=[1,0,2,0]",
         "'p' cannot run: 'kernel_shape' has 2 at axis 2, and 'pads' wants 3"},
        {X "MaxPool x -> y name=p kernel_shape=[0,2]",
         "'p' cannot run: 'kernel_shape' has 0 at axis 2, and at least 1 is wanted"},
        {"input x float 1,8,H,W;MaxPool x -> y name=p kernel_shape=[2,2] strides=[2,0]",
         "'p' cannot run: 'strides' has 0 at axis 3, and at least 1 is wanted"},
        {"input x float 1,8,H,W;weights w float 9,3,3,3;Conv x,w -> y name=p group=2",
         "'p' cannot run: 'w' has 9 kernels, and 'group' wants a multiple of 2"},
        {X "MaxPool x -> y name=p kernel_shape=[2]",
         "'p' cannot run: 'kernel_shape' has 1 values, and 'MaxPool' wants 2"},
        {X "AveragePool x -> y name=p kernel_shape=[17,1]",
         "'p' cannot run: 'x' has 16 at axis 2 with its pads, and 'kernel_shape' reaches over 17"},
        {"input x uint8 1,8,16,16;values s float - = 0.1;values z uint8 - = 3;weights w int8 8,9,3,3;"
         "QLinearConv x,s,z,w,s,z,s,z -> y name=c",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 9"},
        {"input x uint8 1,8,16,16;weights w uint8 8,9,3,3;ConvInteger x,w -> y name=c",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 9"},
        /* quantised by conversions around an operator */
        {X "values s float - = 0.1;values z int8 - = 0;QuantizeLinear x,s,z -> q;DequantizeLinear q,s,z -> d;"
           "weights w int8 8,9,3,3;DequantizeLinear w,s,z -> e;Conv d,e -> y name=c",
         "'c' cannot run: 'd' has 8 channels, and 'e' wants 9"},
        {X "weights w int8 8,8,3,3;weights s float 7;weights z int8 7;DequantizeLinear w,s,z -> e name=q "
           "axis=0;"
           "Conv x,e -> y",
         "'q' cannot run: 'w' has 8 at axis 0, and 's' wants 7"},
        /* controls */
        {X W33 "Conv x,w -> y pads=[-1,0,0,1]", NULL},
        {X "weights w float 8,8,30,3;Conv x,w -> y auto_pad=\"SAME_UPPER\"", NULL},
        {X "weights w float 16,1,3,3;weights b float 16;Conv x,w,b -> y group=8", NULL},
        {X "weights w float 8,4,2,2;ConvTranspose x,w -> y group=4 output_shape=[30,30] strides=[2,2]", NULL},
        {X "weights w float 8,4,2,2;ConvTranspose x,w -> y output_padding=[1,1] strides=[2,2]", NULL},
        {X "weights w float 8,4,2,2;ConvTranspose x,w -> y output_padding=[1,1] dilations=[2,2]", NULL},
        {X "MaxPool x -> y kernel_shape=[2,2] pads=[1,1,1,1]", NULL},
        {"input x float 1,8,2,2;MaxPool x -> y kernel_shape=[3,3] strides=[2,2] ceil_mode=1", NULL},
        {"input x float 1,8,9;weights w float 4,8,3;Conv x,w -> y", NULL},
        {"input x float 1,2,5,6,7;weights w float 4,2,3,3,3;Conv x,w -> y", NULL},
        {X W33 "values s float 8 = 1,1,1,1,1,1,1,1;values z int8 8 = 0,0,0,0,0,0,0,0;"
               "DequantizeLinear w,s,z -> e axis=0;Conv x,e -> y",
         NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

static void factors_have_a_length_in_common(void **state)
{
    static const onnx_row rows[] = {
        {"input x float 4,8;weights w float 9,16;MatMul x,w -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {"input x float 8;weights w float 9,16;MatMul x,w -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {"input x float 4,8;input z float 9;MatMul x,z -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'z' wants 9"},
        {"input x float 3,4,8;input z float 2,8,5;MatMul x,z -> y name=m",
         "'m' cannot run: 'x' has 3 at axis 0, and 'z' wants 2"},
        {"input x float 0,8;weights w float 8,16;MatMul x,w -> y name=m",
         "'m' cannot run: 'x' has 0 at axis 0, and at least 1 is wanted"},
        {"input x uint8 4,8;weights w uint8 9,16;MatMulInteger x,w -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {"input x uint8 4,8;values s float - = 0.1;values z uint8 - = 3;weights w uint8 9,16;"
         "QLinearMatMul x,s,z,w,s,z,s,z -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {"input x float 4,8;weights w float 9,16;Gemm x,w -> y name=m",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {"input x float 4,8;weights w float 9,16;Gemm x,w -> y name=m transB=1",
         "'m' cannot run: 'x' has 8 columns, and 'w' wants 16"},
        {"input x float 4,8;weights w float 8,16;Gemm x,w -> y name=m transA=1",
         "'m' cannot run: 'x' has 4 columns, and 'w' wants 8"},
        {"input x float 1,4,8;weights w float 8,16;Gemm x,w -> y name=m",
         "'m' cannot run: 'x' has 3 dimensions, and 'Gemm' wants 2"},
        {"input x float 4,8;weights w float 8,16;weights b float 15;Gemm x,w,b -> y name=m",
         "'m' cannot run: 'Gemm' has 16 at axis 1, and 'b' wants 15"},
        {"input x float 5,2,6;weights w float 1,12,7;weights r float 1,12,3;LSTM x,w,r -> y name=m "
         "hidden_size=3",
         "'m' cannot run: 'x' has 6 features, and 'w' wants 7"},
        {"input x float 5,2,6;weights w float 1,12,6;weights r float 1,12,4;LSTM x,w,r -> y name=m "
         "hidden_size=4",
         "'m' cannot run: 'w' has 3 hidden cells, and 'r' wants 4"},
        {"input x float 5,2,6;weights w float 1,9,6;weights r float 1,9,3;weights b float 1,17;"
         "GRU x,w,r,b -> y name=m hidden_size=3",
         "'m' cannot run: 'b' has 17 at axis 1, and 'GRU' wants a multiple of 6"},
        /* controls */
        {"input x float 5,2,6;weights w float 2,12,6;weights r float 2,12,3;weights b float 2,24;"
         "LSTM x,w,r,b -> y hidden_size=3 direction=\"bidirectional\"",
         NULL},
        {"input x float 3,1,2,5;input z float 4,5,7;MatMul x,z -> y", NULL},
        {"input x float 5;input z float 5;MatMul x,z -> y", NULL},
        {"input x float 5,2;weights w float 7,5;weights b float 7;Gemm x,w,b -> y transA=1 transB=1", NULL},
        {"input x float 4,8;weights w float 8,16;weights b float 4,1;Gemm x,w,b -> y", NULL},
        {"input x float 4,8;weights w float 8,16;values b float - = 1;Gemm x,w,b -> y", NULL},
        {"input x float 2,0,8;input z float 2,8,0;MatMul x,z -> y", NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

static void operands_spread_over_one_another(void **state)
{
    static const onnx_row rows[] = {
        {"input x float 4,2;input z float 3;Add x,z -> y name=a",
         "'a' cannot run: 'x' has 2 at axis 1, and 'z' wants 3"},
        {"input x float 4,1,5;input z float 3,1;input u float 2,5;Sum x,z,u -> y name=a",
         "'a' cannot run: 'z' has 3 at axis 0, and 'u' wants 2"},
        {"input c bool 4;input x float 3;input z float 1;Where c,x,z -> y name=a",
         "'a' cannot run: 'c' has 4 at axis 0, and 'x' wants 3"},
        {X "weights s float 7,1,1;PRelu x,s -> y name=a",
         "'a' cannot run: 'x' has 8 at axis 1, and 's' wants 7"},
        {X "weights s float 7;weights b float 8;weights m float 8;weights v float 8;"
           "BatchNormalization x,s,b,m,v -> y name=a",
         "'a' cannot run: 'x' has 8 channels, and 's' wants 7"},
        {X "weights s float 8;weights b float 8;weights m float 8;weights v float 9;"
           "BatchNormalization x,s,b,m,v -> y name=a",
         "'a' cannot run: 'x' has 8 channels, and 'v' wants 9"},
        {X "weights s float 4;weights b float 4;InstanceNormalization x,s,b -> y name=a",
         "'a' cannot run: 'x' has 8 channels, and 's' wants 4"},
        {X "weights s float 3;weights b float 3;GroupNormalization x,s,b -> y name=a num_groups=3",
         "'a' cannot run: 'x' has 8 channels, and 'num_groups' wants a multiple of 3"},
        {"input x float 2,5,64;weights s float 32;LayerNormalization x,s -> y name=a",
         "'a' cannot run: 'x' has 64 at axis 2, and 's' wants 32"},
        {"input x float 2,5;values s int64 3 = 2,3,5;Expand x,s -> y name=a",
         "'a' cannot run: 'x' has 2 at axis 0, and 's' wants 3"},
        /* controls */
        {"input x float 4,1,5;input z float 3,1;Add x,z -> y", NULL},
        {"input x float 0,5;input z float 1,5;Add x,z -> y", NULL},
        {"opset 6;input x float 1,8,4,4;input z float 8;Add x,z -> y broadcast=1 axis=1", NULL},
        {X "weights s float 8;PRelu x,s -> y", NULL},
        {X "weights s float 2;weights b float 2;GroupNormalization x,s,b -> y num_groups=2", NULL},
        {X "opset 21;weights s float 8;weights b float 8;GroupNormalization x,s,b -> y num_groups=2", NULL},
        {"input x float 2,5;values s int64 3 = 3,1,5;Expand x,s -> y", NULL},
        {"opset 7;" X "weights s float 8,16,16;BatchNormalization x,s,s,s,s -> y spatial=0", NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

static void shapes_have_as_many_elements_as_before(void **state)
{
    static const onnx_row rows[] = {
        {"input x float 2,3,4;values s int64 2 = 5,5;Reshape x,s -> y name=r",
         "'r' cannot run: 'x' has 24 elements, and 's' wants 25"},
        {"input x float 2,3,4;values s int64 2 = 5,-1;Reshape x,s -> y name=r",
         "'r' cannot run: 'x' has 24 elements, and 's' wants a multiple of 5"},
        {"input x float 2,3,4;values s int64 2 = -1,-1;Reshape x,s -> y name=r",
         "'r' cannot run: 's' has 2 times -1, and 'Reshape' wants 1"},
        {"input x float 2,12;values s int64 3 = 2,12,0;Reshape x,s -> y name=r",
         "'r' cannot run: 'x' has 2 dimensions, and 's' wants 3"},
        {"input x float 2,12;values s int64 2 = -2,12;Reshape x,s -> y name=r",
         "'r' cannot run: 's' has -2 at place 0, and at least -1 is wanted"},
        {"opset 11;input x float 1,3,4;Squeeze x -> y name=r axes=[1]",
         "'r' cannot run: 'x' has 3 at axis 1, and 'axes' wants 1"},
        {"input x float 1,3;values a int64 1 = 2;Squeeze x,a -> y name=r",
         "'r' cannot run: 'x' has 2 dimensions, and 'a' wants 3"},
        {"opset 11;input x float 3,4;Unsqueeze x -> y name=r axes=[1,1]",
         "'r' cannot run: 'axes' has 2 times axis 1, and 'Unsqueeze' wants 1"},
        {"input x float 2,3,4;Transpose x -> y name=r perm=[0,1,1]",
         "'r' cannot run: 'perm' has 2 times axis 1, and 'x' wants 1"},
        {"input x float 2,3,4;Transpose x -> y name=r perm=[0,1]",
         "'r' cannot run: 'x' has 3 dimensions, and 'perm' wants 2"},
        {"input x float 2,3,4;Transpose x -> y name=r perm=[0,1,3]",
         "'r' cannot run: 'x' has 3 dimensions, and 'perm' wants 4"},
        {"input x float 2,3,4;Flatten x -> y name=r axis=4",
         "'r' cannot run: 'x' has 3 dimensions, and 'axis' wants 5"},
        {"input x float 1,6,4,4;DepthToSpace x -> y name=r blocksize=2",
         "'r' cannot run: 'x' has 6 at axis 1, and 'blocksize' wants a multiple of 4"},
        {"input x float 1,6,4,5;SpaceToDepth x -> y name=r blocksize=2",
         "'r' cannot run: 'x' has 5 at axis 3, and 'blocksize' wants a multiple of 2"},
        /* controls */
        {"input x float 2,3,4;values s int64 2 = 0,-1;Reshape x,s -> y", NULL},
        {"input x float 0,3,4;values s int64 3 = 3,4,0;Reshape x,s -> y allowzero=1", NULL},
        {"input x float 0,3;values s int64 2 = 0,-1;Reshape x,s -> y", NULL},
        {"input x float 2,3,4;input s int64 2;Reshape x,s -> y", NULL},
        {"input x float 1,3,1,4;values a int64 1 = -2;Squeeze x,a -> y", NULL},
        {"input x float 2,3,4;Flatten x -> y axis=3", NULL},
        {"input x float -;Squeeze x -> y", NULL},
        {"input x float 2,3,4;Transpose x -> y perm=[-1,0,1]", NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

static void parts_are_parts_of_a_whole(void **state)
{
    static const onnx_row rows[] = {
        {"input x float 2,3;input z float 4,5;Concat x,z -> y name=c axis=1",
         "'c' cannot run: 'x' has 2 at axis 0, and 'z' wants 4"},
        {"input x float 2,3;input z float 2,3,1;Concat x,z -> y name=c axis=1",
         "'c' cannot run: 'x' has 2 dimensions, and 'z' wants 3"},
        {"input x float 2,3;input z float 2,3;Concat x,z -> y name=c axis=2",
         "'c' cannot run: 'x' has 2 dimensions, and 'axis' wants 3"},
        {"input x float 2,9;Split x -> y,z name=c axis=1 split=[2,5]",
         "'c' cannot run: 'x' has 9 at axis 1, and 'split' wants 7"},
        {"input x float 2,9;values s int64 3 = 2,3,4;Split x,s -> y,z name=c axis=1",
         "'c' cannot run: 's' has 3 values, and 'Split' wants 2"},
        {"input x float 2,9;Split x -> y,z name=c axis=1",
         "'c' cannot run: 'x' has 9 at axis 1, and 'Split' wants a multiple of 2"},
        {"input x float 6,9;values s int64 1 = 1;values e int64 1 = 3;values a int64 1 = 2;Slice x,s,e,a -> "
         "y name=c",
         "'c' cannot run: 'x' has 2 dimensions, and 'a' wants 3"},
        {"input x float 6,9;values s int64 1 = 1;values e int64 2 = 3,3;Slice x,s,e -> y name=c",
         "'c' cannot run: 's' has 1 values, and 'e' wants 2"},
        {"input x float 6,9;values s int64 1 = 1;values e int64 1 = 3;values a int64 1 = 1;values t int64 1 "
         "= 0;"
         "Slice x,s,e,a,t -> y name=c",
         "'c' cannot run: 't' has 0 at place 0, and at least 1 is wanted"},
        {"input x float 6,9;values i int64 2 = 1,9;Gather x,i -> y name=c axis=1",
         "'c' cannot run: 'x' has 9 at axis 1, and 'i' wants 10"},
        {"input x float 6,9;values i int64 1 = -7;Gather x,i -> y name=c",
         "'c' cannot run: 'x' has 6 at axis 0, and 'i' wants 7"},
        {"input x float 6,9;values i int64 1 = 1;Gather x,i -> y name=c axis=2",
         "'c' cannot run: 'x' has 2 dimensions, and 'axis' wants 3"},
        {"input x float 6,9;input i int64 2,3,1;GatherElements x,i -> y name=c axis=1",
         "'c' cannot run: 'i' has 3 dimensions, and 'x' wants 2"},
        {"input x float 6,9;input i int64 4,3;GatherND x,i -> y name=c",
         "'c' cannot run: 'x' has 2 dimensions, and 'i' wants 3"},
        {"input x float 6,9;input i int64 4,1;input u float 4,8;ScatterND x,i,u -> y name=c",
         "'c' cannot run: 'u' has 8 at axis 1, and 'x' wants 9"},
        {"input x float 2,3;values p int64 3 = 1,0,0;Pad x,p -> y name=c",
         "'c' cannot run: 'p' has 3 values, and 'x' wants 4"},
        {"input x float 2,3;values p int64 4 = -2,0,-1,0;Pad x,p -> y name=c",
         "'c' cannot run: 'x' has 2 to cut at axis 0, and 'p' wants 3"},
        {"input x float 2,3;values r int64 3 = 1,2,2;Tile x,r -> y name=c",
         "'c' cannot run: 'x' has 2 dimensions, and 'r' wants 3"},
        {X "values z int64 3 = 8,7,5;Resize x,,,z -> y name=c",
         "'c' cannot run: 'x' has 4 dimensions, and 'z' wants 3"},
        {X "values z int64 4 = 1,8,0,5;Resize x,,,z -> y name=c",
         "'c' cannot run: 'z' has 0 at place 2, and at least 1 is wanted"},
        {X "values s float 4 = 1,1,-2,2;Resize x,,s -> y name=c",
         "'c' cannot run: 's' has -2 at place 2, and at least 0 is wanted"},
        {"opset 11;input x float 2,3,4;ReduceMean x -> y name=c axes=[3]",
         "'c' cannot run: 'x' has 3 dimensions, and 'axes' wants 4"},
        {"input x float 2,3;ArgMax x -> y name=c axis=-3",
         "'c' cannot run: 'x' has 2 dimensions, and 'axis' wants 3"},
        {"input x float 2,3;Softmax x -> y name=c axis=2",
         "'c' cannot run: 'x' has 2 dimensions, and 'axis' wants 3"},
        {"input x float 2,30;values k int64 1 = 31;TopK x,k -> y,z name=c",
         "'c' cannot run: 'x' has 30 at axis 1, and 'k' wants 31"},
        {"input x float 1,4,9,9;input r float 7,5;input b int64 7;RoiAlign x,r,b -> y name=c",
         "'c' cannot run: 'r' has 5 at axis 1, and 'RoiAlign' wants 4"},
        /* controls */
        {"input x float 2,3;input z float 2,5;Concat x,z -> y axis=-1", NULL},
        {"input x float 2,3;input z float 0;Concat x,z -> y axis=1", NULL},
        {"opset 18;input x float 2,9;Split x -> y,z axis=1 num_outputs=2", NULL},
        {"input x float 0,4;Split x -> y,z,u axis=0 split=[0,0,0]", NULL},
        {"input x float 6,9;values s int64 1 = 5;values e int64 1 = 2;Slice x,s,e -> y", NULL},
        {"input x float 6,9;values i int64 2 = -6,5;Gather x,i -> y", NULL},
        {X "values r float 0;values s float 4 = 1,1,2,2;Resize x,r,s -> y", NULL},
        {"input x float 2,3;values a int64 2 = 0,-1;ReduceSum x,a -> y", NULL},
        {"input x float 2,3;values a int64 0;ReduceSum x,a -> y", NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

static void files_declare_what_operators_make(void **state)
{
    static const onnx_row rows[] = {
        {X W33 "Conv x,w -> y name=c pads=[1,1,1,1];output y float 1,8,160,16",
         "'c' makes 16 at axis 2, and the file declares 160"},
        {X "Relu x -> a name=r;declare a float 1,9,16,16;Relu a -> y",
         "'r' makes 8 at axis 1, and the file declares 9"},
        {X "Relu x -> y name=r;output y float 1,8,16", "'r' makes 4 dimensions, and the file declares 3"},
        {"input x float 2,9;Split x -> y,z name=s axis=1 split=[2,7];output z float 2,6",
         "'s' makes 7 at axis 1, and the file declares 6"},
        {"input x float N,8;Relu x -> y name=r;output y float N,9",
         "'r' makes 8 at axis 1, and the file declares 9"},
        /* who declared another size everywhere is told once */
        {X "Relu x -> a name=r;declare a float 1,8,32,32;Relu a -> b;declare b float 1,8,32,32;Relu b -> y;"
           "output y float 1,8,32,32",
         "'r' makes 16 at axis 3, and the file declares 32"},
        /* controls */
        {X "Relu x -> y;output y float 1,C,H,16", NULL},
        {X "ReduceSum x -> y keepdims=0;output y float 1", NULL},
        {"input x float 1,1,3,3;values s float 4 = 1,1,1.6666666,1.6666666;Resize x,,s -> y;output y float "
         "1,1,5,5",
         NULL},
        {X "Relu x -> y;output y float", NULL},
        {X "Relu x -> y;output y float -", NULL},
        {X "Relu x -> y;output y float 0,8,16,16", NULL},
        {"input x float N,8;Relu x -> y;output y float 4,8", NULL},
        {"opset d 1;" X
         "d:F x -> y;declare a float 1,9,16,16;function d:F x -> y;Relu x -> a;Relu a -> y;end",
         NULL},
    };
    (void)state;
    check_onnx(rows, COUNT(rows));
}

/* A batch that is left open is taken as 1: what another one would mend is not known to be wrong. */
static void what_is_left_open_contradicts_nothing(void **state)
{
    static const onnx_row rows[] = {
        {"input x float N,8,4,4;values s int64 2 = 4,128;Reshape x,s -> y", NULL},
        {"input x float N,8,4,4;values s int64 2 = -1,256;Reshape x,s -> y", NULL},
        {"input x float N,8;weights w float 4,8;Concat x,w -> y axis=1", NULL},
        {"input x float N,8;Transpose x -> t;weights w float 4,8;MatMul t,w -> y", NULL},
        {"input x float N,8;Shape x -> s;values i int64 1 = 0;Gather s,i -> n;values c int64 1 = 8;"
         "Concat c,n -> t axis=0;Reshape x,t -> u;weights w float 3,5;MatMul u,w -> y",
         NULL},
        {"input x float 1,8,T,T;weights w float 4,8,30,3;Conv x,w -> y", NULL},
        {"input x float N,8;Relu x -> y name=r;output y float 4,9",
         "'r' makes 8 at axis 1, and the file declares 9"},
        {"input x float N,8,4,4;weights w float 4,9,3,3;Conv x,w -> y name=c",
         "'c' cannot run: 'x' has 8 channels, and 'w' wants 9"},
        {"input x float N,8,4,4;values s int64 2 = 0,127;Reshape x,s -> u name=r;weights w float 9,3;"
         "MatMul u,w -> y name=m",
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = onnx_text_net(rows[i].text);
        roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
        const uint32_t n = fx_count_findings(p, ROOF_FINDING_MISFIT);
        if (n != (rows[i].want != NULL) ||
            (n && strcmp(fx_finding(p, ROOF_FINDING_MISFIT), rows[i].want) != 0))
            fail_msg("%s: %u findings", rows[i].text, n);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

/* ---- TFLite ---- */

enum { ADD = 0, AVERAGE_POOL = 1, CONCATENATION = 2, CONV = 3, DEPTHWISE = 4, FULLY = 9, LOGISTIC = 14 };
enum {
    MAX_POOL = 17,
    RESHAPE = 22,
    RESIZE = 23,
    PAD = 34,
    GATHER = 36,
    TRANSPOSE = 39,
    MEAN = 40,
    SPLIT = 49
};
enum { PRELU = 54, TRANSPOSED = 67, BATCH_MATMUL = 126 };

#define T              TFW_TENSOR
#define W(name, ...)   TFW_TENSOR(name, TFW_INT8, __VA_ARGS__, .data = TFW_ZEROS)
#define MAP(name, ...) TFW_TENSOR(name, TFW_INT8, __VA_ARGS__)

enum { MOST_TENSORS = 6 };

/* A network of one operator that makes "y". */
typedef struct tflite_row {
    tfw_tensor tensors[MOST_TENSORS]; /* up to the first without a name */
    tfw_operator op;
    const char *want;
} tflite_row;

#define CONV_ROW(options_, want_, ...)                                                                       \
    {                                                                                                        \
        {__VA_ARGS__}, {CONV, .inputs = {"x", "w", "b"}, .outputs = {"y"}, .options = options_}, want_       \
    }

static void operands_of_tflite_fit_as_well(void **state)
{
    static const tflite_row rows[] = {
        CONV_ROW(TFW_CONV(TFW_SAME, 0, 1),
                 "'y' cannot run: 'strides' has 0 at axis 1, and at least 1 is wanted",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, -1),
                 "'y' cannot run: 'dilations' has -1 at axis 1, and at least 1 is wanted",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1),
                 "'y' cannot run: 'x' has 8 channels, and 'w' wants a multiple of 3",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 3}), W("b", {4}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), "'y' cannot run: 'w' has 4 output channels, and 'b' wants 5",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {5}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), "'y' cannot run: 'w' has 4 output channels, and 'y' wants 5",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {1, 16, 16, 5})),
        CONV_ROW(TFW_CONV(TFW_VALID, 1, 1), "'y' makes 14 at axis 2, and the file declares 16",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 2, 1), "'y' makes 8 at axis 2, and the file declares 7",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {1, 8, 7, 4})),
        CONV_ROW(TFW_CONV(TFW_VALID, 1, 1),
                 "'y' cannot run: 'x' has 16 at axis 1 with its pads, and 'w' reaches over 17",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 17, 3, 8}), W("b", {4}), MAP("y", {1, 1, 14, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), "'y' cannot run: 'w' has 3 dimensions, and 'x' wants 4",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 8}), W("b", {4}), MAP("y", {1, 16, 16, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), "'y' cannot run: 'x' has 1 images, and 'y' wants 2",
                 MAP("x", {1, 16, 16, 8}), W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {2, 16, 16, 4})),
        {{MAP("x", {1, 8, 8, 4}), W("w", {1, 3, 3, 6}), MAP("y", {1, 8, 8, 6})},
         {DEPTHWISE, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_DEPTHWISE(TFW_SAME, 1, 1, 1)},
         "'y' cannot run: 'w' has 6 output channels, and 'x' wants a multiple of 4"},
        {{MAP("x", {1, 8, 8, 4}), MAP("y", {1, 4, 4, 4})},
         {MAX_POOL, .inputs = {"x"}, .outputs = {"y"}, .options = TFW_POOL(TFW_SAME, 2, 0)},
         "'y' cannot run: 'kernel_shape' has 0 at axis 1, and at least 1 is wanted"},
        {{MAP("x", {1, 8, 8, 4}), MAP("y", {1, 4, 4, 5})},
         {AVERAGE_POOL, .inputs = {"x"}, .outputs = {"y"}, .options = TFW_POOL(TFW_SAME, 2, 2)},
         "'y' cannot run: 'x' has 4 channels, and 'y' wants 5"},
        {{TFW_LIST("s", 4, 1, 16, 16, 4), W("w", {4, 3, 3, 9}), MAP("x", {1, 8, 8, 8}),
          MAP("y", {1, 16, 16, 4})},
         {TRANSPOSED, .inputs = {"s", "w", "x"}, .outputs = {"y"}, .options = TFW_TRANSPOSED(TFW_SAME, 2)},
         "'y' cannot run: 'w' has 9 channels, and 'x' wants 8"},
        {{TFW_LIST("s", 4, 1, 20, 16, 4), W("w", {4, 3, 3, 8}), MAP("x", {1, 8, 8, 8}),
          MAP("y", {1, 20, 16, 4})},
         {TRANSPOSED, .inputs = {"s", "w", "x"}, .outputs = {"y"}, .options = TFW_TRANSPOSED(TFW_SAME, 2)},
         "'y' cannot run: 'x' has 8 at axis 1, and 'y' wants 10"},
        {{MAP("x", {1, 250}), W("w", {80, 256}), MAP("y", {1, 80})},
         {FULLY, .inputs = {"x", "w"}, .outputs = {"y"}},
         "'y' cannot run: 'x' has 250 elements, and 'w' wants a multiple of 256"},
        {{MAP("x", {2, 256}), W("w", {80, 256}), W("b", {80}), MAP("y", {1, 80})},
         {FULLY, .inputs = {"x", "w", "b"}, .outputs = {"y"}},
         "'y' makes 160 elements, and the file declares 80"},
        {{MAP("x", {1, 4, 8}), MAP("z", {1, 9, 5}), MAP("y", {1, 4, 5})},
         {BATCH_MATMUL, .inputs = {"x", "z"}, .outputs = {"y"}, .options = {101, {{1, 0}, {1, 0}}}},
         "'y' cannot run: 'x' has 8 columns, and 'z' wants 9"},
        {{MAP("x", {1, 8, 8, 4}), MAP("z", {1, 8, 8, 3}), MAP("y", {1, 8, 8, 4})},
         {ADD, .inputs = {"x", "z"}, .outputs = {"y"}},
         "'y' cannot run: 'x' has 4 at axis 3, and 'z' wants 3"},
        {{MAP("x", {1, 8, 8, 4}), MAP("z", {4}), MAP("y", {1, 8, 4, 4})},
         {ADD, .inputs = {"x", "z"}, .outputs = {"y"}},
         "'y' makes 8 at axis 2, and the file declares 4"},
        {{MAP("x", {1, 8}), MAP("y", {1, 9})},
         {LOGISTIC, .inputs = {"x"}, .outputs = {"y"}},
         "'y' makes 8 at axis 1, and the file declares 9"},
        {{MAP("x", {1, 8, 8, 4}), W("a", {1, 1, 3}), MAP("y", {1, 8, 8, 4})},
         {PRELU, .inputs = {"x", "a"}, .outputs = {"y"}},
         "'y' cannot run: 'x' has 4 at axis 3, and 'a' wants 3"},
        {{MAP("x", {1, 8, 4}), MAP("z", {1, 7, 4}), MAP("y", {1, 8, 8})},
         {CONCATENATION, .inputs = {"x", "z"}, .outputs = {"y"}, .options = {10, {{4, 2}}}},
         "'y' cannot run: 'x' has 8 at axis 1, and 'z' wants 7"},
        {{MAP("x", {1, 8, 4}), MAP("z", {1, 8, 4}), MAP("y", {1, 8, 9})},
         {CONCATENATION, .inputs = {"x", "z"}, .outputs = {"y"}, .options = {10, {{4, 2}}}},
         "'y' makes 8 at axis 2, and the file declares 9"},
        {{MAP("x", {1, 8, 4}), MAP("y", {1, 33})},
         {RESHAPE, .inputs = {"x"}, .outputs = {"y"}},
         "'y' makes 32 elements, and the file declares 33"},
        {{MAP("x", {1, 8, 4}), TFW_LIST("p", 3, 0, 2, 2), MAP("y", {1, 4, 8})},
         {TRANSPOSE, .inputs = {"x", "p"}, .outputs = {"y"}},
         "'y' cannot run: 'p' has 2 times axis 2, and 'x' wants 1"},
        {{MAP("x", {1, 8}), T("p", TFW_INT32, {2, 2}, .data = TFW_VALUES, .values = {0, 0, 1, 1}),
          MAP("y", {1, 9})},
         {PAD, .inputs = {"x", "p"}, .outputs = {"y"}},
         "'y' makes 10 at axis 1, and the file declares 9"},
        {{MAP("x", {1, 8, 4}), TFW_LIST("a", 1, 3), MAP("y", {1, 8})},
         {MEAN, .inputs = {"x", "a"}, .outputs = {"y"}},
         "'y' cannot run: 'x' has 3 dimensions, and 'a' wants 4"},
        {{MAP("x", {1, 9}), TFW_LIST("a", 0, 1), MAP("y", {1, 4}), MAP("z", {1, 4})},
         {SPLIT, .inputs = {"a", "x"}, .outputs = {"y", "z"}},
         "'y' cannot run: 'x' has 9 at axis 1, and 'SPLIT' wants a multiple of 2"},
        {{MAP("x", {6, 4}), TFW_LIST("i", 2, 0, 6), MAP("y", {2, 4})},
         {GATHER, .inputs = {"x", "i"}, .outputs = {"y"}, .options = {23, {{4, 0}}}},
         "'y' cannot run: 'x' has 6 at axis 0, and 'i' wants 7"},
        {{MAP("x", {1, 8, 8, 4}), TFW_LIST("s", 2, 16, 16), MAP("y", {1, 16, 16, 3})},
         {RESIZE, .inputs = {"x", "s"}, .outputs = {"y"}},
         "'y' cannot run: 'x' has 4 channels, and 'y' wants 3"},
        /* controls */
        CONV_ROW(TFW_CONV(TFW_SAME, 2, 1), NULL, MAP("x", {1, 15, 16, 8}), W("w", {4, 3, 3, 2}),
                 W("b", {1, 1, 1, 4}), MAP("y", {1, 8, 8, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), NULL, MAP("x", {1, 2, 2, 8}), W("w", {4, 7, 7, 8}), W("b", {4}),
                 MAP("y", {1, 2, 2, 4})),
        CONV_ROW(TFW_CONV(TFW_SAME, 1, 1), NULL, MAP("x", {1, 4, 4, 8}, .signature = {-1, 4, 4, 8}),
                 W("w", {4, 3, 3, 8}), W("b", {4}), MAP("y", {2, 4, 4, 4})),
        {{MAP("x", {1, 8, 8, 4}), W("w", {1, 3, 3, 12}), MAP("y", {1, 8, 8, 12})},
         {DEPTHWISE, .inputs = {"x", "w"}, .outputs = {"y"}, .options = TFW_DEPTHWISE(TFW_SAME, 1, 3, 1)},
         NULL},
        {{MAP("x", {2, 7, 7, 4}), W("w", {80, 196}), W("b", {80}), MAP("y", {2, 80})},
         {FULLY, .inputs = {"x", "w", "b"}, .outputs = {"y"}},
         NULL},
        {{MAP("x", {1, 9}), TFW_LIST("a", 0, -1), MAP("y", {1, 3}), MAP("z", {1, 3}), MAP("u", {1, 3})},
         {SPLIT, .inputs = {"a", "x"}, .outputs = {"y", "z", "u"}},
         NULL},
        {{MAP("x", {1, 8, 8, 4}), MAP("z", {1, 1, 1, 4}), MAP("y", {1, 8, 8, 4})},
         {ADD, .inputs = {"x", "z"}, .outputs = {"y"}},
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tfw_network network = {
            .tensors = rows[i].tensors, .operators = &rows[i].op, .n_operators = 1, .outputs = {"y"}};
        for (size_t n = 0; network.n_tensors < MOST_TENSORS && rows[i].tensors[network.n_tensors].name;
             network.n_tensors++) {
            const tfw_tensor *t = &rows[i].tensors[network.n_tensors];
            if (t->data == TFW_COMPUTED && (*t->name == 'x' || rows[i].op.builtin != SPLIT) &&
                *t->name != 'y')
                network.inputs[n++] = t->name;
        }
        fx_net net = {0};
        char row[40];
        unsigned char *bytes = tfw_write(&network, &net.size_bytes);
        net.bytes = fx_copy(bytes, net.size_bytes);
        free(bytes);
        fx_read(&net, "net.tflite");
        snprintf(row, sizeof row, "row %zu", i);
        check_misfit(&net, row, rows[i].want);
        fx_close(&net);
    }
}

/* ---- graphs that are only quantised ---- */

static void operands_of_quantised_graphs_fit_as_well(void **state)
{
    static const struct {
        fx_op ops[4];
        const char *want;
    } rows[] = {
        {{FX("x", "data", {1, 16, 16, 8}), FX("w", "const", {4, 3, 3, 64}),
          FX("y", "conv2d", {1, 16, 16, 4}, .inputs = {"x"}, .weights = "w", .kernel = {3, 3},
             .stride = {1, 1})},
         "'y' cannot run: 'x' has 8 channels, and 'w' wants a multiple of 64"},
        {{FX("x", "data", {1, 16, 16, 8}), FX("w", "const", {4, 3, 3, 8}),
          FX("y", "conv2d", {1, 16, 16, 4}, .inputs = {"x"}, .weights = "w", .kernel = {7, 7},
             .stride = {1, 1})},
         "'y' cannot run: 'kernel_shape' has 7 at axis 1, and 'w' wants 3"},
        {{FX("x", "data", {1, 16, 16, 8}), FX("w", "const", {4, 3, 3, 8}),
          FX("y", "conv2d", {1, 16, 16, 5}, .inputs = {"x"}, .weights = "w", .kernel = {3, 3},
             .stride = {1, 1})},
         "'y' cannot run: 'w' has 4 output channels, and 'y' wants 5"},
        {{FX("x", "data", {2, 8}), FX("w", "const", {9, 16}),
          FX("y", "matmul", {2, 16}, .inputs = {"x"}, .weights = "w")},
         "'y' cannot run: 'x' has 8 columns, and 'w' wants 9"},
        {{FX("x", "data", {1, 8, 8, 4}), FX("z", "data", {1, 8, 8, 3}),
          FX("y", "add", {1, 8, 8, 4}, .inputs = {"x", "z"})},
         "'y' cannot run: 'x' has 4 at axis 3, and 'z' wants 3"},
        {{FX("x", "data", {1, 8, 8, 4}), FX("y", "reshape", {1, 255}, .inputs = {"x"})},
         "'y' makes 256 elements, and the file declares 255"},
        {{FX("x", "data", {2, 8}), FX("w", "const", {16, 8}),
          FX("y", "matmul", {2, 16}, .inputs = {"x"}, .weights = "w")},
         NULL},
        {{FX("x", "data", {1, 16, 16, 8}), FX("w", "const", {8, 3, 3, 2}),
          FX("y", "conv2d", {1, 16, 16, 8}, .inputs = {"x"}, .weights = "w", .kernel = {3, 3},
             .stride = {1, 1})},
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char row[40];
        fx_net net = fx_open(fx_model(rows[i].ops, rows[i].ops[2].name ? 3 : 2, NULL), NULL);
        snprintf(row, sizeof row, "row %zu", i);
        check_misfit(&net, row, rows[i].want);
        fx_close(&net);
    }
}

/* ---- what follows ---- */

/* Rows that can run keep their figures; what is alive in memory is no more known than other sums. */
static void the_rest_of_a_network_keeps_its_figures(void **state)
{
    (void)state;
    fx_net net =
        onnx_text_net(X "weights w float 4,8,1,1;Conv x,w -> a name=first;weights v float 6,5,1,1;"
                        "Conv a,v -> b name=second;weights u float 2,6,1,1;Conv b,u -> y name=third");
    roof_prediction *p = fx_predict(net.graph, "kv260", NULL);
    assert_int_equal(p->n_layers, 3);
    assert_true(p->layers[0].macs == 16 * 16 * 8 * 4 && p->layers[2].macs == 16 * 16 * 6 * 2);
    assert_true(p->layers[1].macs == ROOF_UNKNOWN && p->layers[0].deployed.ideal_cycles != ROOF_UNKNOWN);
    char sentence[ROOF_SENTENCE_SIZE];
    assert_non_null(strstr(roof_prediction_sentence(p, 0, sentence),
                           "no time, since 'second' cannot run: 'a' has 4 channels, and 'v' wants 5"));
    roof_memory *memory = NULL;
    roof_error err = {0};
    assert_int_equal(roof_memory_of(net.graph, NULL, &memory, &err), ROOF_OK);
    assert_true(memory->pools[0].peak_bytes == ROOF_UNKNOWN);
    assert_string_equal(memory->pools[0].why_no_peak,
                        "an operator contradicts what it reads, or what the file declares");
    roof_memory_free(memory);
    roof_prediction_free(p);
    fx_close(&net);
}

static void a_sum_of_nothing_that_is_known_is_not_0(void **state)
{
    static const char *const hardware[] = {"kv260", "npu2", "stm32n6", "a100-80gb",
                                           "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"};
    static const struct {
        const char *text;
        bool is_known;
    } rows[] = {
        {"input x float N,8,T,T;weights w float 4,8,3,3;Conv x,w -> y", false},
        {"input x float 1,8,T,T;weights w float 8,8,3,3;Conv x,w -> t;Conv t,w -> u;Relu u -> y", false},
        {"input x float 1,8,6,6;weights w float 8,8,3,3;Conv x,w -> y", true},
        /* a part is never the whole */
        {"input x float 1,8,6,T;input z float 1,8,6,6;weights w float 8,8,3,3;Conv x,w -> y;Conv z,w -> u",
         false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t h = 0; h < COUNT(hardware); h++) {
            fx_net net = onnx_text_net(rows[i].text);
            roof_prediction *p = fx_predict(net.graph, hardware[h], NULL);
            const bool is_known = rows[i].is_known;
            if ((p->total.macs != ROOF_UNKNOWN) != is_known ||
                (p->total.ops_count != ROOF_UNKNOWN) != is_known ||
                (roof_traffic_total(&p->total.deployed.traffic) != ROOF_UNKNOWN) != is_known ||
                isnan(p->total.deployed.ideal_s) == is_known || isnan(p->total.floor_s) == is_known)
                fail_msg("%s on %s", rows[i].text, hardware[h]);
            if (!is_known && (!isnan(p->total.predicted_s) || !isnan(p->total.inferences_per_s)))
                fail_msg("%s on %s: a time or a rate", rows[i].text, hardware[h]);
            roof_prediction_free(p);
            fx_close(&net);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_of_nothing_that_is_known_is_not_0),
        cmocka_unit_test(windows_slide_over_what_is_there),
        cmocka_unit_test(factors_have_a_length_in_common),
        cmocka_unit_test(operands_spread_over_one_another),
        cmocka_unit_test(shapes_have_as_many_elements_as_before),
        cmocka_unit_test(parts_are_parts_of_a_whole),
        cmocka_unit_test(files_declare_what_operators_make),
        cmocka_unit_test(what_is_left_open_contradicts_nothing),
        cmocka_unit_test(operands_of_tflite_fit_as_well),
        cmocka_unit_test(operands_of_quantised_graphs_fit_as_well),
        cmocka_unit_test(the_rest_of_a_network_keeps_its_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
