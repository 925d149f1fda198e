/* ONNX models: shapes that follow from operators, values that shapes are reckoned with, work, functions,
 * branches, and files that are none. */
#include "model/graph/format.h"
#include "tests/support/onnx_text.h"
#include "tests/unit/fixture.h"

#include <math.h>
#include <string.h>

static roof_status read_text(const char *text, xm_buffer *bytes, roof_graph **graph, roof_error *err)
{
    onnx_text_write(text, bytes);
    return graph_read_memory(bytes->data + bytes->start, bytes->capacity_bytes - bytes->start, "test.onnx",
                             graph, err);
}

/* The bytes have to outlive the graph. */
static roof_graph *open_text(const char *text, xm_buffer *bytes)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    if (read_text(text, bytes, &graph, &err) != ROOF_OK)
        fail_msg("%s: %s", text, fx_message(&err));
    assert_string_equal(graph->format, "onnx");
    return graph;
}

static const char *dims_of(const roof_op *op)
{
    static char text[120];
    const roof_tensor *t = &op->out;
    text[0] = '\0';
    if (t->is_unknown)
        return "?";
    for (uint32_t i = 0; i < t->n_dims; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? "," : "", t->dims[i]);
    return text;
}

/* Shapes as the graph has them: N H W C behind what has channels second. */
#define X4 "input x float 1,8,10,12;"
static const struct {
    const char *text, *name, *dims;
} shapes[] = {
    {X4 "weights w float 4,8,3,3;Conv x,w -> y", "y", "1,8,10,4"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y pads=[1,1,1,1] strides=[2,2]", "y", "1,5,6,4"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y dilations=[2,3]", "y", "1,6,6,4"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y auto_pad=\"SAME_UPPER\" strides=[3,3]", "y", "1,4,4,4"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y auto_pad=\"VALID\"", "y", "1,8,10,4"},
    {X4 "weights w float 8,4,2,2;ConvTranspose x,w -> y strides=[2,2]", "y", "1,20,24,4"},
    {X4 "weights w float 8,4,3,3;ConvTranspose x,w -> y strides=[2,2] pads=[1,1,1,1] output_padding=[1,1]",
     "y", "1,20,24,4"},
    {X4 "weights w float 8,2,2,2;ConvTranspose x,w -> y group=4", "y", "1,11,13,8"},
    {X4 "MaxPool x -> y kernel_shape=[3,3] strides=[2,2]", "y", "1,4,5,8"},
    {X4 "MaxPool x -> y kernel_shape=[3,3] strides=[2,2] ceil_mode=1", "y", "1,5,6,8"},
    {X4 "AveragePool x -> y kernel_shape=[2,2] strides=[2,2] pads=[0,0,1,1] ceil_mode=1", "y", "1,5,6,8"},
    {X4 "GlobalAveragePool x -> y", "y", "1,1,1,8"},
    {"input x float 2,5;weights w float 5,7;MatMul x,w -> y", "y", "2,7"},
    {"input x float 3,1,2,5;input z float 4,5,7;MatMul x,z -> y", "y", "3,4,2,7"},
    {"input x float 5;input z float 5,7;MatMul x,z -> y", "y", "7"},
    {"input x float 2,5;input z float 5;MatMul x,z -> y", "y", "2"},
    {"input x float 5,2;weights w float 7,5;Gemm x,w -> y transA=1 transB=1", "y", "2,7"},
    {"input x float 2,5;weights w float 4,7;MatMul x,w -> y", "y", "?"},
    {"input x float 4,1,5;input z float 3,1;Add x,z -> y", "y", "4,3,5"},
    {"input x float 4,2;input z float 3;Add x,z -> y", "y", "?"},
    {"input x float 2,3,4;values s int64 2 = 0,-1;Reshape x,s -> y", "y", "2,12"},
    {"input x float 2,3,4;values s int64 1 = 7;Reshape x,s -> y", "y", "?"},
    {"input x float 2,3,4;raw s int64 3 = 4,3,2;Reshape x,s -> y", "y", "4,3,2"},
    {"input x float 2,3,4;Flatten x -> y axis=2", "y", "6,4"},
    {"input x float 2,3,4;Flatten x -> y axis=0", "y", "1,24"},
    {"input x float 1,3,1,4;Squeeze x -> y", "y", "3,4"},
    {"opset 11;input x float 1,3,1,4;Squeeze x -> y axes=[-2]", "y", "1,3,4"},
    {"input x float 3,4;values a int64 2 = 0,-1;Unsqueeze x,a -> y", "y", "1,3,4,1"},
    {"input x float 2,3,4;Transpose x -> y", "y", "4,3,2"},
    {"input x float 2,3,4;Transpose x -> y perm=[1,0,2]", "y", "3,2,4"},
    {"input x float 2,3;input z float 2,5;Concat x,z -> y axis=-1", "y", "2,8"},
    {"input x float 2,9;Split x -> y,z axis=1 split=[2,7]", "z", "2,7"},
    {"opset 18;input x float 2,9;Split x -> y,z axis=1 num_outputs=2", "z", "2,4"},
    {"input x float 2,9;values s int64 2 = 3,6;Split x,s -> y,z axis=1", "y", "2,3"},
    {"opset 9;input x float 6,9;Slice x -> y starts=[1,2] ends=[-1,1000] axes=[0,1]", "y", "4,7"},
    {"input x float 6,9;values s int64 1 = -1;values e int64 1 = -9223372036854775807;"
     "values a int64 1 = 1;values t int64 1 = -2;Slice x,s,e,a,t -> y",
     "y", "6,5"},
    {"input x float 6,9;values i int64 2,2 = 0,1,2,3;Gather x,i -> y axis=1", "y", "6,2,2"},
    {"input x float 6,9;values i int64 3,1 = 0,1,2;GatherND x,i -> y", "y", "3,9"},
    {"input x float 2,3;values p int64 4 = 1,0,0,4;Pad x,p -> y", "y", "3,7"},
    {"opset 10;input x float 2,3;Pad x -> y pads=[0,1,0,1]", "y", "2,5"},
    {"input x float 2,3;values r int64 2 = 3,2;Tile x,r -> y", "y", "6,6"},
    {"input x float 3,1;values s int64 3 = 2,1,6;Expand x,s -> y", "y", "2,3,6"},
    {X4 "values s float 4 = 1,1,2,1.5;Resize x,,s -> y", "y", "1,20,18,8"},
    {X4 "values z int64 4 = 1,8,7,5;Resize x,,,z -> y", "y", "1,7,5,8"},
    /* in single precision, as runtimes reckon it */
    {"input x float 1,8,3,3;values s float 4 = 1,1,1.6666666,1.6666666;Resize x,,s -> y", "y", "1,5,5,8"},
    {"input x float 0,3;Relu x -> y", "y", "0,3"},
    {"input x float 1,3,4;declare y float 0,8;my.domain:Mystery x -> y", "y", "1,8"},
    {"opset 18;" X4 "values z int64 2 = 20,20;Resize x,,,z -> y axes=[2,3] "
     "keep_aspect_ratio_policy=\"not_larger\"",
     "y", "1,17,20,8"},
    {"opset 10;" X4 "values s float 4 = 1,1,2,2;Resize x,s -> y", "y", "1,20,24,8"},
    {"opset 6;" X4 "weights b float 3;Add x,b -> y axis=1 broadcast=1", "y", "1,8,10,12"},
    {"opset 7;" X4 "Upsample x -> y scales=[1.0,1.0,3.0,3.0]", "y", "1,30,36,8"},
    {"input x float 1,8,4,6;DepthToSpace x -> y blocksize=2", "y", "1,2,8,12"},
    {"input x float 1,2,8,12;SpaceToDepth x -> y blocksize=2", "y", "1,8,4,6"},
    {"input x float 2,3,4;ReduceMean x -> y axes=[1]", "y", "2,1,4"},
    {"opset 18;input x float 2,3,4;values a int64 1 = -1;ReduceMean x,a -> y keepdims=0", "y", "2,3"},
    {"input x float 2,3,4;ReduceSum x -> y", "y", "1,1,1"},
    {"input x float 2,3,4;ArgMax x -> y axis=1 keepdims=0", "y", "2,4"},
    {"input x float 2,30;values k int64 1 = 5;TopK x,k -> y,z", "z", "2,5"},
    {"input x int64 2,3;values d int64 1 = 10;values v float 2 = 0,1;OneHot x,d,v -> y", "y", "2,3,10"},
    {"input x float 2,3,8;Shape x -> s;ConstantOfShape s -> y", "y", "2,3,8"},
    {"values a int64 - = 2;values b int64 - = 11;values c int64 - = 3;Range a,b,c -> y", "y", "3"},
    {"Constant -> s value_ints=[3,4];ConstantOfShape s -> y", "y", "3,4"},
    {"Constant -> s value={int64 2 = 3,4};ConstantOfShape s -> y", "y", "3,4"},
    {"input x float 5,2,6;weights w float 1,12,6;weights r float 1,12,3;LSTM x,w,r -> y,h,c "
     "hidden_size=3",
     "y", "5,1,2,3"},
    {"input x float 5,2,6;weights w float 1,12,6;weights r float 1,12,3;LSTM x,w,r -> y,h,c "
     "hidden_size=3",
     "c", "1,2,3"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y pads=[0,0,2,1]", "y", "1,10,11,4"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y pads=[2000000,0,0,0]", "y", "?"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y pads=[0,0,-2000000,0]", "y", "?"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y strides=[0,1]", "y", "?"},
    {X4 "weights w float 4,8,3,3;Conv x,w -> y strides=[1]", "y", "?"},
    {X4 "weights w float 4,8,30,3;Conv x,w -> y", "y", "?"},
    {X4 "weights w float 4,8,1,1;Conv x,w -> y auto_pad=\"SAME_LOWER\" strides=[2,2]", "y", "1,5,6,4"},
    {X4 "weights w float 4,8,3,3;com.microsoft:FusedConv x,w -> y activation=\"Relu\"", "y", "1,8,10,4"},
    {X4 "weights w float 8,4,2,2;ConvTranspose x,w -> y strides=[2,2] pads=[1,0,0,2]", "y", "1,19,22,4"},
    {X4 "weights w float 8,4,2,2;ConvTranspose x,w -> y strides=[2,2] output_shape=[19,21]", "y",
     "1,19,21,4"},
    {X4 "weights w float 8,4,3,3;ConvTranspose x,w -> y strides=[2,2] auto_pad=\"SAME_UPPER\"", "y",
     "1,20,24,4"},
    {"input x float 1,8,9;GlobalMaxPool x -> y", "y", "1,1,8"},
    {"input x float 1,2,4,4;MaxPool x -> y kernel_shape=[2,2] strides=[3,3] pads=[1,1,0,0] ceil_mode=1", "y",
     "1,2,2,2"},
    {X4 "MaxPool x -> y kernel_shape=[3]", "y", "?"},
    {"input x float 1,3,1,4;Squeeze x -> y axes=[1]", "y", "?"},
    {"opset 11;input x float 1,1,4;Squeeze x -> y axes=[0,1]", "y", "4"},
    {"opset 11;input x float 3,4;Unsqueeze x -> y axes=[1,1]", "y", "?"},
    {"input x float 6,9;values i int64 - = 1;Gather x,i -> y", "y", "9"},
    {"input x float 6,9;values i int64 2 = 1,2;Gather x,i -> y", "y", "2,9"},
    {"input x float 6,9;values i int64 2 = 1,2;Gather x,i -> y axis=5", "y", "?"},
    {"input x float 6,9;input i int64 2,3;GatherElements x,i -> y axis=1", "y", "2,3"},
    {"input x float 6,9;Split x -> y,z,w", "w", "2,9"},
    {"input x float 6,9;Split x -> y,z axis=7", "z", "?"},
    {"input x float 2,9;Split x -> y,z axis=1 split=[2,3,4]", "z", "?"},
    {"input x float 2,3;values r int64 2 = 0,2;Tile x,r -> y", "y", "0,6"},
    {"input x float 2,3;values r int64 2 = -1,2;Tile x,r -> y", "y", "?"},
    {"input x float 2,3;values p int64 4 = -3,0,0,4;Pad x,p -> y", "y", "?"},
    {X4 "values z int64 4 = 1,8,-7,5;Resize x,,,z -> y", "y", "?"},
    {X4 "values s float 4 = 1,1,-1,1;Resize x,,s -> y", "y", "?"},
    {"values a int64 - = 5;values b int64 - = 2;values c int64 - = -2;Range a,b,c -> y", "y", "2"},
    {"Constant -> y value_floats=[3.0,4.0,5.0]", "y", "3"},
    {"input x float 1,4,9,9;input r float 7,5;MaxRoiPool x,r -> y pooled_shape=[2,3]", "y", "7,4,2,3"},
    {"input x float 1,4,9,9;input r float 7,4;input b int64 7;RoiAlign x,r,b -> y output_height=2 "
     "output_width=3",
     "y", "7,4,2,3"},
    {"input x float 1,4,9,8;input g float 1,5,6,2;GridSample x,g -> y", "y", "1,5,6,4"},
    {"input x float 2,3,4;Dropout x -> y,m", "m", "2,3,4"},
    {"input x float 2,3,4;NonZero x -> y", "y", "?"},
    {"input x float 1,3,4;my.domain:Mystery x -> y", "y", "?"},
    {"input x float 1,3,4;declare y float 1,8;my.domain:Mystery x -> y", "y", "1,8"},
    {"input x float 2,9;Split x -> ,z axis=1", "z", "2,4"},
    {"input x float N,3;Relu x -> y", "y", "1,3"},
    {"input x float 1,T;Relu x -> y", "y", "?"},
    {"values k float 0,3 = ;Trilu k -> y", "y", "0,3"},
    {"input x float 2,3,4;LayerNormalization x,x -> y,m,v axis=1", "m", "2,1,1"},
    {"input x float 2,3,4;DynamicQuantizeLinear x -> y,s,z", "z", ""},
    {"input x float 2,3,4;SkipLayerNormalization x,x,x -> y,,,z", "z", "2,3,4"},
    {"input x float 2,5,3;input t int64 2,3;NegativeLogLikelihoodLoss x,t -> y", "y", ""},
    {"input x float 2,5,3;input t int64 2,3;SoftmaxCrossEntropyLoss x,t -> y,z reduction=\"none\"", "y",
     "2,3"},
    {"input x float 2,5,3;input t int64 2,3;SoftmaxCrossEntropyLoss x,t -> y,z", "z", "2,5,3"},
    {"input x float 2,3,4;Sinh x -> a;Acosh a -> y", "y", "2,3,4"},
    {"input x float 2,4,4;Det x -> y", "y", "2"},
    {"values n int64 - = 10;HannWindow n -> y", "y", "10"},
    {"values n int64 - = 8;values m int64 - = 16;MelWeightMatrix n,m,m,m,m -> y", "y", "9,8"},
    {"opset 17;input x float 1,10,1;DFT x -> y axis=1", "y", "1,10,2"},
    {"opset 17;input x float 1,10,1;DFT x -> y axis=1 onesided=1", "y", "1,6,2"},
    {"opset 17;input x float 1,6,2;DFT x -> y axis=1 onesided=1 inverse=1", "y", "1,4,1"},
    {"input x float 2,1;input z float 3,4;Einsum x,z -> y equation=\"ij,jk->ik\"", "y", "2,4"},
    {"input x float 2;RandomNormal -> y shape=[2,3]", "y", "2,3"},
    {"input x float 2;RandomNormal -> y shape=[2,-3]", "y", "?"},
    {"opset 17;input x float 1,128,1;values s int64 - = 8;values n int64 - = 16;STFT x,s,,n -> y", "y",
     "1,15,9,2"},
    {"opset 17;input x float 1,128,1;values s int64 - = 0;values n int64 - = 16;STFT x,s,,n -> y", "y", "?"},
    {"input x float 2,3;input z float 3,4;Einsum x,z -> y equation=\"ij,jk->ki\"", "y", "4,2"},
    {"input x float 2,3;input z float 3,4;Einsum x,z -> y equation=\"ij,jk\"", "y", "2,4"},
    {"input x float 5,2,3;input z float 5,3,4;Einsum x,z -> y equation=\"...ij,...jk->...ik\"", "y", "5,2,4"},
    {"input x float 2,3;input z float 2,4;Einsum x,z -> y equation=\"ij,jk->ik\"", "y", "?"},
    {"input x float 2,3;input z float 3,4;Einsum x,z -> y equation=\"ij,jk->iq\"", "y", "?"},
    {"input q float 1,8,12;input k float 1,9,12;com.microsoft:MultiHeadAttention q,k,k -> y num_heads=3", "y",
     "1,8,12"},
    {"input q float 1,3,8,4;input k float 1,3,9,4;input v float 1,3,9,5;Attention q,k,v -> y", "y",
     "1,3,8,5"},
    {"input x float 1,8,12;weights w float 12,36;com.microsoft:Attention x,w -> y num_heads=3", "y",
     "1,8,12"},
    {"input q float 1,1,24;input k float 1,2,5,4;com.microsoft:GroupQueryAttention q,,,k,k -> y,p "
     "num_heads=2 "
     "kv_num_heads=2",
     "p", "1,2,6,4"},
    {"input x float 2,3;my.domain:MyQuantizeLinear x -> y", "y", "2,3"},
    {"input x float 2,3;declare y float 1,8;my.domain:FancyNorm x -> y", "y", "1,8"},
    {"input x float 2,3;com.amd.quark:ExtendedQuantizeLinear x -> y", "y", "2,3"},
    {"values n int64 - = 3;values c bool - = 1;input x float 2,3;"
     "graph b;input i int64 -;input g bool -;input v float 2,3;Identity g -> h;Relu v -> w;Neg w -> u;"
     "output h bool -;output w float 2,3;output u float 2,3;end;Loop n,c,x -> y,z body=@b",
     "z", "3,2,3"},
    {"input x float 5,3;input s float 3;graph b;input a float 3;input e float 3;Add a,e -> c;Relu c -> d;"
     "output c float 3;output d float 3;end;Scan s,x -> y,z body=@b num_scan_inputs=1",
     "z", "5,3"},
};

