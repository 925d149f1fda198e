/* Names of tensors as llama.cpp and Hugging Face's library write them. */
#include "model/formats/stored/stored_model.h"
#include "tests/unit/fixture.h"

static void a_name_says_what_a_tensor_is(void **state)
{
    static const struct {
        const char *name;
        stored_use use;
        stored_role role;
        uint32_t block;
        const char *expert;
        bool is_after, is_of_experts;
    } names[] = {
        {"token_embd.weight", STORED_TABLE, STORED_OTHER, ROOF_NONE, "", false, false},
        {"token_embd_norm.weight", STORED_READ, STORED_OTHER, ROOF_NONE, "", false, false},
        {"per_layer_token_embd.weight", STORED_GATHERED, STORED_OTHER, ROOF_NONE, "", false, false},
        {"output.weight", STORED_HEAD, STORED_OTHER, ROOF_NONE, "", false, false},
        {"output_norm.weight", STORED_READ, STORED_OTHER, ROOF_NONE, "", false, false},
        {"blk.3.attn_k.weight", STORED_READ, STORED_K, 3, "", false, false},
        {"blk.12.attn_kv_a_mqa.weight", STORED_READ, STORED_LATENT, 12, "", false, false},
        {"blk.0.attn_output.weight", STORED_READ, STORED_O, 0, "", true, false},
        {"blk.0.ffn_up_exps.weight", STORED_READ, STORED_UP, 0, "", true, true},
        {"blk.0.ffn_up_shexp.weight", STORED_READ, STORED_OTHER, 0, "", true, false},
        {"blk.0.ffn_up.7.weight", STORED_READ, STORED_UP, 0, "7", true, false},
        {"blk.61.nextn.eh_proj.weight", STORED_FURTHER, STORED_OTHER, 61, "", false, false},
        {"blk.1.ssm_out.weight", STORED_READ, STORED_STATE, 1, "", true, false},
        {"enc.blk.1.attn_k.weight", STORED_ENCODER, STORED_K, 1, "", false, false},
        {"v.blk.1.attn_k.weight", STORED_SENSES, STORED_K, 1, "", false, false},
        {"model.embed_tokens.weight", STORED_TABLE, STORED_OTHER, ROOF_NONE, "", false, false},
        {"lm_head.weight", STORED_HEAD, STORED_OTHER, ROOF_NONE, "", false, false},
        {"model.language_model.layers.5.self_attn.v_proj.weight", STORED_READ, STORED_V, 5, "", false, false},
        {"model.layers.5.self_attn.o_proj.weight", STORED_READ, STORED_O, 5, "", true, false},
        {"model.layers.5.mlp.experts.127.up_proj.weight", STORED_READ, STORED_UP, 5, "127", true, true},
        {"model.layers.5.mlp.shared_experts.up_proj.weight", STORED_READ, STORED_UP, 5, "", true, false},
        {"model.layers.5.block_sparse_moe.experts.1.w1.weight", STORED_READ, STORED_OTHER, 5, "1", true,
         true},
        {"model.layers.5.mlp.gate_proj.weight_scale_inv", STORED_READ, STORED_ASIDE, 5, "", true, false},
        {"model.layers.5.self_attn.k_proj.scales", STORED_READ, STORED_ASIDE, 5, "", false, false},
        {"model.layers.5.linear_attn.A_log", STORED_READ, STORED_STATE, 5, "", false, false},
        {"blk.2.ssm_in.weight", STORED_READ, STORED_STATE_IN, 2, "", false, false},
        {"backbone.layers.2.mixer.in_proj.weight", STORED_READ, STORED_STATE_IN, 2, "", false, false},
        {"model.layers.2.conv.in_proj.weight", STORED_READ, STORED_TAPS, 2, "", false, false},
        {"model.layers.2.linear_attn.in_proj_qkvz.weight", STORED_READ, STORED_STATE, 2, "", false, false},
        {"blk.2.attn_q_b.weight", STORED_READ, STORED_Q, 2, "", false, false},
        {"transformer.h.7.attn.c_proj.weight", STORED_READ, STORED_O, 7, "", true, false},
        {"gpt_neox.layers.2.attention.query_key_value.weight", STORED_READ, STORED_QKV, 2, "", false, false},
        {"visual.blocks.4.attn.qkv.weight", STORED_SENSES, STORED_OTHER, 4, "", false, false},
        {"vision_tower.encoder.layers.0.k_proj.weight", STORED_SENSES, STORED_K, 0, "", false, false},
        {"mtp.layers.0.mlp.up_proj.weight", STORED_FURTHER, STORED_UP, 0, "", true, false},
        {"blk.1234567.attn_k.weight", STORED_READ, STORED_K, ROOF_NONE, "", false, false},
        {"blk.x.attn_k.weight", STORED_READ, STORED_K, ROOF_NONE, "", false, false},
        {"", STORED_READ, STORED_OTHER, ROOF_NONE, "", false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const stored_name n = stored_name_of((text_span){names[i].name, strlen(names[i].name)});
        if (n.use != names[i].use || n.role != names[i].role || n.block != names[i].block ||
            !span_is(n.expert, names[i].expert) || n.is_after != names[i].is_after ||
            n.is_of_experts != names[i].is_of_experts)
            fail_msg("%s: use %d, role %d, layer %u, after %d, experts %d", names[i].name, n.use, n.role,
                     n.block, n.is_after, n.is_of_experts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_name_says_what_a_tensor_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
