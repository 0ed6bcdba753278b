import type { Messages } from '../translate.ts';

export const targetMessages = {} as const satisfies Messages;
