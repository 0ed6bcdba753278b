import type { Messages } from '../translate.ts';

export const modelMessages = {} as const satisfies Messages;
