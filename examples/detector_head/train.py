"""Trains a small detector head in several processes and shows that the loss curve is the same in every bit when it is done again.

A detector head sees boxes of feature maps: it says which photograph a box holds and how the box should move to fit it. Three
trainings from one seed: twice with roipool, once with torchvision. Each has its processes, which average their gradients with
PyTorch's DistributedDataParallel.
"""

import argparse
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable

import matplotlib
import roipool.torch
import torch
import torchvision
from photographs import NAMES, Photographs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from torch import distributed, multiprocessing, nn
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

STRIDE = 4
POOLINGS = {"roipool": roipool.torch.roi_pool, "torchvision": torchvision.ops.roi_pool}
IMAGES_OF_A_STEP = 2
LEARNING_RATE = 0.01


class Detector(nn.Module):
    def __init__(self, roi_pool: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.roi_pool = roi_pool
        self.backbone = nn.Sequential(
            nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU()
        )
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(32 * 7 * 7, 64), nn.ReLU())
        self.label = nn.Linear(64, len(NAMES))
        self.offset = nn.Linear(64, 4)

    def forward(self, images: torch.Tensor, boxes: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.head(self.roi_pool(self.backbone(images), boxes, (7, 7), 1 / STRIDE))
        return self.label(hidden), self.offset(hidden)


def train(rank: int, processes: int, pooling: str, steps: int, seed: int, folder: str) -> None:
    """What each process does; the first one writes the losses, the mean of all processes' at each step."""
    distributed.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=processes)
    # Or other parts of PyTorch would add in another order from one machine to the next.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    model = DistributedDataParallel(Detector(POOLINGS[pooling]))
    optimizer = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=0.9)
    photographs = Photographs(seed * processes + rank)
    losses = torch.zeros(steps)
    with Progress(
        TextColumn("{task.description:24}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        console=Console(stderr=True),
        disable=rank != 0,
    ) as progress:
        task = progress.add_task(f"{pooling}, {processes} processes", total=steps, loss=float("nan"))
        for step in range(steps):
            batch = photographs.batch(IMAGES_OF_A_STEP)
            logits, offsets = model(batch.images, batch.boxes)
            loss = functional.cross_entropy(logits, batch.labels) + 5 * functional.smooth_l1_loss(offsets, batch.offsets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean = loss.detach() / processes
            distributed.all_reduce(mean)
            losses[step] = mean
            progress.update(task, advance=1, loss=mean.item())
    if rank == 0:
        torch.save(losses, pathlib.Path(folder, "losses.pt"))
    distributed.destroy_process_group()


def losses_of(pooling: str, arguments: argparse.Namespace) -> torch.Tensor:
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(
            train, (arguments.processes, pooling, arguments.steps, arguments.seed, folder), nprocs=arguments.processes
        )
        return torch.load(pathlib.Path(folder, "losses.pt"))


def draw(first: torch.Tensor, second: torch.Tensor, peer: torch.Tensor, file: pathlib.Path) -> None:
    figure, (losses_axis, difference_axis) = pyplot.subplots(
        2, 1, figsize=(8, 7), height_ratios=(3, 1), sharex=True, layout="constrained"
    )
    losses_axis.plot(peer, color="#D55E00", linewidth=5, alpha=0.4, label="torchvision")
    losses_axis.plot(first, color="#0072B2", linewidth=1.5, label="roipool")
    losses_axis.plot(second, color="black", linewidth=1, linestyle=":", label="roipool again")
    losses_axis.set_ylabel("loss")
    losses_axis.set_ylim(bottom=0)
    losses_axis.legend()
    losses_axis.set_title("Training a detector head: three times from one seed")
    difference_axis.plot((peer - first).abs(), color="#D55E00", label="torchvision - roipool")
    difference_axis.plot((second - first).abs(), color="black", linestyle=":", label="roipool again - roipool")
    difference_axis.set_ylabel("difference")
    difference_axis.set_xlabel("step")
    difference_axis.legend()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300, help="of each training (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="that share each step (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--tolerance", type=float, default=1e-3, help="how far torchvision's losses may be from roipool's (%(default)s)"
    )
    parser.add_argument("--output", type=pathlib.Path, default="losses.png", help="the picture to write (%(default)s)")
    arguments = parser.parse_args()
    if arguments.steps < 1 or arguments.processes < 1:
        parser.error("--steps and --processes are at least 1")
    # Every process would ask the name service for its own address otherwise, which not every machine answers.
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")

    first, second = losses_of("roipool", arguments), losses_of("roipool", arguments)
    peer = losses_of("torchvision", arguments)
    draw(first, second, peer, arguments.output)
    is_same = torch.equal(first, second)
    furthest = (first - peer).abs().max().item()
    print(f"loss {first[0]:.4f} -> {first[-1]:.4f} in {arguments.steps} steps; {arguments.output}")
    print(f"roipool, done again: {'the same in every bit' if is_same else 'DIFFERENT'}")
    print(f"torchvision: at most {furthest:.2g} away (tolerance {arguments.tolerance:g})")
    return 0 if is_same and furthest <= arguments.tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
