/* predict.c - what a network takes at best on a piece of hardware, and its three slowest layers, with
 * libroofline.
 *
 * usage: predict MODEL [HW]     such as: predict ../models/mobilenetv2-b4096.xmodel kv260
 * By hand: cc -std=c17 predict.c $(pkg-config --cflags --libs roofline) -o predict
 */
#include <roofline/prediction.h>
#include <stdio.h>

static void print_slowest(const roof_prediction *p)
{
    const roof_layer_prediction *top[4] = {NULL}; /* the slowest first; the fourth falls out */
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *layer = &p->layers[i];
        int at = 3;
        if (layer->deployed.bound == ROOF_NONE)
            continue; /* takes no time on the accelerator, or none that is known */
        for (; at > 0 && (!top[at - 1] || top[at - 1]->deployed.ideal_s < layer->deployed.ideal_s); at--)
            top[at] = top[at - 1];
        top[at] = layer;
    }
    for (int i = 0; i < 3 && top[i]; i++)
        printf("%8.1f us  %-8s %s\n", 1e6 * top[i]->deployed.ideal_s, p->engines[top[i]->deployed.bound],
               top[i]->name);
}

int main(int argc, char **argv)
{
    roof_graph *graph = NULL;
    roof_hw *hw = NULL;
    roof_prediction *prediction = NULL;
    roof_error err;
    char sentence[ROOF_SENTENCE_SIZE];
    if (argc < 2)
        return fprintf(stderr, "usage: predict MODEL [HW]\n"), 64;
    roof_status status = roof_graph_read(argv[1], &graph, &err);
    if (status == ROOF_OK)
        status = roof_hw_load(argc > 2 ? argv[2] : "b4096", &hw, &err);
    if (status == ROOF_OK)
        status = roof_predict(graph, hw, NULL, &prediction, &err);
    if (status == ROOF_OK) {
        printf("%s\n", roof_prediction_sentence(prediction, 0, sentence));
        printf("%s\n", roof_prediction_sentence(prediction, 1, sentence));
        print_slowest(prediction);
    } else {
        char message[1500];
        roof_error_format(&err, message, sizeof message);
        fprintf(stderr, "predict: %s\n", message);
    }
    roof_prediction_free(prediction); /* all of them take NULL */
    roof_hw_free(hw);
    roof_graph_free(graph);
    return roof_status_exit_code(status);
}
