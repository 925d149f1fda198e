/* What a runner may have to say: text in other encodings, counts of 16 digits, times that are not known, an
 * error that is too long. */
#include "speak.h"

#include <math.h>
#include <string.h>

int main(void)
{
    speaker *s = speak_begin();
    uint32_t iterations;
    char lengthy[1000];
    if (!s)
        return 2;
    const speak_request *q = speak_request_of(s);
    speak_hello_to(s,
                   &(speak_hello){.device = "caf\xc3\xa9 \xe9\x1b[31m\n\xc2\x9b\xf0\x9f\x98\x80\xed\xa0\x80",
                                  .version = q->model,
                                  .note = speak_option(s, "note", "none"),
                                  .batch = q->batch});
    speak_layers(s,
                 (speak_layer[]){{"a\"/\\", "conv", NULL, 9007199254740991, SPEAK_UNKNOWN},
                                 {"b", NULL, "no code", SPEAK_UNKNOWN, 0}},
                 2);
    while (speak_next_turn(s, &iterations)) {
        speak_sample_of(s, &(speak_sample){.total_s = 0.1,
                                           .phases = (const char *const[]){"run_s"},
                                           .phases_s = (double[]){1e-9},
                                           .n_phases = 1,
                                           .layers_s = (double[]){1234567890123456, NAN},
                                           .n_layers = 2});
        speak_round(s, iterations);
    }
    speak_done(s, 0);
    memset(lengthy, 'x', sizeof lengthy);
    memcpy(lengthy + 698, "\xc3\xa9", 3); /* cut in the middle */
    speak_error(s, "usage", "%s", lengthy);
    return speak_end(s);
}
