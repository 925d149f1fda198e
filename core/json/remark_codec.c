#include "core/json/remark_codec.h"

#include <ctype.h>
#include <strings.h>

static const char *const forms[] = {
#define FORM(name, kind) #name,
#include "roofline/forms.def"
#undef FORM
};

/* --- writing ------------------------------------------------------------------------------------------ */

void remark_put(jsonout *j, const roof_remark *remark)
{
    char form[64];
    size_t length = 0;
    int n = ROOF_MAX_OPERANDS;
    if (remark->form == ROOF_FORM_NONE)
        return;
    for (const char *at = forms[remark->form]; *at && length < sizeof form - 1; at++)
        form[length++] = (char)tolower((unsigned char)*at);
    form[length] = '\0';
    jsonout_string(j, "form", form);
    while (n && !remark->operands[n - 1].text && !remark->operands[n - 1].unit)
        n--;
    jsonout_array(j, "operands", true);
    for (int i = 0; i < n; i++) {
        const roof_operand *operand = &remark->operands[i];
        jsonout_object(j, NULL, true);
        if (operand->text || !operand->unit) {
            jsonout_string(j, "text", operand->text ? operand->text : "");
        } else {
            jsonout_derived(j, "number", operand->number);
            jsonout_string(j, "unit", operand->unit);
        }
        jsonout_end(j);
    }
    jsonout_end(j);
}

void remark_write(codec *c, const char *key, const void *target)
{
    (void)key;
    remark_put(c->out, target);
}

/* --- reading ------------------------------------------------------------------------------------------ */

roof_status remark_read_form(codec *c, const json_event *event, void *target)
{
    roof_remark *remark = target;
    if (event->kind != JSON_STRING)
        return codec_fail(c, "is not a text");
    for (int i = 0; i < ROOF_FORM_COUNT; i++)
        if (strcasecmp(event->text, forms[i]) == 0)
            remark->form = (roof_form)i;
    return ROOF_OK;
}

static roof_status end_operand(codec *c, void *target)
{
    roof_operand *operand = target;
    if (operand->text)
        operand->number = 0;
    return operand->text || operand->unit ? ROOF_OK : codec_fail(c, "has neither \"text\" nor \"unit\"");
}

static const codec_member operand_members[] = {
    {CODEC(roof_operand, text, TEXT, OMIT)},
    {CODEC(roof_operand, number, NUMBER, OMIT)},
    {CODEC(roof_operand, unit, SHARED, OMIT)},
};
static const codec_object operand_object = {CODEC_ROWS(operand_members), .name = "an operand",
                                            .end = end_operand};

roof_status remark_read_operand(codec *c, const json_event *event, void *target)
{
    roof_operand *operand = ((roof_remark *)target)->operands;
    int i = 0;
    while (i < ROOF_MAX_OPERANDS && (operand[i].text || operand[i].unit))
        i++;
    if (i == ROOF_MAX_OPERANDS)
        return codec_fail(c, "is more than the %d operands that a form has", ROOF_MAX_OPERANDS);
    codec_forget(&operand_object, &operand[i]);
    return codec_read_object(c, event, &operand_object, &operand[i]);
}
