#!/usr/bin/env python3
"""CVT-MAP-Elites of pyribs and of `parlour bench homeguard`, one after the other on the same core.

    python3 -m venv VENV && VENV/bin/pip install ribs
    VENV/bin/python scripts/pyribs.py PATH-TO-PARLOUR [EVALUATIONS]

Both: 60 genes, 1,000 cells, batches of 64, fitness = sum of the genes. Seconds are processor time.
"""

import inspect
import json
import os
import subprocess
import sys
import time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import numpy as np
import ribs
from ribs.archives import CVTArchive
from ribs.emitters import GaussianEmitter
from ribs.schedulers import Scheduler

GENES, CELLS, BATCH = 60, 1000, 64


def archive():
    # older versions call the number of cells `cells`
    number = "centroids" if "centroids" in inspect.signature(CVTArchive.__init__).parameters else "cells"
    return CVTArchive(solution_dim=GENES, ranges=[(0, 2)] * GENES, seed=1, samples=10_000, **{number: CELLS})


def pyribs(evaluations):
    cells = archive()
    emitter = GaussianEmitter(cells, sigma=0.3, x0=np.ones(GENES), bounds=[(0, 2)] * GENES, batch_size=BATCH, seed=1)
    scheduler = Scheduler(cells, [emitter])

    def step():
        genomes = np.rint(scheduler.ask())
        scheduler.tell(genomes.sum(axis=1), genomes)

    step()  # compiled code and tables are there before the clock counts
    start, done = time.process_time(), 0
    while done < evaluations:
        step()
        done += BATCH
    return done / (time.process_time() - start)


def main():
    program = sys.argv[1]
    evaluations = int(sys.argv[2]) if len(sys.argv) > 2 else 12_800
    theirs = pyribs(evaluations)
    ours = json.loads(subprocess.run([program, "bench", "homeguard", "--trees", "4", "--json"], check=True, capture_output=True, text=True).stdout)
    per_s = ours["map_elites_per_s"]
    print(json.dumps({"pyribs": ribs.__version__, "pyribs_per_s": round(theirs), "parlour_per_s": per_s, "ratio": round(per_s / theirs, 1)}))


if __name__ == "__main__":
    main()
