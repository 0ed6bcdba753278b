#!/usr/bin/env bash
# Runs the tests of USB cameras on a kernel with a virtual one: the kernel of Debian with its driver vivid, in QEMU.
# Nothing of this computer is changed: the machine reads its files and writes to its own memory.
# usage: scripts/test-usb-camera.sh [COMMAND]     needs: apt-get install qemu-system-x86 busybox-static kmod cpio
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
command=${*:-npx vitest run --config vitest.faults.config.ts --reporter=verbose test/faults/usb-camera.test.ts}
work=$repository/.tmp/usb-camera
mkdir -p "$work"

# The kernel is unpacked, not installed.
if ! ls "$work"/kernel/boot/vmlinuz-* >/dev/null 2>&1; then
  package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9]\)/\1/p' | head -1)
  (cd "$work" && apt-get download "$package" && dpkg-deb -x "$package"_*.deb kernel)
fi
version=$(basename "$work"/kernel/boot/vmlinuz-* | sed 's/vmlinuz-//')
depmod -b "$work/kernel" "$version"

# A first file system with the modules in the order in which they are loaded.
first=$(mktemp -d)
trap 'rm -rf "$first"' EXIT
mkdir "$first"/{bin,modules,proc,low,high,system}
cp /bin/busybox "$first/bin/"
for module in virtio_pci 9pnet_virtio 9p overlay vivid; do
  modprobe -d "$work/kernel" -S "$version" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
done | awk '!seen[$0]++' | while read -r file; do
  cp "$file" "$first/modules/"
  echo "/modules/$(basename "$file")" >>"$first/modules/order"
done
printf '%s\n' "$command" >"$first/command"
cat >"$first/init" <<END
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
# One camera that has the sizes of a webcam.
while read -r file; do
  case \$file in *vivid*) insmod "\$file" n_devs=1 node_types=0x1 num_inputs=1 input_types=0 ;; *) insmod "\$file" ;; esac
done </modules/order
mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=1048576,cache=loose host /low
mount -t tmpfs tmpfs /high
mkdir /high/new /high/work
mount -t overlay -o lowerdir=/low,upperdir=/high/new,workdir=/high/work overlay /system
mount -t proc proc /system/proc
mount -t sysfs sysfs /system/sys
mount -t devtmpfs devtmpfs /system/dev
mkdir -p /system/dev/shm
mount -t tmpfs tmpfs /system/dev/shm
mount -t tmpfs tmpfs /system/tmp
ip link set lo up
export PATH=$PATH HOME=/tmp KENSA_TEST_V4L2=/dev/video0
{ chroot /system sh -c "cd '$repository' && \$(cat /command)" 2>&1; echo "exit status \$?"; } | cat
poweroff -f
END
chmod +x "$first/init"
(cd "$first" && find . | cpio -o -H newc --quiet | gzip -1) >"$work/first.img"

# Without hardware virtualization, so that it runs in a virtual machine too.
qemu-system-x86_64 -machine q35 -accel tcg -cpu max -m 4G -nic none -nographic -no-reboot \
  -kernel "$work/kernel/boot/vmlinuz-$version" -initrd "$work/first.img" -append 'console=ttyS0 quiet panic=-1' \
  -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap |
  tee "$work/output.txt"
grep -q 'exit status 0' "$work/output.txt"
