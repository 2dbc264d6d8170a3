# SPDX-License-Identifier: Apache-2.0
"""Hugging Face's Flax models (transformers < 5) from small configurations."""

import jax
import jax.numpy as jnp
import transformers as hf

from table import f32, i32, key
from zoo import filled, leaves, model

tokens, mask = i32("B", 7).between(3, 60), i32("B", 7).between(1, 1)
image = f32("B", 3, 32, 32)
small = dict(
    vocab_size=64,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=32,
)
seq2seq = dict(
    vocab_size=64,
    d_model=16,
    encoder_layers=1,
    decoder_layers=1,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    max_position_embeddings=32,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=1,
    forced_eos_token_id=2,
)
tower = dict(
    hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=32, patch_size=8
)


def weighted(network, config, **options):
    """The network with weights. Its own initialisation would compile every operation."""
    net = network(config, _do_init=False, seed=0, **options)
    net._is_initialized = True
    net.params = filled(net.params_shape_tree)
    return net


def text(name, network, config, **options):
    @model(name, tokens, mask)
    def build():
        net = weighted(getattr(hf, network), getattr(hf, config)(**options), input_shape=(1, 7))
        return leaves(lambda ids, mask: net(ids, attention_mask=mask))


def vision(name, network, config, **options):
    @model(name, image)
    def build():
        net = weighted(getattr(hf, network), getattr(hf, config)(**options), input_shape=(1, 32, 32, 3))
        return leaves(lambda pixels: net(pixels))


def translation(name, network, config, **options):
    @model(name, tokens, mask, i32("B", 5).between(3, 60))
    def build():
        net = weighted(getattr(hf, network), getattr(hf, config)(**options))
        return leaves(lambda ids, mask, target: net(ids, attention_mask=mask, decoder_input_ids=target))


