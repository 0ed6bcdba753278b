import type { Messages } from '../translate.ts';

export const startMessages = {} as const satisfies Messages;
