"""python3 -m unittest   (in this folder)"""

import copy
import unittest

import numpy as np
import torch
import torch.nn.functional as F
from blend import blended
from camera import Camera
from contrast import Cells, Task, drawings, principal
from episodes import CROP, Draw, Episodes, compressed
from exported_network import OPERATORS
from first_convolution import MIDDLE, Neighbourhoods, in_pairs, on_bytes, settled
from graph import float_model, operations
from patch_memory import PatchMemory, area_under_roc
from pictures import shard
from quantize import Histogram, computed
from student import BLOCKS, Student
from targets import REACH, as_bytes, normalised, principal_basis, quantised, restored
from train import errors
from warm_start import matched, unfold


def lively(student):
    """Batch norms with statistics of their own, so that folding has something to get wrong."""
    generator = torch.Generator().manual_seed(3)
    for module in student.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.copy_(torch.randn(module.running_mean.shape, generator=generator) * 0.1)
            module.running_var.copy_(torch.rand(module.running_var.shape, generator=generator) + 0.5)
            module.weight.data.copy_(torch.rand(module.weight.shape, generator=generator) + 0.5)
            module.bias.data.copy_(torch.randn(module.bias.shape, generator=generator) * 0.1)
    return student.eval()


class Pictures(unittest.TestCase):
    def test_a_shard_depends_on_seed_and_index_alone(self):
        first = shard(5, 2, 8)
        np.random.seed(99)
        np.testing.assert_array_equal(first, shard(5, 2, 8))
        self.assertGreater(np.abs(first.astype(int) - shard(5, 3, 8)).mean(), 1)

    def test_twins_differ_only_in_places(self):
        pictures = shard(5, 0, 32).astype(int)
        changed = (np.abs(pictures[0::4] - pictures[1::4]).max(-1) > 12).mean((1, 2))
        self.assertGreater((changed > 0).mean(), 0.5)
        self.assertLess(np.median(changed), 0.2)

    def test_a_camera_treats_the_same_scene_alike(self):
        camera = Camera(np.random.default_rng(4))
        scene = np.random.default_rng(1).random((256, 256, 3), np.float32)
        np.testing.assert_array_equal(camera(scene), camera(scene.copy()))


class Contrast(unittest.TestCase):
    def episodes(self, seed):
        generator = torch.Generator().manual_seed(1)
        pictures = torch.randint(256, (3, 3, 400, 400), generator=generator, dtype=torch.uint8)
        return Episodes(pictures, torch.tensor([[0, 1, 0], [1, 1, 1], [1, 2, 0]]), seed)

    def test_episodes_depend_on_the_seed_alone(self):
        first, again, other = (self.episodes(seed).batch(2, 1)[0][0] for seed in (4, 4, 5))
        self.assertTrue(torch.equal(first, again))
        self.assertFalse(torch.equal(first, other))
        self.assertEqual(first.shape, (2, 3, CROP, CROP))

    def test_drawings_of_a_product_differ_less_than_products(self):
        products = [drawings(settings)[:2].astype(float) for settings in range(8)]
        within = np.mean([np.abs(one - other).mean() for one, other in products])
        between = np.mean([np.abs(a[0] - b[0]).mean() for a, b in zip(products, products[1:], strict=False)])
        self.assertGreater(within, 0)
        self.assertLess(within, between / 2)

    def test_files_of_high_quality_keep_pictures(self):
        draw = Draw("cpu", 2)
        pictures = 0.5 + 0.1 * draw.noise(2, 3, CROP, octaves=2)
        error = (compressed(pictures, torch.tensor([100.0, 20.0]).reshape(2, 1, 1, 1)) - pictures).abs().mean((1, 2, 3))
        self.assertLess(float(error[0]), 0.005)
        self.assertLess(float(error[0]), float(error[1]))

    def test_principal_axes_keep_what_varies(self):
        generator = torch.Generator().manual_seed(3)
        strong = torch.randn(1, 300, 448, generator=generator) * torch.linspace(1, 0.01, 448)
        axes = principal(strong)
        torch.testing.assert_close(axes.transpose(1, 2) @ axes, torch.eye(axes.shape[2])[None], atol=1e-4, rtol=0)
        centred = strong - strong.mean(1, keepdim=True)
        kept = float((centred @ axes).pow(2).sum() / centred.pow(2).sum())
        best = torch.linalg.svdvals(centred[0].double())[: axes.shape[2]].pow(2).sum() / centred.double().pow(2).sum()
        self.assertGreater(kept, 0.95 * float(best))

    def test_losses_fall_where_only_defects_are_far(self):
        task = Task(self.episodes(6), 2, 1)
        same = torch.randn(2, 196, 448, generator=torch.Generator().manual_seed(4))
        cells = torch.cat([same, same, same, same])
        plain = task.losses(cells)
        for i, defect in enumerate(task.defect):
            cells[4 + 2 * i : 6 + 2 * i][defect] += 5
        told = task.losses(cells)
        self.assertLess(float(told[0]), float(plain[0]))
        self.assertGreater(float(told[2]), float(plain[2]))

    def test_blending_moves_weights_by_a_share(self):
        out = blended({"w": torch.tensor([1.0]), "n": torch.tensor(3)}, [({"w": torch.tensor([3.0])}, 0.25)])
        self.assertEqual((float(out["w"]), int(out["n"])), (1.5, 3))

    def test_cells_are_means_over_two_by_two(self):
        cells = Cells((4.0, 1.0), "cpu")([torch.ones(1, 192, 8, 8), torch.full((1, 256, 4, 4), 2.0)])
        self.assertEqual(cells.shape, (1, 16, 448))
        self.assertEqual((float(cells[0, 0, 0]), float(cells[0, 0, 447])), (1.0, 2.0))


