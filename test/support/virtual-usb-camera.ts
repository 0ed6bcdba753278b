import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';

const driver = '/sys/bus/platform/drivers/vivid';
const inputOf = (): string => `/dev/${readdirSync(`${driver}/vivid.0/video4linux`).sort()[0]}`;

/** Whether the kernel has a virtual USB camera; where not, the tests with one say so and are skipped. */
export const hasUsbCamera = existsSync(`${driver}/vivid.0`);
if (!hasUsbCamera) {
  const remedy = 'Run them on a kernel that has it: scripts/test-usb-camera.sh';
  console.warn(`The driver vivid is not loaded: tests of USB cameras are skipped. ${remedy}`);
}

/** The camera of the kernel's driver vivid: a real V4L2 device with the sizes of a webcam. */
export const usbCamera = {
  device: hasUsbCamera ? inputOf() : '/dev/video0',
  plugIn: () => writeFileSync(`${driver}/bind`, 'vivid.0'),
  /** The driver takes its device away at once, also from a program that reads it. */
  pullOut: () => writeFileSync(`${driver}/unbind`, 'vivid.0'),
  /** @param brightness 0 to 255, of every image from now on. */
  setBrightness(brightness: number): void {
    // VIDIOC_S_CTRL with V4L2_CID_BRIGHTNESS.
    const script = `import fcntl, struct, sys
with open(sys.argv[1], 'rb') as camera:
    fcntl.ioctl(camera, 0xC008561C, struct.pack('=Ii', 0x980900, int(sys.argv[2])))`;
    execFileSync('/usr/bin/python3', ['-c', script, usbCamera.device, String(brightness)]);
  },
};
