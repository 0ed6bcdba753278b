"""What light, lens, sensor and file do to a scene. One `Camera` treats a clean picture and its faulty twin alike."""

import cv2
import numpy as np
from fields import SIZE, fractal, log_uniform, ramp


class Camera:
    def __init__(self, r):
        self.light = self._light(r)
        self.blur = log_uniform(r, 0.35, 2) if r.random() < 0.35 else 0.0
        self.sharpen = r.uniform(0.2, 1.2) if r.random() < 0.15 else 0.0
        self.motion = int(r.integers(3, 8)) if r.random() < 0.06 else 0
        self.noise = log_uniform(r, 0.004, 0.06) if r.random() < 0.5 else 0.0
        self.noise_seed = int(r.integers(1 << 31))
        self.grey = r.random() < 0.35
        self.gain = log_uniform(r, 0.45, 1.5)
        self.offset = r.uniform(-0.15, 0.15)
        self.gamma = log_uniform(r, 0.6, 1.7) if r.random() < 0.3 else 1.0
        self.quality = int(r.integers(45, 98)) if r.random() < 0.35 else 0

    @staticmethod
    def _light(r):
        if r.random() < 0.5:
            return None
        field = fractal(r, 0.3, 1.0) if r.random() < 0.3 else ramp(r)
        return (1 + np.float32(r.uniform(0, 1.0)) * (field - 0.5))[..., None]

    def __call__(self, scene):
        """float32 [SIZE, SIZE, 3] -> uint8 of the same shape."""
        x = scene if self.light is None else scene * self.light
        if self.blur:
            x = cv2.GaussianBlur(x, (0, 0), self.blur)
        if self.motion:
            x = cv2.blur(x, (self.motion, 1))
        if self.sharpen:
            x = x + np.float32(self.sharpen) * (x - cv2.GaussianBlur(x, (0, 0), 1.2))
        if self.grey:
            x = np.repeat(x.mean(2, keepdims=True), 3, 2)
        if self.gamma != 1.0:
            x = np.clip(x, 0, None) ** np.float32(self.gamma)
        x = (x - np.float32(0.5)) * np.float32(self.gain) + np.float32(0.5 + self.offset)
        if self.noise:
            channels = 1 if self.grey else 3
            noise = np.random.default_rng(self.noise_seed).standard_normal((SIZE, SIZE, channels), np.float32)
            x = x + noise * np.float32(self.noise)
        picture = np.clip(x * 255, 0, 255).astype(np.uint8)
        if self.quality:
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        return picture