text("bert", "FlaxBertModel", "BertConfig", **small)
text("bert_masked_lm", "FlaxBertForMaskedLM", "BertConfig", **small)
text("bert_question_answering", "FlaxBertForQuestionAnswering", "BertConfig", **small)
text("bert_sequence_classification", "FlaxBertForSequenceClassification", "BertConfig", **small)
text("bert_token_classification", "FlaxBertForTokenClassification", "BertConfig", **small)
text("albert", "FlaxAlbertModel", "AlbertConfig", **small, embedding_size=8)
text("roberta", "FlaxRobertaForMaskedLM", "RobertaConfig", **small)
text("roberta_prelayernorm", "FlaxRobertaPreLayerNormModel", "RobertaPreLayerNormConfig", **small)
text("xlm_roberta", "FlaxXLMRobertaForMaskedLM", "XLMRobertaConfig", **small)
text("electra", "FlaxElectraForPreTraining", "ElectraConfig", **small, embedding_size=8)
text(
    "distilbert",
    "FlaxDistilBertForMaskedLM",
    "DistilBertConfig",
    vocab_size=64,
    dim=16,
    n_layers=2,
    n_heads=2,
    hidden_dim=32,
    max_position_embeddings=32,
)
text("roformer", "FlaxRoFormerModel", "RoFormerConfig", **small, embedding_size=16)
text("big_bird", "FlaxBigBirdModel", "BigBirdConfig", **small, attention_type="original_full")
text("gpt2", "FlaxGPT2LMHeadModel", "GPT2Config", vocab_size=64, n_embd=16, n_layer=2, n_head=2, n_positions=32)
text(
    "gpt_neo",
    "FlaxGPTNeoForCausalLM",
    "GPTNeoConfig",
    vocab_size=64,
    hidden_size=16,
    num_layers=2,
    num_heads=2,
    intermediate_size=32,
    max_position_embeddings=32,
    attention_types=[[["global", "local"], 1]],
)
text(
    "gptj",
    "FlaxGPTJForCausalLM",
    "GPTJConfig",
    vocab_size=64,
    n_embd=16,
    n_layer=2,
    n_head=2,
    n_positions=32,
    rotary_dim=4,
)
text(
    "opt",
    "FlaxOPTForCausalLM",
    "OPTConfig",
    vocab_size=64,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    ffn_dim=32,
    max_position_embeddings=32,
    word_embed_proj_dim=16,
)
text("bloom", "FlaxBloomForCausalLM", "BloomConfig", vocab_size=64, hidden_size=16, n_layer=2, n_head=2)
text("llama", "FlaxLlamaForCausalLM", "LlamaConfig", **small, num_key_value_heads=1)
text("mistral", "FlaxMistralForCausalLM", "MistralConfig", **small, num_key_value_heads=1, sliding_window=4)
text("gemma", "FlaxGemmaForCausalLM", "GemmaConfig", **small, num_key_value_heads=1, head_dim=8)
text(
    "xglm",
    "FlaxXGLMForCausalLM",
    "XGLMConfig",
    vocab_size=64,
    d_model=16,
    num_layers=2,
    attention_heads=2,
    ffn_dim=32,
    max_position_embeddings=32,
)
translation(
    "t5",
    "FlaxT5ForConditionalGeneration",
    "T5Config",
    vocab_size=64,
    d_model=16,
    d_kv=8,
    d_ff=32,
    num_layers=1,
    num_heads=2,
    decoder_start_token_id=0,
)
translation(
    "mt5",
    "FlaxMT5ForConditionalGeneration",
    "MT5Config",
    vocab_size=64,
    d_model=16,
    d_kv=8,
    d_ff=32,
    num_layers=1,
    num_heads=2,
    decoder_start_token_id=0,
)
translation(
    "longt5",
    "FlaxLongT5ForConditionalGeneration",
    "LongT5Config",
    vocab_size=64,
    d_model=16,
    d_kv=8,
    d_ff=32,
    num_layers=1,
    num_heads=2,
    local_radius=3,
    global_block_size=2,
    decoder_start_token_id=0,
)
translation("bart", "FlaxBartForConditionalGeneration", "BartConfig", **seq2seq)
translation("mbart", "FlaxMBartForConditionalGeneration", "MBartConfig", **seq2seq)
translation("marian", "FlaxMarianMTModel", "MarianConfig", **seq2seq)
translation("pegasus", "FlaxPegasusForConditionalGeneration", "PegasusConfig", **seq2seq)
translation("blenderbot", "FlaxBlenderbotForConditionalGeneration", "BlenderbotConfig", **seq2seq)
vision("vit", "FlaxViTForImageClassification", "ViTConfig", **tower)
vision("beit", "FlaxBeitForImageClassification", "BeitConfig", **tower, use_relative_position_bias=True)
vision(
    "dinov2",
    "FlaxDinov2Model",
    "Dinov2Config",
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    image_size=32,
    patch_size=8,
)
vision(
    "resnet", "FlaxResNetForImageClassification", "ResNetConfig", embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1]
)
vision(
    "resnet_basic",
    "FlaxResNetModel",
    "ResNetConfig",
    embedding_size=8,
    hidden_sizes=[8, 16],
    depths=[2, 1],
    layer_type="basic",
)
vision(
    "regnet",
    "FlaxRegNetForImageClassification",
    "RegNetConfig",
    embedding_size=8,
    hidden_sizes=[8, 16],
    depths=[1, 1],
    groups_width=4,
)


@model("clip", tokens, image)
def clip():
    config = hf.CLIPConfig(text_config=dict(**small, eos_token_id=59), vision_config=tower, projection_dim=8)
    net = weighted(hf.FlaxCLIPModel, config)
    return leaves(lambda ids, pixels: net(ids, pixels))


@model("wav2vec2", f32("B", 400))
def wav2vec2():
    config = hf.Wav2Vec2Config(
        **{k: v for k, v in small.items() if k != "max_position_embeddings"},
        conv_dim=(8, 8),
        conv_stride=(5, 2),
        conv_kernel=(10, 3),
        num_conv_pos_embeddings=4,
        num_conv_pos_embedding_groups=2,
        do_stable_layer_norm=True,
        feat_extract_norm="layer",
    )
    net = weighted(hf.FlaxWav2Vec2Model, config, input_shape=(1, 400))
    return leaves(lambda wave: net(wave))


@model("whisper", f32("B", 16, 40), i32("B", 5).between(3, 60))
def whisper():
    config = hf.WhisperConfig(
        **{k: v for k, v in seq2seq.items() if k not in ("max_position_embeddings", "forced_eos_token_id")},
        num_mel_bins=16,
        max_source_positions=20,
        max_target_positions=16,
    )
    net = weighted(hf.FlaxWhisperForConditionalGeneration, config, input_shape=(1, 16, 40))
    return leaves(lambda mel, ids: net(mel, ids))


