# SPDX-License-Identifier: Apache-2.0
"""Folders for onnxruntime-genai, which must choose the tokens that JAX chooses."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from decoders import appended, gemma, gpt2, greedy, llama, written

from jax2onnx_cpp import genai

PROMPT, SHORT = [5, 17, 60, 3, 42], [7, 8, 9]
FIXED = dict(context_length=64, eos_token_id=0)


def generator(folder, length, sequences=1, **search):
    runtime = pytest.importorskip("onnxruntime_genai")
    model = runtime.Model(str(folder))
    parameters = runtime.GeneratorParams(model)
    parameters.set_search_options(max_length=length, batch_size=sequences, **search)
    return runtime.Generator(model, parameters)


def generated(folder, *prompts, count=12, **search):
    """The tokens of each prompt and the tokens generated after it, without padding."""
    longest = max(map(len, prompts))
    found = generator(folder, longest + count, len(prompts), **search)
    found.append_tokens(np.array([p + [0] * (longest - len(p)) for p in prompts], "int32"))
    while not found.is_done():
        found.generate_next_token()
    sequences = [found.get_sequence(i).tolist() for i in range(len(prompts))]
    return [sequence[: len(p)] + sequence[longest:] for p, sequence in zip(prompts, sequences)]


@pytest.mark.parametrize("decoder, update", [(llama, appended), (gemma, written), (gpt2, appended), (gpt2, written)])
def test_tokens_are_those_of_jax(decoder, update, tmp_path):
    pytest.importorskip("onnxruntime_genai")
    if decoder is not gpt2:
        pytest.importorskip("flax")
    step, cache = decoder(update)
    shared = update is written
    model = genai.save_folder(step, tmp_path, cache=cache, shared_cache=shared, **FIXED)
    assert model.warnings == ()
    want = greedy(step, cache, PROMPT, 12, shared)
    assert len(set(want)) > 8
    assert generated(tmp_path, PROMPT) == [want]


@pytest.mark.parametrize("update", [appended, written])
def test_batches_and_more_text(update, tmp_path):
    pytest.importorskip("onnxruntime_genai")
    step, cache = gpt2(update)
    shared = update is written
    genai.save_folder(step, tmp_path, cache=cache, shared_cache=shared, assume_finite=True, **FIXED)
    want = [greedy(step, cache, prompt, 9, shared) for prompt in (PROMPT, SHORT)]
    assert generated(tmp_path, PROMPT, SHORT, count=9) == want
    found = generator(tmp_path, 40)
    found.append_tokens(PROMPT)
    for _ in range(4):
        found.generate_next_token()
    found.rewind_to(7)  # the last token is not in the cache yet, and would be skipped
    found.append_tokens([*want[0][7:9], 11, 12])
    for _ in range(3):
        found.generate_next_token()
    assert found.get_sequence(0).tolist() == greedy(step, cache, [*want[0][:9], 11, 12], 3, shared)


def test_beams_take_a_growing_cache(tmp_path):
    pytest.importorskip("onnxruntime_genai")
    step, cache = gpt2(appended)
    genai.save_folder(step, tmp_path, cache=cache, **FIXED)
    (found,) = generated(tmp_path, PROMPT, num_beams=3)
    assert found[:5] == PROMPT and len(found) > 8


def test_models_of_transformers(tmp_path):
    pytest.importorskip("onnxruntime_genai")
    pytest.importorskip("flax")
    hf = pytest.importorskip("transformers")
    if not hasattr(hf, "FlaxLlamaForCausalLM"):
        pytest.skip("transformers has no models of Flax")
    sizes = dict(vocab_size=96, hidden_size=32, intermediate_size=64, num_hidden_layers=2, max_position_embeddings=64)
    heads = dict(num_attention_heads=4, num_key_value_heads=2, initializer_range=0.3)
    net = hf.FlaxLlamaForCausalLM(hf.LlamaConfig(**sizes, **heads))

    def step(input_ids, attention_mask, position_ids, cache):
        results = net(input_ids, attention_mask, position_ids, past_key_values=cache)
        return results.logits, results.past_key_values

    cache = jax.tree_util.tree_map(
        lambda leaf: ("B", "P", *leaf.shape[2:]) if leaf.ndim else "i32[]", net.init_cache(1, 1)
    )
    model = genai.save_folder(step, tmp_path, cache=cache, shared_cache=True, **FIXED)
    assert model.warnings == () and model.report["operators"]["Attention"] == 2
    tokens, whole = list(SHORT), jax.jit(lambda ids: net(ids).logits)
    for _ in range(12):
        logits = whole(jnp.asarray([tokens + [0] * (16 - len(tokens))], "int32"))
        tokens.append(int(logits[0, len(tokens) - 1].argmax()))
    assert generated(tmp_path, SHORT) == [tokens]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_caches_of_16_bits(dtype, tmp_path):
    pytest.importorskip("onnxruntime_genai")
    table = 8 * jax.random.normal(jax.random.key(1), (96, 8))

    def step(input_ids, cache):
        x = table[input_ids][:, None]
        key, value = (jnp.concatenate([past, x.astype(dtype)], 2) for past in cache)
        logits = (x @ key.mT.astype("float32") @ value)[:, 0] @ table.T
        return logits.astype(dtype), (key, value)

    model = genai.save_folder(step, tmp_path, cache=(f"{dtype}[B,1,P,8]",) * 2, **FIXED)
    types = [value.dtype for value in (*model.inputs, *model.outputs)]
    assert types == ["int32", dtype, dtype, "float16" if dtype == "float16" else "float32", dtype, dtype]
    assert len(generated(tmp_path, PROMPT)[0]) == 17


@pytest.mark.parametrize(
    "option, form, error",
    [("weight_format", "int8", 0.05), ("weight_format", "int4", 0.4), ("compute", "float16", 0.01)],
)
def test_weights_of_few_bits(option, form, error, tmp_path):
    pytest.importorskip("onnxruntime_genai")
    step, cache = gpt2(appended, width=64)
    files, logits = {}, {}
    options = dict(target="ort-contrib", assume_finite=True, **FIXED)
    for name in (None, form):
        folder = tmp_path / str(name)
        genai.save_folder(step, folder, cache=cache, **{option: name}, **options)
        files[name] = (folder / "model.onnx.data").stat().st_size
        found = generator(folder, 8)
        found.append_tokens(PROMPT)
        logits[name] = np.array(found.get_logits()).ravel()
    assert files[form] < files[None] * 0.51
    assert np.abs(logits[form] - logits[None]).max() < error * np.abs(logits[None]).max()
    assert generated(tmp_path / form, PROMPT)[0][:5] == PROMPT


# ---- without the runtime ---------------------------------------------------------------------------------------------


def tiny(input_ids, cache):
    """The attention of one head, without anything else."""
    table = jnp.ones((32, 8))
    x = table[input_ids][:, None]
    key, value = (jnp.concatenate([past, x], 2) for past in cache)
    return (x @ key.mT @ value)[:, 0] @ table.T, (key, value)


CACHE = ("B,1,P,8",) * 2


def config(folder):
    return json.loads((folder / "genai_config.json").read_text())


def test_names_and_numbers(tmp_path):
    step, cache = gpt2(appended)
    model = genai.save_folder(
        step,
        tmp_path / "new" / "folder",
        cache=cache,
        context_length=64,
        eos_token_id=[3, 4],
        bos_token_id=np.int64(2),
        config={"search": {"top_k": 40}, "model": {"decoder": {"session_options": {"intra_op_num_threads": 2}}}},
    )
    assert [str(value) for value in model.inputs] == [
        "input_ids int32[B,S]",
        "attention_mask int32[B,P + S]",
        "position_ids int32[B,S]",
        *(f"past_key_values.{i}.{name} float32[B,4,P,8]" for i in (0, 1) for name in ("key", "value")),
    ]
    assert [str(value) for value in model.outputs] == [
        "logits float32[B,S,96]",
        *(f"present.{i}.{name} float32[B,4,P + S,8]" for i in (0, 1) for name in ("key", "value")),
    ]
    found = config(tmp_path / "new" / "folder")
    decoder = found["model"].pop("decoder")
    assert found["model"] == {
        "type": "decoder",
        "bos_token_id": 2,
        "eos_token_id": [3, 4],
        "pad_token_id": 3,
        "context_length": 64,
        "vocab_size": 96,
    }
    assert found["search"] == {"max_length": 64, "past_present_share_buffer": False, "top_k": 40}
    assert (decoder["num_hidden_layers"], decoder["num_key_value_heads"], decoder["head_size"]) == (2, 4, 8)
    assert decoder["session_options"]["intra_op_num_threads"] == 2
    assert list(decoder["inputs"])[:3] == ["input_ids", "attention_mask", "position_ids"]


def test_inputs_that_a_function_does_not_take(tmp_path):
    model = genai.save_folder(tiny, tmp_path, cache=CACHE, **FIXED)
    assert [value.name for value in model.inputs] == ["input_ids", "past_key_values.0.key", "past_key_values.0.value"]
    assert list(config(tmp_path)["model"]["decoder"]["inputs"]) == ["input_ids", "past_key_names", "past_value_names"]


def test_start_needs_the_mask_of_a_shared_cache(tmp_path):
    def step(input_ids, start, cache):
        key, value = (jax.lax.dynamic_update_slice(c, jnp.ones((*c.shape[:2], 1, 8)), (0, 0, start, 0)) for c in cache)
        return jnp.ones((*input_ids.shape, 32)) * key.sum(), (key, value)

    model = genai.save_folder(step, tmp_path, cache=CACHE, shared_cache=True, **FIXED)
    assert [value.name for value in model.inputs][:2] == ["input_ids", "attention_mask"]
    assert config(tmp_path)["search"]["past_present_share_buffer"]


@pytest.mark.parametrize(
    "cache, want",
    [
        ([("B,1,P,8", "B,1,P,8")] * 2, [0, 1, 2, 3]),
        ({"k": ["B,1,P,8"] * 2, "v": ["B,1,P,8"] * 2}, [0, 2, 1, 3]),
        ({f"layer_{i}": {"value": "B,1,P,8", "key": "B,1,P,8", "cache_index": "i32[]"} for i in (2, 10)}, [4, 5, 1, 2]),
        ({"past_key_values": ["B,1,P,8"] * 2}, [0, 1]),
    ],
)
def test_keys_and_values_are_found(cache, want):
    assert genai.Layout(cache, shared=True).numbers == want


def test_files_of_a_tokenizer(tmp_path):
    (tmp_path / "from").mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json", "weights.bin"):
        (tmp_path / "from" / name).write_text("{}")
    genai.save_folder(tiny, tmp_path / "to", cache=CACHE, tokenizer=tmp_path / "from", **FIXED)
    assert sorted(file.name for file in (tmp_path / "to").iterdir()) == [
        "genai_config.json",
        "model.onnx",
        "model.onnx.data",
        "tokenizer.json",
        "tokenizer_config.json",
    ]


def test_tokenizers_of_transformers(tmp_path):
    runtime = pytest.importorskip("onnxruntime_genai")
    hf = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    raw = tokenizers.Tokenizer(tokenizers.models.BPE())
    raw.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=30, special_tokens=["<e>"])
    raw.train_from_iterator(["one two three"] * 9, trainer)
    tokenizer = hf.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="<e>")
    genai.save_folder(tiny, tmp_path, cache=CACHE, tokenizer=tokenizer, **FIXED)
    found = runtime.Tokenizer(runtime.Model(str(tmp_path)))
    tokens = found.encode("three two one")
    assert list(tokens) == tokenizer.encode("three two one") and found.decode(tokens) == "three two one"


def returning(change):
    return lambda input_ids, cache: change(*tiny(input_ids, cache))


def cut(input_ids, cache):
    """Returns all keys, but only the new values, without the values of the cache."""
    logits, (key, value) = tiny(input_ids, cache)
    return logits, (key, value[:, :, cache[1].shape[2] :])


MISFITS = [
    (r"fn: expected a parameter cache, found input_ids, past", dict(fn=lambda input_ids, past: None)),
    (r"fn: the parameter train is none of .* static=\{'train'", dict(fn=lambda input_ids, train, cache: None)),
    (r"fn: expected the results \(logits, cache\), found dict", dict(fn=lambda input_ids, cache: {})),
    (r"logits: .*\[B,S,vocabulary\], found float32\[B,32\]", dict(fn=returning(lambda x, kv: (x[:, -1], kv)))),
    (r"logits: .*, found int32\[B,S\]", dict(fn=returning(lambda x, kv: (x.argmax(-1), kv)))),
    (r"cache: fn takes the pytree .*, but returns", dict(fn=returning(lambda x, kv: (x, list(kv))))),
    (r"cache\[1\]: .*float32\[B,1,(P \+ S|S \+ P),8\], or .*shared_cache=True.*\[B,1,S,8\]", dict(fn=cut)),
    (r"cache\[0\]: with shared_cache=True, fn has to return float32\[B,1,P,8\], found", dict(shared_cache=True)),
    (r"cache\[0\]: expected a shape such as .*, found 'B,1,T,8'", dict(cache=("B,1,T,8",) * 2)),
    (r"cache: expected a shape such as .*, found \(3, 4\)", dict(cache=(3, 4))),
    (r"cache\[0\]: expected one of float32.*, found i8", dict(cache=("i8[B,1,P,8]",) * 2)),
    (r"cache: expected a key and a value for each layer, found 1 array", dict(cache=["B,1,P,8"])),
    (r"cache: .* one element type.* cache\[0\] is f32\[B,1,P,8\], but cache\[1\] is f32\[B,1,P,4\]",
     dict(cache=("B,1,P,8", "B,P,1,4"))),
    (r"context_length: expected an integer of 1 or more, found 0", dict(context_length=0)),
    (r"eos_token_id: expected an integer of 0 or more, found None", dict(eos_token_id=None)),
    (r"eos_token_id: expected one token or more", dict(eos_token_id=[])),
    (r"pad_token_id: expected a token below 32, the number of logits.*, found 32", dict(pad_token_id=32)),
    (r"tokenizer: .* has no tokenizer.json", dict(tokenizer=".")),
    (r"tokenizer: expected a folder or a tokenizer", dict(tokenizer=3)),
    (r"shared_cache: expected True or False, found 'yes'", dict(shared_cache="yes")),
    (r"config: expected a dictionary, found 3", dict(config=3)),
    (r"kwargs: save_folder sets this option", dict(kwargs={})),
]  # fmt: skip


@pytest.mark.parametrize("message, changed", MISFITS, ids=range(len(MISFITS)))
def test_what_does_not_fit(message, changed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, TypeError), match=message):
        genai.save_folder(**{"fn": tiny, "folder": tmp_path / "to", "cache": CACHE, **FIXED, **changed})
    assert not (tmp_path / "to").exists()
