import { quietRuntime } from '../../config.ts';

const MIB = 1024 * 1024;

/**
 * Pixels and feature maps are megabytes that come and go. In pages of 2 MiB, where the kernel gives them to who asks, there is
 * a fifth of the page faults. What is freed of them is kept for what comes next, as glibc learns to do by itself; what is
 * larger comes seldom and goes back. Where glibc's heap meets another mapping, as it does in every third process of Node, it
 * grows by single megabytes with holes between them (a seventh more memory), unless it takes 16 at a time. Memory that is not
 * written to is none.
 */
const memoryTunables = {
  hugetlb: 1,
  mmap_threshold: 4 * MIB,
  trim_threshold: 16 * MIB,
  top_pad: 16 * MIB,
};

/** All that a compute process has in its environment. */
export const computeEnvironment = {
  UV_THREADPOOL_SIZE: '2',
  MALLOC_ARENA_MAX: '2',
  GLIBC_TUNABLES: Object.entries(memoryTunables)
    .map(([name, value]) => `glibc.malloc.${name}=${value}`)
    .join(':'),
  ...quietRuntime,
};
