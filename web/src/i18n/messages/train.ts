import type { Messages } from '../translate.ts';

export const trainMessages = {} as const satisfies Messages;