@model("gpt2_cached_step", i32(2, 1).between(3, 60))
def gpt2_step():
    net = weighted(hf.FlaxGPT2LMHeadModel, hf.GPT2Config(vocab_size=64, n_embd=16, n_layer=2, n_head=2, n_positions=32))
    cache = net.init_cache(2, 8)
    positions = jnp.zeros((2, 1), "i4")
    return leaves(lambda ids: net(ids, past_key_values=cache, position_ids=positions))


@model("gpt2_greedy_generation", i32(2, 4).between(3, 60))
def gpt2_generate():
    net = weighted(
        hf.FlaxGPT2LMHeadModel,
        hf.GPT2Config(vocab_size=64, n_embd=16, n_layer=2, n_head=2, n_positions=32, pad_token_id=0, eos_token_id=1),
    )
    return leaves(lambda ids: net.generate(ids, max_length=8, do_sample=False).sequences)


def generation(name, network, config, **options):
    """Loops that call the network with its cache."""

    @model(name, i32(2, 4).between(3, 60), rtol=1e-3, atol=1e-3)
    def build():
        net = weighted(getattr(hf, network), config())
        return leaves(lambda ids: net.generate(ids, **options).sequences)


gpt2 = lambda: hf.GPT2Config(
    vocab_size=64, n_embd=16, n_layer=2, n_head=2, n_positions=32, pad_token_id=0, eos_token_id=1, bos_token_id=2
)
llama = lambda: hf.LlamaConfig(**small, num_key_value_heads=1, pad_token_id=0, bos_token_id=1, eos_token_id=2)
generation("gpt2_beam_generation", "FlaxGPT2LMHeadModel", gpt2, max_length=8, num_beams=3, do_sample=False)
generation(
    "gpt2_sampled_generation",
    "FlaxGPT2LMHeadModel",
    gpt2,
    max_length=8,
    do_sample=True,
    top_k=5,
    top_p=0.9,
    temperature=0.7,
)
generation(
    "gpt2_constrained_generation",
    "FlaxGPT2LMHeadModel",
    gpt2,
    max_length=8,
    min_length=6,
    do_sample=False,
    no_repeat_ngram_size=2,
    forced_eos_token_id=1,
    suppress_tokens=[5, 6],
    begin_suppress_tokens=[7],
)
generation("llama_greedy_generation", "FlaxLlamaForCausalLM", llama, max_length=8, do_sample=False)
generation(
    "bart_greedy_generation",
    "FlaxBartForConditionalGeneration",
    lambda: hf.BartConfig(**seq2seq),
    max_length=6,
    do_sample=False,
    num_beams=1,
)
generation(
    "t5_beam_generation",
    "FlaxT5ForConditionalGeneration",
    lambda: hf.T5Config(
        vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0
    ),
    max_length=6,
    num_beams=2,
)


@model("whisper_generation", f32(1, 16, 40), rtol=1e-3, atol=1e-3)
def whisper_generation():
    config = hf.WhisperConfig(
        **{k: v for k, v in seq2seq.items() if k not in ("max_position_embeddings", "forced_eos_token_id")},
        num_mel_bins=16,
        max_source_positions=20,
        max_target_positions=16,
    )
    net = weighted(hf.FlaxWhisperForConditionalGeneration, config, input_shape=(1, 16, 40))
    return leaves(lambda mel: net.generate(mel, max_length=6, do_sample=False).sequences)


def training(name, network, config, *arguments, loss, **options):
    """The gradient of a loss with dropout."""

    @model(name, *arguments, key(1), rtol=5e-3, atol=1e-3)
    def build():
        net = weighted(getattr(hf, network), config(), **options)

        def step(*inputs):
            *inputs, k = inputs
            return jax.value_and_grad(lambda params: loss(net, params, k, *inputs))(net.params)

        return leaves(step)


def shifted(logits, ids):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits[:, :-1]), ids[:, 1:, None], -1).mean()