class Targets(unittest.TestCase):
    def test_bytes_keep_values_to_a_few_percent(self):
        values = torch.linspace(-REACH, REACH, 20001)
        worst = (restored(quantised(values)) - values).abs() - 0.016 * (values.abs() * REACH).sqrt()
        self.assertLess(float(worst.max()), 0.002)

    def test_basis_is_orthogonal_and_centres(self):
        generator = torch.Generator().manual_seed(1)
        mixing = [torch.randn(n, n, generator=generator) for n in (512, 1024)]

        def teacher(x):
            noise = [torch.randn(16, n, 8, 8, generator=generator) for n in (512, 1024)]
            return [x, *(torch.einsum("nchw,cd->ndhw", v, m) + 3 for v, m in zip(noise, mixing, strict=True))]

        basis = principal_basis(teacher, [np.zeros((16, 8, 8, 3), np.uint8)] * 4)
        for directions in basis.directions:
            identity = directions.t() @ directions
            self.assertLess(float((identity - torch.eye(len(identity))).abs().max()), 1e-4)
        for level in basis.project(teacher(torch.zeros(16, 3, 8, 8))):
            self.assertLess(float(level.mean().abs()), 0.1)
            self.assertAlmostEqual(float(level.var()), 1, delta=0.5)


class Network(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.student = lively(Student())
        self.x = torch.randn(2, 3, 64, 48)

    def test_folded_operations_answer_like_the_student(self):
        values = computed(operations(self.student, (2.0, 0.5)), self.x)
        with torch.no_grad():
            fine, coarse = self.student(self.x)
        torch.testing.assert_close(values["level8"], 2 * fine, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(values["level16"], 0.5 * coarse, rtol=1e-4, atol=1e-4)

    def test_the_file_holds_only_operators_that_are_known(self):
        model = float_model(operations(self.student, (1.0, 1.0)), "test")
        self.assertLessEqual({node.op_type for node in model.graph.node}, set(OPERATORS))
        self.assertEqual(model.SerializeToString(), float_model(operations(self.student, (1.0, 1.0)), "test").SerializeToString())

    def test_unfolding_an_export_gives_the_same_features(self):
        steps = operations(self.student, (1.0, 1.0))[:-2]
        folded = [(torch.from_numpy(s.weight), torch.from_numpy(s.bias)) for s in steps]
        other = Student()
        unfold(other, matched(folded, BLOCKS, BLOCKS), self.x)
        with torch.no_grad():
            want, got = self.student.trunk(self.x), other.train().trunk(self.x)
        for a, b in zip(want, got, strict=True):
            torch.testing.assert_close(a, b, rtol=1e-3, atol=1e-3)

    def test_blocks_that_an_export_lacks_start_as_identity(self):
        names = [f"stem{i}" for i in range(2)] + [f"a{i}" for i in range(6)] + ["d8"] + [f"b{i}" for i in range(3)]
        self.assertEqual(matched(names, (2, 1), (1, 2)), ["stem0", "stem1", "a0", "a1", "a2", "d8", "b0", "b1", "b2", None, None, None])

    def test_a_picture_comes_back_from_its_normalised_planes(self):
        pictures = shard(5, 1, 4)
        back = as_bytes(normalised(pictures)).numpy()
        np.testing.assert_array_equal(back[..., :3], pictures)
        self.assertTrue((back[..., 3] == 255).all())

    def test_the_first_convolution_on_bytes_answers_like_that_on_planes_at_the_borders_too(self):
        [step, *_] = operations(self.student, (1.0, 1.0))
        x = normalised(shard(5, 1, 4))
        seen = Neighbourhoods()
        seen.add(x)
        codes, scale, bias = on_bytes(step, seen)
        levels = as_bytes(x).permute(0, 3, 1, 2).float() - MIDDLE
        got = F.conv2d(levels, torch.from_numpy(codes * scale[:, None, None, None]), torch.from_numpy(bias).float(), 2, 1)
        want = F.conv2d(x, torch.from_numpy(step.weight), torch.from_numpy(step.bias), 2, 1)
        for part in (slice(None), slice(0, 1)):
            error = ((got - want)[:, :, part] ** 2).mean() / want[:, :, part].var()
            self.assertLess(float(error), 1e-4)

    def test_pairs_of_the_first_convolution_are_its_answers_side_by_side(self):
        generator = np.random.default_rng(6)
        weights = generator.integers(-127, 128, (5, 4, 3, 3)).astype(np.int8)
        single, codes = (torch.from_numpy(each).float() for each in (weights, in_pairs(weights)))
        pixels = torch.from_numpy(generator.integers(0, 256, (2, 16, 24, 4))).float()
        columns = pixels.reshape(2, 16, 12, 8).permute(0, 3, 1, 2)
        pairs = F.conv2d(F.pad(columns, (1, 0, 1, 1)), codes, stride=2).permute(0, 2, 3, 1)
        want = F.conv2d(pixels.permute(0, 3, 1, 2), single, stride=2, padding=1)
        torch.testing.assert_close(pairs.reshape(2, 8, 12, 5).permute(0, 3, 1, 2), want, rtol=0, atol=0)

    def test_settled_weights_err_less_than_rounded_ones_on_what_is_seen(self):
        generator = np.random.default_rng(4)
        exact, seen = generator.normal(0, 40, (8, 27)), generator.normal(0, 1, (500, 27)) + generator.normal(0, 3, (500, 1))
        covariance = np.cov(seen.T)
        codes = settled(exact, covariance)
        np.testing.assert_array_equal(codes, np.round(codes))
        settled_errors, rounded_errors = (
            np.einsum("oi,ij,oj->o", lost, covariance, lost) for lost in (exact - codes, exact - np.round(exact))
        )
        self.assertTrue((settled_errors <= rounded_errors).all())
        self.assertLess(settled_errors.sum(), rounded_errors.sum() / 2)

    def test_quantization_covers_what_was_seen(self):
        values = torch.rand(10000, generator=torch.Generator().manual_seed(2)) * 3
        histogram = Histogram(values)
        histogram.add(values)
        scale, zero = histogram.quantization()
        self.assertEqual(zero, 0)
        self.assertAlmostEqual(scale * 255, 3, delta=0.1)


class Measures(unittest.TestCase):
    def test_no_error_without_difference_and_one_for_a_blind_answer(self):
        torch.manual_seed(1)
        targets = [torch.randn(4, 8, 6, 6), torch.randn(4, 8, 3, 3)]
        for part in (p for parts in errors(targets, targets, 1) for p in parts):
            self.assertEqual(float(part), 0)
        blind = errors([torch.zeros_like(t) for t in targets], targets, 1)
        for part in (p for parts in blind for p in parts):
            self.assertAlmostEqual(float(part), 1, delta=0.3)

    def test_area_under_roc_counts_ties_half(self):
        self.assertEqual(area_under_roc([1, 2], [2, 3]), (0.5 + 1 + 1 + 1) / 4)

    def test_nearest_patch_is_found(self):
        torch.manual_seed(1)
        features = [torch.randn(5, 8, 8) for _ in range(3)]
        memory = PatchMemory(features, 40, 0)
        query = torch.randn(5, 8, 8)
        bank = memory.bank[:, :, 0, 0]
        slow = torch.stack([((bank - query[:, r, c]) ** 2).sum(1).min().sqrt() for r in range(8) for c in range(8)])
        np.testing.assert_allclose(memory.distances(copy.deepcopy(query)).ravel(), slow.numpy(), rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
