"""Teaches the student from the lessons of teach.py.

    python3 train.py LESSONS CHECKPOINT.pt --start checkpoints/taught.pt --steps 20000 --decay-from 15000

Constant rate, then linear to zero from `--decay-from` on. Resumes from CHECKPOINT.pt when it is there, so a run may be
stopped at any time; a finished run is prolonged with a larger `--steps` and `--decay-from`. On a machine that is
shared, `--finish-in` ends a run well at a given time.
"""

import argparse
import copy
import time
from pathlib import Path

import torch
from lessons import Lessons, fixed_batches
from student import BLOCKS, Student, recalibrated
from warm_start import exported_convolutions, fit_heads, matched, unfold

WARM_UP = 300
PAIRS, SINGLES = 4, 8
AVERAGING = 0.998


def errors(answers, targets, pairs: int):
    """Per level: mean squared error, pictures of little variety counting more, and the share of the change from clean
    to faulty that is not explained."""
    plain, changed = [], []
    for answer, target in zip(answers, targets, strict=True):
        answer = answer.float()
        variety = (target**2).mean((1, 2, 3)) - (target.mean((2, 3)) ** 2).mean(1)
        weight = (variety + 0.02).rsqrt().clamp(max=4)
        plain.append((((answer - target) ** 2).mean((1, 2, 3)) * weight / weight.mean()).mean())
        change = target[1 : 2 * pairs : 2] - target[0 : 2 * pairs : 2]
        answered = answer[1 : 2 * pairs : 2] - answer[0 : 2 * pairs : 2]
        energy = (change**2).mean((1, 2, 3)) + 0.003
        changed.append((((answered - change) ** 2).mean((1, 2, 3)) / energy.sqrt()).mean() / energy.sqrt().mean())
    return plain, changed


def loss_of(answers, targets, pairs: int, change_weight: float):
    plain, changed = errors(answers, targets, pairs)
    return plain[0] + 1.5 * plain[1] + change_weight * (changed[0] + 1.5 * changed[1]), (*plain, *changed)


@torch.no_grad()
def validation(student, path: Path):
    """Explained share of the variance of each level, and of the change between twins."""
    student.eval()
    sums = torch.zeros(8, dtype=torch.float64)
    for x, targets in fixed_batches(path):
        for i, (answer, target) in enumerate(zip(student(x), targets, strict=True)):
            sums[4 * i] += ((answer - target) ** 2).sum()
            sums[4 * i + 1] += (target**2).sum()
            a, t = answer[1::4] - answer[0::4], target[1::4] - target[0::4]
            sums[4 * i + 2] += ((a - t) ** 2).sum()
            sums[4 * i + 3] += (t**2).sum()
    return [round(float(1 - sums[j] / sums[j + 1]), 4) for j in (0, 4, 2, 6)]


class Training:
    def __init__(self, options):
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self.options, self.step, self.began = options, 0, time.time()
        self.lessons = Lessons(options.lessons, options.seed)
        while self.lessons.refresh() < options.wait_for:
            time.sleep(2)
        self.student = Student().to(memory_format=torch.channels_last)
        if options.start and not options.checkpoint.exists():
            self._start_from(options.start)
        self.average = copy.deepcopy(self.student)
        self.optimizer = torch.optim.AdamW(self.student.parameters(), options.rate, weight_decay=1e-4)
        if options.checkpoint.exists():
            self._resume()

    def _start_from(self, path: Path):
        """A checkpoint of this student, or the export of an earlier one."""
        if path.suffix == ".pt":
            average = torch.load(path)["average"]
            self.student.load_state_dict({k: v.float() if v.is_floating_point() else v for k, v in average.items()})
            return
        batches = [self.lessons.batch(0, 16) for _ in range(24)]
        folded = matched(exported_convolutions(path), self.options.start_blocks, BLOCKS)
        unfold(self.student, folded, torch.cat([x for x, _ in batches[:6]]))
        fit_heads(self.student, batches)

    def _resume(self):
        state = torch.load(self.options.checkpoint)
        self.student.load_state_dict(state["student"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = state["step"]

    def save(self):
        partial = self.options.checkpoint.with_suffix(".partial")
        state = {"student": self.student.state_dict(), "average": self.average.state_dict()}
        torch.save({**state, "optimizer": self.optimizer.state_dict(), "step": self.step}, partial)
        partial.rename(self.options.checkpoint)

    def rate(self) -> float:
        o = self.options
        left = (o.steps - self.step) / max(1, o.steps - o.decay_from)
        if o.finish_in:
            left = 1 - (time.time() - self.began) / o.finish_in
        return o.rate * min(1, (self.step + 1) / WARM_UP, max(left, 0.005))

    def finished(self) -> bool:
        late = self.options.finish_in and time.time() - self.began > self.options.finish_in
        return bool(late) or self.step >= self.options.steps

    def learn(self):
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        x, targets = self.lessons.batch(PAIRS, SINGLES)
        self.student.train()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.options.bfloat16):
            answers = self.student(x)
        loss, parts = loss_of(answers, targets, PAIRS, self.options.change_weight)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 2.0)
        self.optimizer.step()
        self.step += 1
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), self.student.parameters(), strict=True):
                kept.lerp_(new, 1 - min(AVERAGING, self.step / (self.step + 10)))
        return torch.stack([part.detach() for part in parts])

    def validated(self):
        averaged = recalibrated(copy.deepcopy(self.average), (self.lessons.batch(0, 16)[0] for _ in range(16)))
        return {path.parent.name: validation(averaged, path) for path in self.options.validation}

    def run(self):
        running, last = None, self.finished()
        while not last:
            parts, last = self.learn(), self.finished()
            running = parts if running is None else running.lerp(parts, 0.01)
            if self.step % 100 == 0 or last:
                self.lessons.refresh()
                shown = [round(float(v), 4) for v in running]
                self.save()
                print(self.step, round(time.time() - self.began), len(self.lessons.shards), shown, flush=True)
            if self.step % 500 == 0 or last:
                print("explained variance 8, 16, change 8, 16:", self.validated(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--validation", type=Path, nargs="+", required=True, help="shards that are not in LESSONS")
    parser.add_argument("--start", type=Path, help="a released checkpoint (.pt), or an export (.onnx)")
    parser.add_argument("--start-blocks", type=int, nargs=3, default=(2, 4, 4), help="blocks a stage of the export")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--wait-for", type=int, default=4, help="shards to wait for")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--decay-from", type=int, default=15000)
    parser.add_argument("--finish-in", type=float, help="seconds: the rate falls to zero over this time instead")
    parser.add_argument("--change-weight", type=float, default=0.5)
    parser.add_argument("--bfloat16", action="store_true", help="about twice as fast where the processor has it")
    Training(parser.parse_args()).run()


if __name__ == "__main__":
    main()
