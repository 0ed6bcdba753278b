import { quietRuntime } from '../../config.ts';

/**
 * All that a compute process has in its environment. Pixels and feature maps are megabytes that come and go: in pages of
 * 2 MiB, where the kernel gives them to who asks, there is a fifth of the page faults.
 */
export const computeEnvironment = {
  UV_THREADPOOL_SIZE: '2',
  MALLOC_ARENA_MAX: '2',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  ...quietRuntime,
};