training(
    "gpt2_training",
    "FlaxGPT2LMHeadModel",
    gpt2,
    tokens,
    loss=lambda net, params, k, ids: shifted(net(ids, params=params, dropout_rng=k, train=True).logits, ids),
)
training(
    "llama_training",
    "FlaxLlamaForCausalLM",
    llama,
    tokens,
    loss=lambda net, params, k, ids: shifted(net(ids, params=params).logits, ids),
)
training(
    "bert_training",
    "FlaxBertForMaskedLM",
    lambda: hf.BertConfig(**small),
    tokens,
    mask,
    loss=lambda net, params, k, ids, mask: shifted(
        net(ids, attention_mask=mask, params=params, dropout_rng=k, train=True).logits, ids
    ),
)
training(
    "t5_training",
    "FlaxT5ForConditionalGeneration",
    lambda: hf.T5Config(
        vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0
    ),
    tokens,
    i32("B", 5).between(3, 60),
    loss=lambda net, params, k, ids, target: shifted(
        net(ids, decoder_input_ids=target, params=params, dropout_rng=k, train=True).logits, target
    ),
)
training(
    "vit_training",
    "FlaxViTForImageClassification",
    lambda: hf.ViTConfig(**tower),
    image,
    loss=lambda net, params, k, pixels: jax.nn.logsumexp(
        net(pixels, params=params, dropout_rng=k, train=True).logits, -1
    ).mean(),
    input_shape=(1, 32, 32, 3),
)

for dtype in ("bfloat16", "float16"):

    @model(f"gpt2_{dtype}", tokens, rtol=6e-2, atol=6e-2)
    def half(dtype=dtype):
        net = weighted(hf.FlaxGPT2LMHeadModel, gpt2(), dtype=getattr(jnp, dtype))
        return leaves(lambda ids: net(ids).logits)


sequences, masks = i32("B", "C").between(3, 60), i32("B", "C").between(1, 1)
for name, network, config in [
    ("bert", "FlaxBertModel", lambda: hf.BertConfig(**small)),
    ("gpt2", "FlaxGPT2LMHeadModel", gpt2),
    ("llama", "FlaxLlamaForCausalLM", llama),
    ("roberta", "FlaxRobertaModel", lambda: hf.RobertaConfig(**small)),
    (
        "t5_encoder",
        "FlaxT5EncoderModel",
        lambda: hf.T5Config(vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2),
    ),
    (
        "distilbert",
        "FlaxDistilBertModel",
        lambda: hf.DistilBertConfig(
            vocab_size=64, dim=16, n_layers=2, n_heads=2, hidden_dim=32, max_position_embeddings=32
        ),
    ),
    ("electra", "FlaxElectraForMaskedLM", lambda: hf.ElectraConfig(**small, embedding_size=8)),
    ("albert", "FlaxAlbertModel", lambda: hf.AlbertConfig(**small, embedding_size=8)),
]:

    @model(f"{name}_any_length", sequences, masks)
    def any_length(network=network, config=config):
        net = weighted(getattr(hf, network), config())
        positions = lambda ids: jnp.broadcast_to(jnp.arange(ids.shape[1]), ids.shape)
        needs = "t5" not in network.lower() and "distil" not in network.lower()
        return leaves(
            lambda ids, mask: net(ids, attention_mask=mask, **({"position_ids": positions(ids)} if needs else {}))
        )


@model("bert_next_sentence", tokens, mask)
def next_sentence():
    net = weighted(hf.FlaxBertForPreTraining, hf.BertConfig(**small), input_shape=(1, 7))
    return leaves(lambda ids, mask: net(ids, attention_mask=mask, output_hidden_states=True, output_attentions=True))


@model("roberta_multiple_choice", i32("B", 3, 7).between(3, 60))
def multiple_choice():
    net = weighted(hf.FlaxRobertaForMultipleChoice, hf.RobertaConfig(**small), input_shape=(1, 3, 7))
    return leaves(lambda ids: net(ids))


@model("big_bird_sparse", i32(1, 64).between(3, 60), i32(1, 64).between(1, 1), rtol=1e-3, atol=1e-3)
def big_bird():
    net = weighted(
        hf.FlaxBigBirdModel,
        hf.BigBirdConfig(
            **{**small, "max_position_embeddings": 64}, attention_type="block_sparse", block_size=4, num_random_blocks=1
        ),
        input_shape=(1, 64),
    )
    return leaves(lambda ids, mask: net(ids, attention_mask=mask))
