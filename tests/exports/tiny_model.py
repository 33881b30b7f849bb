"""A tiny language model made on the spot: tokenizer, chat template and random weights."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

PAD, END, TURN, CALL, CALLED = "<|pad|>", "<|end|>", "<|turn|>", "<|call|>", "<|called|>"

# Shows tools, their calls and their results; what the assistant says stands between the marks
# by which a trainer finds the answer tokens.
CHAT_TEMPLATE = """\
{%- if tools %}
{{- '<|turn|>tools\n' }}
{%- for tool in tools %}
{{- tool['function']['name'] + ': ' + tool['function']['description'] + '\n' }}
{%- endfor %}
{{- '<|end|>\n' }}
{%- endif %}
{%- for message in messages %}
{{- '<|turn|>' + message['role'] + '\n' }}
{%- if message['role'] == 'assistant' %}
{%- generation %}
{{- message['content'] }}
{%- for call in message['tool_calls'] or [] %}
{%- set told = {'name': call['function']['name'], 'arguments': call['function']['arguments']} %}
{{- '<|call|>' + (told | tojson) + '<|called|>' }}
{%- endfor %}
{{- '<|end|>' }}
{%- endgeneration %}
{{- '\n' }}
{%- else %}
{{- message['content'] + '<|end|>\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|turn|>assistant\n' }}
{%- endif %}"""

# How a turn is read back into text and calls.
RESPONSE_TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": f"{TURN}assistant\n",
    "fields": {
        "tool_calls": {
            "open": CALL,
            "close": CALLED,
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": END, "content": "text"},
    },
}


def tokenizer(texts: Iterable[str]) -> Any:
    """A byte-level BPE of 2,000 tokens, trained on the texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2_000,
        special_tokens=[PAD, END, TURN, CALL, CALLED],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(texts, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[TURN, CALL, CALLED],
    )
    made.chat_template = CHAT_TEMPLATE
    made.response_template = RESPONSE_TEMPLATE
    return made


def saved_model(words: Any, folder: Path) -> str:
    """The folder of a Llama of 330,000 weights for the tokenizer, the same at each call."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=16_384,
        pad_token_id=words.pad_token_id,
        bos_token_id=None,
        eos_token_id=words.eos_token_id,
        tie_word_embeddings=False,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    words.save_pretrained(folder)
    return str(folder)