static void shapes_follow_from_operators(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        xm_buffer bytes;
        roof_graph *g = open_text(shapes[i].text, &bytes);
        const char *got = dims_of(fx_find_op(g, shapes[i].name));
        if (strcmp(got, shapes[i].dims) != 0)
            fail_msg("row %zu: %s is %s, want %s", i, shapes[i].name, got, shapes[i].dims);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

/* Exporters reckon shapes with operators: the last Reshape shows what came of it. */
static void shapes_are_reckoned_with(void **state)
{
    static const struct {
        const char *text, *dims;
    } rows[] = {
        {"Shape x -> s;values i int64 - = 0;Gather s,i -> n;values a int64 1 = 0;Unsqueeze n,a -> u;"
         "values r int64 1 = -1;Concat u,r -> t axis=0;Reshape x,t -> y",
         "2,60"},
        {"Shape x -> s;values b int64 1 = 1;values e int64 1 = 3;Slice s,b,e -> m;Reshape z,m -> y", "3,4"},
        {"Shape x -> s;values h int64 4 = 1,1,1,1;Add s,h -> t;Sub t,h -> u;Mul u,h -> v;Reshape x,v -> y",
         "2,3,4,5"},
        {"Shape x -> s;Cast s -> f to=1;values h float 4 = 1,0.5,3,1;values k float 4 = 1,2,2,1;Mul f,h -> g;"
         "Floor g -> q;Cast q -> t to=7;Div t,t -> o;ReduceProd s -> p keepdims=0;values a int64 1 = 0;"
         "Unsqueeze p,a -> u;Reshape x,u -> y",
         "120"},
        {"Constant -> t value_ints=[4,30];Reshape x,t -> y", "4,30"},
        {"Constant -> n value_int=120;values a int64 1 = 0;Unsqueeze n,a -> t;Reshape x,t -> y", "120"},
        {"Shape x -> s;values i int64 2 = 3,-4;Gather s,i -> m;values r int64 1 = 12;Concat m,r -> t axis=0;"
         "Reshape x,t -> y",
         "5,2,12"},
        {"Shape x -> s;Neg s -> n;Abs n -> t;Reshape x,t -> y", "2,3,4,5"},
        {"opset 15;Shape x -> s start=1 end=-1;Reshape z,s -> y", "3,4"},
        {"Size x -> s;values a int64 1 = 0;Unsqueeze s,a -> u;Reshape x,u -> y", "120"},
        {"Shape x -> s;values c int64 4 = 2,9,9,9;Equal s,c -> q;values m int64 4 = -1,-1,-1,-1;"
         "values p int64 4 = 2,3,4,5;Where q,m,p -> t;Reshape x,t -> y",
         "2,3,4,5"},
        {"Shape x -> s;values c int64 4 = 2,9,9,9;Equal s,c -> q;values d int64 4 = 2,3,9,9;Equal s,d -> r;"
         "Xor q,r -> o;values m int64 4 = 1,3,9,9;values p int64 4 = 2,1,4,5;Where o,m,p -> t;"
         "Reshape x,t -> y",
         "2,3,4,5"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        char text[800];
        snprintf(text, sizeof text, "input x float 2,3,4,5;input z float 12;%s", rows[i].text);
        roof_graph *g = open_text(text, &bytes);
        const char *got = dims_of(fx_find_op(g, "y"));
        if (strcmp(got, rows[i].dims) != 0)
            fail_msg("row %zu: %s, want %s", i, got, rows[i].dims);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

static void macs_are_those_of_convolutions_and_products(void **state)
{
    static const struct {
        const char *text;
        uint64_t macs;
    } rows[] = {
        {X4 "weights w float 4,8,3,3;Conv x,w -> y", 8 * 10 * 4 * 8 * 9},
        {X4 "weights w float 8,1,3,3;Conv x,w -> y group=8", 8 * 10 * 8 * 9},
        {X4 "weights w float 4,2,3,3;Conv x,w -> y group=4", 8 * 10 * 4 * 2 * 9},
        {X4 "weights w float 8,4,2,2;ConvTranspose x,w -> y strides=[2,2]", 10 * 12 * 8 * 4 * 4},
        {"input x float 1,8,9;weights w float 4,8,3;Conv x,w -> y", 7 * 4 * 8 * 3},
        {"input x float 1,2,5,6,7;weights w float 4,2,3,3,3;Conv x,w -> y", 3 * 4 * 5 * 4 * 2 * 27},
        {"input x float 2,5;weights w float 5,7;MatMul x,w -> y", 70},
        {"input x float 3,2,5;input z float 3,5,7;MatMul x,z -> y", 210},
        {"input x float 5,2,6;weights w float 1,12,6;weights r float 1,12,3;LSTM x,w,r -> y hidden_size=3",
         5 * 2 * (12 * 6 + 12 * 3)},
        /* quantised twice: by conversions around an operator, and by an operator of its own */
        {"input x float 1,8,4,4;values s float - = 0.1;values z uint8 - = 3;QuantizeLinear x,s,z -> q;"
         "DequantizeLinear q,s,z -> d;weights w int8 4,8,1,1;values v int8 - = 0;DequantizeLinear w,s,v -> e;"
         "Conv d,e -> y",
         4 * 4 * 4 * 8},
        {"input x uint8 1,8,4,4;values s float - = 0.1;values z uint8 - = 3;weights w int8 4,8,1,1;"
         "values v int8 - = 0;weights b int32 4;QLinearConv x,s,z,w,s,v,s,z,b -> y",
         4 * 4 * 4 * 8},
        {"input x uint8 2,5;values s float - = 0.1;values z uint8 - = 3;weights w uint8 5,7;"
         "QLinearMatMul x,s,z,w,s,z,s,z -> y",
         70},
        {"input x float 2,5;weights w float 5,7;com.microsoft:FusedMatMul x,w -> y", 70},
        {"input x float 2,5;weights w float 5,7;com.microsoft:FusedGemm x,w -> y activation=\"Relu\"", 70},
        {"input x uint8 2,5;weights w uint8 5,7;MatMulInteger x,w -> y", 70},
        {"input x uint8 1,8,4,4;weights w uint8 4,8,1,1;ConvInteger x,w -> y", 4 * 4 * 4 * 8},
        /* of weights that are made when the network is loaded nothing runs */
        {"input x float 1,8,4,4;values s int64 4 = 4,8,1,1;ConstantOfShape s -> w;values n int64 2 = 4,8;"
         "Reshape w,n -> u;Transpose u -> v;MatMul u,v -> t;Conv x,w -> y",
         4 * 4 * 4 * 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = open_text(rows[i].text, &bytes);
        static const char *const hardware[] = {"kv260", "npu2", "stm32n6",
                                               "mac=2048/cycle,clock=300MHz,ddr=19.2GB/s"};
        for (size_t h = 0; h < COUNT(hardware); h++) {
            roof_prediction *p = fx_predict(g, hardware[h], NULL);
            if (p->total.macs != rows[i].macs)
                fail_msg("row %zu on %s: %" PRIu64 " MACs, want %" PRIu64, i, hardware[h], p->total.macs,
                         rows[i].macs);
            roof_prediction_free(p);
        }
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

static void quantised_tensors_have_their_own_bits(void **state)
{
    xm_buffer bytes;
    (void)state;
    roof_graph *g = open_text("input x float 1,8,4,4;values s float - = 0.1;values z uint8 - = 3;"
                              "QuantizeLinear x,s,z -> q;DequantizeLinear q,s,z -> d;weights w int8 4,8,1,1;"
                              "values v int8 - = 0;DequantizeLinear w,s,v -> e;Conv d,e -> y;"
                              "QuantizeLinear y,s,z -> o",
                              &bytes);
    assert_int_equal(fx_find_op(g, "d")->out.bit_width, 8);
    assert_int_equal(fx_find_op(g, "e")->out.bit_width, 8);
    assert_int_equal(fx_find_op(g, "y")->out.bit_width, 8);
    assert_true(fx_find_op(g, "w")->out.bytes == 32);
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

/* A function stands for its body, once for each call, under the name of the call. */
static void functions_stand_for_their_bodies(void **state)
{
    xm_buffer bytes;
    (void)state;
    roof_graph *g =
        open_text("opset my.domain 1;input x float 1,8,4,4;weights w float 8,8,3,3;"
                  "my.domain:Block x,w -> a name=first;my.domain:Block a,w -> y name=second pad=0;"
                  "function my.domain:Block v,k -> r;Conv v,k -> c pads=[1,1,1,1] name=conv;"
                  "my.domain:Act c -> r name=act slope=0.1;end;"
                  "function my.domain:Act v -> r;LeakyRelu v -> r alpha=&slope;end",
                  &bytes);
    assert_string_equal(fx_find_op(g, "first/conv")->type, "Conv");
    assert_string_equal(fx_find_op(g, "second/act/r")->type, "LeakyRelu");
    assert_string_equal(dims_of(fx_find_op(g, "second/act/r")), "1,4,4,8");
    roof_prediction *p = fx_predict(g, "kv260", NULL);
    assert_true(p->total.macs == 2 * 4 * 4 * 8 * 8 * 9);
    roof_prediction_free(p);
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

static void a_branch_is_taken_where_its_condition_is_known(void **state)
{
    static const char branches[] = "graph yes;Conv x,w -> t pads=[1,1,1,1];output t float 1,8,4,4;end;"
                                   "graph no;Relu x -> e;output e float 1,8,4,4;end;";
    static const struct {
        const char *condition;
        uint64_t macs;
        uint32_t findings;
    } rows[] = {{"values c bool - = 1;", 4 * 4 * 64 * 9, 0},
                {"values c bool - = 0;", 0, 0},
                {"Shape x -> s;values i int64 - = 1;Gather s,i -> n;values k int64 - = 8;Equal n,k -> c;",
                 4 * 4 * 64 * 9, 0},
                /* the larger one counts */
                {"input c bool -;", 4 * 4 * 64 * 9, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[800];
        xm_buffer bytes;
        snprintf(
            text, sizeof text,
            "input x float 1,8,4,4;weights w float 8,8,3,3;%s%sIf c -> y then_branch=@yes else_branch=@no;"
            "Relu y -> z",
            rows[i].condition, branches);
        roof_graph *g = open_text(text, &bytes);
        roof_prediction *p = fx_predict(g, "kv260", NULL);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_LARGER_BRANCH), rows[i].findings);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_CONTROL_FLOW), 0);
        assert_true(p->total.macs == rows[i].macs);
        roof_prediction_free(p);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

/* Multiply-accumulates that attributes tell, and bodies that run a number of times. */
static void macs_follow_from_attributes(void **state)
{
    static const char body[] = "graph b;input i int64 -;input g bool -;input v float 2,4;Identity g -> h;"
                               "MatMul v,w -> u;output h bool -;output u float 2,4;end;";
    static const struct {
        const char *text;
        uint64_t macs; /* ROOF_UNKNOWN: of a part, if of anything */
    } rows[] = {
        {"input x float 2,3;input z float 3,4;Einsum x,z -> y equation=\"ij,jk->ik\"", 24},
        {"input x float 5,2,3;input z float 5,3,4;Einsum x,z -> y equation=\"bij,bjk->bik\"", 120},
        {"input q float 1,8,12;input k float 1,9,12;com.microsoft:MultiHeadAttention q,k,k -> y num_heads=3",
         2 * 8 * 9 * 12},
        {"input q float 1,8,12;com.microsoft:MultiHeadAttention q,q,q -> y num_heads=3 unidirectional=1",
         2 * 36 * 12},
        {"input q float 1,3,8,4;input k float 1,3,9,4;input v float 1,3,9,5;Attention q,k,v -> y",
         8 * 9 * (12 + 15)},
        {"input x float 1,8,12;weights w float 12,36;com.microsoft:Attention x,w -> y num_heads=3",
         8 * 12 * 36 + 2 * 64 * 12},
        /* one query sees the five before it and itself */
        {"input q float 1,1,24;input k float 1,2,5,4;com.microsoft:GroupQueryAttention q,,,k,k -> y "
         "num_heads=2 "
         "kv_num_heads=2",
         2 * 6 * 8},
        {"input x float 1,2,3;weights w int8 3,4;weights s float 1;com.microsoft:DynamicQuantizeMatMul x,w,s "
         "-> y",
         24},
        {"values n int64 - = 5;values c bool - = 1;Loop n,c,x -> y body=@b", 5 * 2 * 16},
        {"input n int64 -;values c bool - = 1;Loop n,c,x -> y body=@b", ROOF_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[800];
        xm_buffer bytes;
        const bool loops = strstr(rows[i].text, "Loop") != NULL;
        snprintf(text, sizeof text, "%s%s%s", loops ? "input x float 2,4;weights w float 4,4;" : "",
                 loops ? body : "", rows[i].text);
        roof_graph *g = open_text(text, &bytes);
        roof_prediction *p = fx_predict(g, "a100", NULL);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_CONTROL_FLOW), rows[i].macs == ROOF_UNKNOWN);
        if (rows[i].macs == ROOF_UNKNOWN)
            assert_true(isnan(p->total.inferences_per_s));
        else if (p->total.macs != rows[i].macs)
            fail_msg("row %zu: %llu", i, (unsigned long long)p->total.macs);
        roof_prediction_free(p);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

/* What a user says of open shapes, and what is wrong in that. */
static void open_shapes_can_be_given(void **state)
{
    static const char open[] = "input x float N,3,H,W;weights w float 8,3,3,3;Conv x,w -> y";
    static const struct {
        const char *text, *shapes;
        uint32_t tokens;
        const char *has; /* dimensions of y, or what is said */
    } rows[] = {
        {open, "x=1x3x10x12", 0, "1,8,10,8"},
        {open, "2x3x10x12", 0, "2,8,10,8"},
        {open, "H=10,W=12", 0, "1,8,10,8"},
        {"input i int64 N,seq;Relu i -> y", NULL, 7, "1,7"},
        {"input i int64 N,S;Relu i -> y", "S=5", 0, "1,5"},
        {open, "z=1x3x10x12", 0, "no input and no open dimension is called 'z'"},
        {open, "x=1x3x10", 0, "has 4 dimensions, and the shape that was given 3"},
        {open, "x=1x4x10x12", 0, "its dimension 2 is not open, and the shape that was given says 4"},
        {open, "x=1x3x10x", 0, "the shape 'x=1x3x10x' is none"},
        {open, "x=1x3x0x4", 0, "is none"},
        {open, "x=99999999999x3x1x4", 0, "is none"},
        {open, "x=", 0, "is none"},
        {open, NULL, 7, "no input of this file leaves the length of a sequence open"},
        {"input x float 1,3;Relu x -> y", "1x3", 0, "no input of this file has an open shape"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = NULL;
        roof_error err = {0};
        const roof_workload requested = {.shapes = rows[i].shapes, .prompt_tokens = rows[i].tokens};
        onnx_text_write(rows[i].text, &bytes);
        const roof_status status = graph_read_memory_as(
            bytes.data + bytes.start, bytes.capacity_bytes - bytes.start, "test.onnx", &requested, &g, &err);
        const char *got = status == ROOF_OK ? dims_of(fx_find_op(g, "y")) : fx_message(&err);
        if (status == ROOF_OK ? strcmp(got, rows[i].has) != 0 : !strstr(got, rows[i].has))
            fail_msg("row %zu: '%s', want '%s'", i, got, rows[i].has);
        assert_true(status == ROOF_OK || status == ROOF_E_USAGE);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

/* Nothing is predicted of a shape that is open, and what to type is said. */
static void an_open_shape_is_no_answer(void **state)
{
    static const char sentence[] =
        "input 'x' leaves 2 dimensions of its shape open, 3 ('height'), 4 ('W'): say what is "
        "meant, for example --shape 'x=1x3x640x640'";
    static const char *const hardware[] = {"kv260", "npu2", "ethos-u55-128", "a100"};
    xm_buffer bytes;
    (void)state;
    roof_graph *g =
        open_text("input x float 1,3,height,W;weights w float 8,3,3,3;Conv x,w -> c;Relu c -> y", &bytes);
    for (size_t h = 0; h < COUNT(hardware); h++) {
        char text[ROOF_SENTENCE_SIZE];
        roof_prediction *p = fx_predict(g, hardware[h], NULL);
        assert_non_null(strstr(roof_prediction_sentence(p, 0, text), sentence));
        assert_true(!p->placement || !strstr(p->placement, "run on the CPU"));
        assert_true(p->total.macs == ROOF_UNKNOWN && isnan(p->total.deployed.ideal_s));
        assert_true(isnan(p->total.predicted_s) && isnan(p->total.inferences_per_s));
        assert_int_equal(p->total.host_layers, 0);
        roof_prediction_free(p);
    }
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

/* Where an operator runs depends on its sizes and attributes, not on its name alone. */
static void limits_of_targets_place_operators(void **state)
{
    static const struct {
        const char *hw, *text;
        uint32_t on_host;
    } rows[] = {
        {"kv260", X4 "weights w float 8,8,1,1;Conv x,w -> c;LeakyRelu c -> y alpha=0.1", 0},
        {"kv260", X4 "weights w float 8,8,1,1;Conv x,w -> c;LeakyRelu c -> y alpha=0.1015625", 0},
        {"kv260", X4 "weights w float 8,8,1,1;Conv x,w -> c;LeakyRelu c -> y alpha=0.2", 1},
        {"kv260", X4 "weights w float 8,8,1,1;Conv x,w -> c;LeakyRelu c -> y", 1},
        {"a100", X4 "weights w float 8,8,1,1;Conv x,w -> c;LeakyRelu c -> y alpha=0.2", 0},
        {"b4096", X4 "weights w float 8,8,1,1;Conv x,w -> c;HardSwish c -> y", 0},
        {"b4096", X4 "weights w float 8,8,1,1;Conv x,w -> c;Add c,x -> a;HardSwish a -> y", 1},
        {"b4096", X4 "weights w float 8,8,1,1;Conv x,w -> c;Sigmoid c -> s;Mul c,s -> y", 1},
        {"b4096", "input x float 1,680,20,20;weights w float 8,680,7,7;Conv x,w -> y", 1},
        {"b4096", "input x float 1,512,20,20;weights w float 8,512,7,7;Conv x,w -> y", 0},
        {"b1152", "input x float 1,512,20,20;weights w float 8,512,7,7;Conv x,w -> y", 1},
        {"b4096", "input x float 1,8,40,40;weights w float 8,8,17,17;Conv x,w -> y", 1},
        {"b4096", X4 "weights w float 8,8,1,1;Conv x,w -> y strides=[9,9]", 1},
        {"npu2", X4 "values s float 4 = 1,1,2,2;Resize x,,s -> y mode=\"linear\"", 1},
        {"npu2", X4 "values s float 4 = 1,1,2,2;Resize x,,s -> y mode=\"nearest\"", 0},
        {"ethos-u55-128", X4 "values s float 4 = 1,1,2,2;Resize x,,s -> y mode=\"nearest\"", 0},
        {"ethos-u55-128", X4 "values s float 4 = 1,1,3,3;Resize x,,s -> y mode=\"nearest\"", 1},
        {"ethos-u85-128", X4 "values s float 4 = 1,1,3,3;Resize x,,s -> y mode=\"nearest\"", 0},
        {"ethos-u55-128", X4 "AveragePool x -> y kernel_shape=[9,9] pads=[4,4,4,4]", 1},
        {"ethos-u55-128", X4 "AveragePool x -> y kernel_shape=[9,9] pads=[0,0,0,0]", 0},
        {"ethos-u55-128", X4 "MaxPool x -> y kernel_shape=[2,2] strides=[4,4]", 1},
        {"ethos-u55-128", "input x float 1,8,90,90;weights w float 8,8,65,1;Conv x,w -> y", 1},
        {"ethos-u55-128", "input x float 1,8,90,90;weights w float 8,8,64,1;Conv x,w -> y", 0},
        {"ethos-u55-128", "input x float 1,8,90,90;weights w float 8,8,3,3;Conv x,w -> y strides=[4,1]", 1},
        /* weights of a dense layer that the file has no values of */
        {"ethos-u55-128", "input x float 4,8;input w float 8,16;Gemm x,w -> y", 0},
        {"ethos-u55-128", "input x float 4,8;input w float 8,16;MatMul x,w -> y", 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = open_text(rows[i].text, &bytes);
        roof_prediction *p = fx_predict(g, rows[i].hw, NULL);
        if (p->total.host_layers != rows[i].on_host)
            fail_msg("row %zu: %u on the CPU: %s", i, p->total.host_layers, p->placement);
        assert_true(!rows[i].on_host || strstr(p->placement, "Reason: "));
        roof_prediction_free(p);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

/* The first line says it, from what inspect --memory reckons. */
static void what_does_not_fit_the_chip_is_said_first(void **state)
{
    static const struct {
        const char *hw, *text, *begins, *has;
    } rows[] = {
        {"wiseeye2", "input x float 1,3,64,64;weights w float 8,3,3,3;Conv x,w -> y",
         "Taken as quantised to int8",
         "Activations take 43 040 B at least, and fit the 2 097 152 B on the chip"},
        {"wiseeye2", "input x float 1,3,1024,1024;weights w float 8,3,3,3;Conv x,w -> y",
         "It cannot be placed, unless it is tiled: activations take ", "of 2 097 152 B on the chip. "},
        {"stm32n6570-dk", "input x float 1,3,1024,1024;weights w float 8,3,3,3;Conv x,w -> y",
         "A part lies in the external RAM, unless it is tiled: ", "of 2 883 584 B on the chip. "},
        {"nucleo-n657x0-q", "input x float 1,3,1024,1024;weights w float 8,3,3,3;Conv x,w -> y",
         "It cannot be placed, unless it is tiled: ", "of 2 883 584 B on the chip. "},
        {"kv260", "input x float 1,3,1024,1024;weights w float 8,3,3,3;Conv x,w -> y",
         "Taken as quantised to int8, since as it stands, in floats, the processor runs it: all 1", "DPU"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = open_text(rows[i].text, &bytes);
        roof_prediction *p = fx_predict(g, rows[i].hw, NULL);
        if (strncmp(p->placement, rows[i].begins, strlen(rows[i].begins)) != 0 ||
            !strstr(p->placement, rows[i].has))
            fail_msg("row %zu: %s", i, p->placement);
        roof_prediction_free(p);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

static void what_is_left_open_is_a_finding(void **state)
{
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        {"input x float N,3;Relu x -> y", "input 'x' leaves its batch open, 'N': taken as 1"},
        {"input x float -1,3;Relu x -> y", "input 'x' leaves its batch open, '': taken as 1"},
        {"input x float N,3,T;input z float 2;Relu z -> y",
         "input 'x' leaves 1 dimension of its shape open, 3 ('T'): say what is meant, for example --shape "
         "'x=1x3x128'"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = open_text(rows[i].text, &bytes);
        roof_prediction *p = fx_predict(g, "kv260", NULL);
        assert_int_equal(fx_count_findings(p, ROOF_FINDING_OPEN_SHAPE), 1);
        assert_string_equal(fx_finding(p, ROOF_FINDING_OPEN_SHAPE), rows[i].sentence);
        roof_prediction_free(p);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
}

static void nodes_may_stand_in_any_order(void **state)
{
    xm_buffer bytes;
    (void)state;
    roof_graph *g = open_text("input x float 2,3;Add b,c -> y;Relu x -> a;Relu a -> b;Neg a -> c", &bytes);
    assert_string_equal(dims_of(fx_find_op(g, "y")), "2,3");
    roof_graph_free(g);
    xm_buffer_free(&bytes);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text, *has;
        roof_status status;
    } rows[] = {
        {"input x float 2;Add x,z -> y", "a node of type 'Add' reads 'z', which nothing makes", ROOF_E_DATA},
        {"input x float 2;Add x,b -> a;Relu a -> b", "reads what is made of its own output", ROOF_E_DATA},
        {"input x float 2;Relu x -> y;Neg x -> y", "a node of type 'Neg' makes 'y', which is there already",
         ROOF_E_DATA},
        {"weights w float 2,-3;Relu w -> y", "initializer 'w' has a dimension of -3, want 0 to 4294967295",
         ROOF_E_DATA},
        {"input x float 4294967295,4294967295,4294967295;Relu x -> y", "the shape of 'x' overflows 64 bits",
         ROOF_E_LIMIT},
        {"opset d 1;input x float 2;d:F x -> y;function d:F a -> b;d:F a -> b;end", "nested deeper than 32",
         ROOF_E_LIMIT},
        {"opset d 1;input x float 2;d:F x -> y;function d:F a -> b;Relu a -> c;end",
         "has to make 'b', and nothing does", ROOF_E_DATA},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer bytes;
        roof_graph *g = NULL;
        roof_error err = {0};
        const roof_status status = read_text(rows[i].text, &bytes, &g, &err);
        if (status != rows[i].status || !strstr(fx_message(&err), rows[i].has))
            fail_msg("row %zu: status %d, '%s'", i, status, fx_message(&err));
        assert_null(g);
        xm_buffer_free(&bytes);
    }
}

static void integers_that_are_none_are_refused(void **state)
{
    static const char integers[] = "\x40\xac\x02\x40\x01";
    xm_buffer bytes;
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    onnx_text_write("input x float 2,3;ReduceSum x -> y axes=[300,1]", &bytes);
    const size_t size = bytes.capacity_bytes - bytes.start;
    unsigned char *at = memmem(bytes.data + bytes.start, size, integers, sizeof integers - 1);
    assert_non_null(at);
    *at = 0x45; /* a number of four bytes, where integers or packed ones are wanted */
    assert_int_equal(graph_read_memory(bytes.data + bytes.start, size, "test.onnx", &g, &err), ROOF_E_DATA);
    assert_non_null(strstr(fx_message(&err), "axes (field 8) has wire type 5, want 2"));
    xm_buffer_free(&bytes);
}

/* Functions that call two functions each make a thousand million nodes of a file of a kilobyte. */
static void a_bomb_of_functions_is_refused(void **state)
{
    char text[4000] = "opset d 1;input x float 2;d:F30 x -> y;function d:F0 a -> b;Relu a -> b;end";
    xm_buffer bytes;
    roof_graph *g = NULL;
    roof_error err = {0};
    (void)state;
    for (int i = 1; i <= 30; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ";function d:F%d a -> c;d:F%d a -> b;d:F%d b -> c;end", i, i - 1, i - 1);
    assert_int_equal(read_text(text, &bytes, &g, &err), ROOF_E_LIMIT);
    assert_non_null(strstr(fx_message(&err), "functions that call functions make more than"));
    xm_buffer_free(&bytes);
}

/* Cut off anywhere, and with any byte changed, a file is read or refused, and never more. */
static void damaged_files_are_read_or_refused(void **state)
{
    xm_buffer bytes;
    (void)state;
    onnx_text_write(
        "opset d 1;input x float N,8,4,4;raw s int64 2 = 1,-1;weights w float 8,8,3,3;declare v float 1,8;"
        "Conv x,w -> a pads=[1,1,1,1];d:F a -> b;Reshape b,s -> y;output y;"
        "function d:F p -> q;Relu p -> q;end",
        &bytes);
    const size_t size = bytes.capacity_bytes - bytes.start;
    unsigned char *copy = malloc(size);
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++) {
        static const unsigned char changes[] = {0x01, 0x80, 0xff};
        for (size_t k = 0; k <= COUNT(changes); k++) {
            roof_graph *g = NULL;
            roof_error err = {0};
            memcpy(copy, bytes.data + bytes.start, size);
            if (k < COUNT(changes))
                copy[i] ^= changes[k];
            const roof_status status =
                graph_read_memory(copy, k < COUNT(changes) ? size : i + 1, "test.onnx", &g, &err);
            assert_true((status == ROOF_OK) == (g != NULL));
            assert_true(status == ROOF_OK || fx_message(&err)[0]);
            roof_graph_free(g);
        }
    }
    free(copy);
    xm_buffer_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_follow_from_operators),
        cmocka_unit_test(shapes_are_reckoned_with),
        cmocka_unit_test(macs_are_those_of_convolutions_and_products),
        cmocka_unit_test(quantised_tensors_have_their_own_bits),
        cmocka_unit_test(functions_stand_for_their_bodies),
        cmocka_unit_test(a_branch_is_taken_where_its_condition_is_known),
        cmocka_unit_test(macs_follow_from_attributes),
        cmocka_unit_test(open_shapes_can_be_given),
        cmocka_unit_test(an_open_shape_is_no_answer),
        cmocka_unit_test(limits_of_targets_place_operators),
        cmocka_unit_test(what_does_not_fit_the_chip_is_said_first),
        cmocka_unit_test(what_is_left_open_is_a_finding),
        cmocka_unit_test(nodes_may_stand_in_any_order),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(integers_that_are_none_are_refused),
        cmocka_unit_test(a_bomb_of_functions_is_refused),
        cmocka_unit_test(damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
